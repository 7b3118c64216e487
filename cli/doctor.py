"""`svc doctor`: is everything there that the service needs, and if not, what is to be done?"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from cli import checks
from cli.checks import CheckResult, Warned
from cli.failures import in_one_line
from cli.output import show
from cli.session import database
from cli.settings import unknown_settings

if TYPE_CHECKING:
    from core.foundation.settings import Settings

PROBE_TIMEOUT = 10.0
"""Seconds that one check may take."""


@dataclass(frozen=True)
class Check:
    """A check by name, and those that have to pass before it."""

    name: str
    look: "Callable[[Settings], Awaitable[str]]"
    after: tuple[str, ...] = ("settings",)


CHECKS = (
    Check("database", checks.database),
    Check("clock", checks.clock, after=("database",)),
    Check("connections", checks.connections, after=("database",)),
    Check("bounds", checks.bounds, after=("database",)),
    Check("migrations", checks.migrations, after=("database",)),
    Check("cells", checks.cells, after=("migrations",)),
    Check("moves", checks.moves, after=("migrations",)),
    Check("encryption", checks.encryption, after=("migrations",)),
    Check("hash_key", checks.hash_key, after=("cells",)),
    Check("phone_hash", checks.phone_hash),
    Check("redis", checks.redis),
    Check("files", checks.files),
    Check("open_files", checks.open_files),
    Check("worker", checks.workers, after=("database", "redis")),
    Check("queues", checks.queues, after=("migrations",)),
    Check("event_feed", checks.event_feed, after=("migrations",)),
    Check("partitions", checks.partitions, after=("migrations",)),
    Check("webhooks", checks.webhooks, after=("migrations",)),
    Check("live_sms", checks.live_sms),
    Check("mail", checks.mail),
    Check("base_url", checks.base_url),
    Check("metrics", checks.metrics),
)


async def doctor() -> None:
    """Check settings, servers, keys, workers and queues; one line each, exit status 1 if any fails."""
    findings = await _examine()
    well = all(result.ok for result in findings)
    record = {"ok": well, "checks": [vars(result) for result in findings]}
    show(record, text="\n".join(map(_line, findings)))
    if not well:
        raise typer.Exit(1)


async def _examine() -> list[CheckResult]:
    from core.foundation.observability import logs
    from core.foundation.settings import current

    logs.configure("error")  # what a check comes upon stands in its line
    try:
        settings = current()
    except Exception as error:
        wrong = CheckResult(
            "settings", False, f"{in_one_line(error)}; `svc settings` lists them all"
        )
        return [wrong, *(_not_looked_at(check, "settings") for check in CHECKS)]
    found = {"settings": _read(settings)}
    async with AsyncExitStack() as opened:
        for check in CHECKS:
            missing = next((name for name in check.after if not found[name].ok), None)
            found[check.name] = (
                _not_looked_at(check, missing) if missing else await _look(check, settings)
            )
            if check.name == "database" and found["database"].ok:
                try:
                    await opened.enter_async_context(database())
                except Exception as error:
                    found["database"] = CheckResult("database", False, in_one_line(error))
    return list(found.values())


def _read(settings: "Settings") -> CheckResult:
    """They were read; what is there beside them may have been meant as one."""
    unknown = unknown_settings()
    if unknown:
        return CheckResult("settings", True, "; ".join(unknown), warning=True)
    return CheckResult("settings", True, f"{len(type(settings).model_fields)} are readable")


async def _look(check: Check, settings: "Settings") -> CheckResult:
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            detail = await check.look(settings)
    except TimeoutError:
        return CheckResult(check.name, False, f"no answer within {PROBE_TIMEOUT:.0f} s")
    except Exception as error:
        return CheckResult(check.name, False, in_one_line(error))
    return CheckResult(check.name, True, str(detail), warning=isinstance(detail, Warned))


def _not_looked_at(check: Check, missing: str) -> CheckResult:
    return CheckResult(check.name, None, f"not checked: first mend {missing}")


def _line(result: CheckResult) -> str:
    word = "warn" if result.warning else {True: "ok", False: "FAILS", None: "-"}[result.ok]
    return f"{word:<6} {result.name:<11} {result.detail}"
