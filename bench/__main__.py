"""`python -m bench [NAME…]`: run measurements and print what they found."""

import argparse
import asyncio
import gc
import json
import platform
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvloop
from rich.console import Console

from bench import (
    all_lists,
    amazon_events,
    amazon_send,
    board,
    channel_sends,
    company_import,
    contact_import,
    contact_pages,
    dry_runs,
    event_feed,
    export_page,
    fairness,
    graphql_page,
    graphql_small,
    inbound_statuses,
    journey_messages,
    journey_moves,
    journey_wake,
    list_members,
    list_pages,
    media_upload,
    push_queue,
    segment_preview,
    smpp_idle,
    smpp_submit,
    sms_facts,
    sms_list,
    sms_send,
    sms_to_webhook,
    thirty_days,
    webhook_delivery,
    webhook_floor,
)
from bench.kit.cores import AROUND, number_of_cores, stay_on
from bench.kit.house import Effort, House
from bench.kit.others import Others
from bench.kit.report import Report, show

MEASUREMENTS: dict[str, Callable[[House], Coroutine[Any, Any, Report]]] = {
    "all_lists": all_lists.measure,
    "amazon_events": amazon_events.measure,
    "amazon_send": amazon_send.measure,
    "board": board.measure,
    "channel_sends": channel_sends.measure,
    "company_import": company_import.measure,
    "contact_import": contact_import.measure,
    "contact_pages": contact_pages.measure,
    "dry_runs": dry_runs.measure,
    "event_feed": event_feed.measure,
    "export_page": export_page.measure,
    "fairness": fairness.measure,
    "graphql_page": graphql_page.measure,
    "graphql_small": graphql_small.measure,
    "inbound_statuses": inbound_statuses.measure,
    "journey_messages": journey_messages.measure,
    "journey_moves": journey_moves.measure,
    "journey_wake": journey_wake.measure,
    "list_members": list_members.measure,
    "list_pages": list_pages.measure,
    "media_upload": media_upload.measure,
    "push_queue": push_queue.measure,
    "segment_preview": segment_preview.measure,
    "sms_facts": sms_facts.measure,
    "sms_list": sms_list.measure,
    "sms_send": sms_send.measure,
    "smpp_idle": smpp_idle.measure,
    "smpp_submit": smpp_submit.measure,
    "sms_to_webhook": sms_to_webhook.measure,
    "thirty_days": thirty_days.measure,
    "webhook_delivery": webhook_delivery.measure,
    "webhook_floor": webhook_floor.measure,
}


def main() -> None:
    """Read the command line and run what it names."""
    parser = _parser()
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in MEASUREMENTS]:
        parser.error(
            f"no such measurement: {', '.join(unknown)} (there are {', '.join(MEASUREMENTS)})"
        )
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # leave in order, with nothing left running
    stay_on(AROUND)
    # Our own pauses would be taken for the server's.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    effort = Effort(rounds=arguments.rounds, seconds=arguments.seconds, messages=arguments.messages)
    try:
        reports = [_run(name, effort, arguments.keep) for name in arguments.names or MEASUREMENTS]
    except KeyboardInterrupt:
        sys.exit(130)
    if arguments.json:
        print(
            json.dumps(
                {"machine": _machine(), "measurements": [report.as_json() for report in reports]}
            )
        )
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    for report in reports:
        show(report, console)


def _run(name: str, effort: Effort, kept: Path | None) -> Report:
    started = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - started:6.1f} s  {name}: {line}", file=sys.stderr, flush=True)

    say("starting PostgreSQL (fsync on) and Redis")
    with (
        House(effort, say, kept) as house,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        others = Others()
        report: Report = runner.run(MEASUREMENTS[name](house))
        busy = (
            f"other processes kept {others.cores():.1f} of {number_of_cores()} cores busy meanwhile"
        )
    say(f"done; {busy}")
    return replace(report, notes=[*report.notes, busy])


def _machine() -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": number_of_cores(),
    }


def _parser() -> argparse.ArgumentParser:
    lines = (
        f"  {name:16} {(sys.modules[measure.__module__].__doc__ or '').splitlines()[0]}"
        for name, measure in MEASUREMENTS.items()
    )
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure the service against the least that the same tools could do.",
        epilog="measurements:\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; default: all")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each variant (default 5)")
    parser.add_argument(
        "--seconds", type=float, default=1.5, help="length of a round of load (default 1.5)"
    )
    parser.add_argument(
        "--messages",
        type=int,
        default=1_000_000,
        help="how many messages all_lists asks of (default 1,000,000)",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="let PostgreSQL and Redis keep their data there; only for all_lists",
    )
    return parser


if __name__ == "__main__":
    main()
