"""`svc doctor`: is everything there that the service needs, and if not, what is to be done?"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from cli.failures import Failure, in_one_line
from cli.output import show

if TYPE_CHECKING:
    from core.foundation.settings import Settings

PATIENCE = 10.0
"""Seconds that one check may take."""


@dataclass(frozen=True)
class Finding:
    """What one check found. `ok` None: another one has to pass before it."""

    name: str
    ok: bool | None
    detail: str


async def doctor() -> None:
    """Check settings, database, migrations, Redis and the worker; one line each, exit status 1 if any fails."""
    findings = await _examine()
    well = all(finding.ok for finding in findings)
    record = {"ok": well, "checks": [vars(finding) for finding in findings]}
    show(record, text="\n".join(map(_line, findings)))
    if not well:
        raise typer.Exit(1)


async def _examine() -> list[Finding]:
    from core.foundation.settings import load

    try:
        settings = load()
    except Exception as error:
        wrong = Finding("settings", False, f"{in_one_line(error)}; `svc settings` lists them all")
        return [wrong, *(Finding(name, None, "not checked: it needs the settings") for name in CHECKS)]
    return [
        Finding("settings", True, f"{len(type(settings).model_fields)} are readable"),
        *[await _check(name, look, settings) for name, look in CHECKS.items()],
    ]


async def _check(name: str, look: "Callable[[Settings], Awaitable[str]]", settings: "Settings") -> Finding:
    try:
        async with asyncio.timeout(PATIENCE):
            return Finding(name, True, await look(settings))
    except TimeoutError:
        return Finding(name, False, f"no answer within {PATIENCE:.0f} s")
    except Exception as error:
        return Finding(name, False, in_one_line(error))


async def _database(settings: "Settings") -> str:
    import asyncpg

    from core.foundation.db import credentials_of

    connection: asyncpg.Connection[Any] = await asyncpg.connect(**credentials_of(settings.database_url))
    try:
        version: str = await connection.fetchval("SHOW server_version")
    finally:
        connection.terminate()
    return f"PostgreSQL {version.split(maxsplit=1)[0]} answers"


async def _migrations(_: "Settings") -> str:
    from cli.session import database
    from core.foundation import schema

    async with database():
        missing = await schema.pending()
    if missing:
        raise Failure(f"{len(missing)} missing ({', '.join(missing)}): run `svc migrate`")
    return "the schema is the newest"


async def _redis(settings: "Settings") -> str:
    import redis.asyncio as redis

    async with redis.Redis.from_url(settings.redis_url) as client:
        info: dict[str, Any] = await client.info("server")
    return f"Redis {info['redis_version']} answers"


async def _worker(settings: "Settings") -> str:
    import redis.asyncio as redis

    from workers.heartbeat import KEY

    async with redis.Redis.from_url(settings.redis_url) as client:
        alive = [name async for name in client.scan_iter(f"{KEY}*")]
    if not alive:
        raise Failure("none is running: messages get no reports and webhooks do not leave; start `svc worker`")
    return "1 is running" if len(alive) == 1 else f"{len(alive)} are running"


def _line(finding: Finding) -> str:
    word = {True: "ok", False: "FAILS", None: "-"}[finding.ok]
    return f"{word:<6} {finding.name:<11} {finding.detail}"


CHECKS: "dict[str, Callable[[Settings], Awaitable[str]]]" = {
    "database": _database,
    "migrations": _migrations,
    "redis": _redis,
    "worker": _worker,
}
