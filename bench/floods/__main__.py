"""Flood until told to stop: say `flooding` once it is under way, and at the end how much was
`done`.
"""

import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import uvloop

from bench.floods.requests import (
    bulk,
    dashboards,
    exports,
    imports,
    previews,
    refused_imports,
    sends,
)
from bench.floods.run import Flood
from bench.floods.subscribers import subscribers
from bench.kit.cores import AROUND, stay_on

FLOODS: dict[str, Callable[[Flood], Coroutine[Any, Any, None]]] = {
    "bulk": bulk,
    "dashboards": dashboards,
    "exports": exports,
    "imports": imports,
    "previews": previews,
    "refused_imports": refused_imports,
    "sends": sends,
    "subscribers": subscribers,
}


def main() -> None:
    """Run the flood that the command line names."""
    kind, aim = sys.argv[1:]
    stay_on(AROUND)
    uvloop.run(_run(FLOODS[kind], Flood(**json.loads(aim))))


async def _run(flooding: Callable[[Flood], Coroutine[Any, Any, None]], flood: Flood) -> None:
    task = asyncio.create_task(flooding(flood))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await asyncio.wait(
        {task, asyncio.create_task(flood.begun.wait())}, return_when=asyncio.FIRST_COMPLETED
    )
    _say("flooding")
    started, before = time.perf_counter(), flood.done
    try:
        await task
    except asyncio.CancelledError:
        _say("flooded", done=flood.done - before, seconds=time.perf_counter() - started)


def _say(event: str, **more: Any) -> None:
    print(
        json.dumps({"event": event, "timestamp": datetime.now(UTC).isoformat(), **more}), flush=True
    )


if __name__ == "__main__":
    main()
