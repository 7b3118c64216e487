"""What the service stands on: PostgreSQL, Redis, a place for files."""

import os
import shutil
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cli.checks.check_result import Warned
from cli.checks.outside import bucket
from cli.failures import Failure

if TYPE_CHECKING:
    from core.foundation.settings import Settings

OLDEST_POSTGRES = 14
SPACE_TO_SEE = 0.05
"""The part of the disk that should be free at least."""
SKEW_TO_SEE, SKEW_TO_MEND = 1.0, 5.0
"""Seconds. Signatures of webhooks and log-ins are refused when clocks differ by minutes, limits a
little before.
"""
NEARLY_FULL = 0.9
ANSWER_TIMEOUT = 5.0


async def database(settings: "Settings") -> str:
    """Does PostgreSQL answer, and is it new enough?"""
    from core.foundation.database.db import connected_apart

    started = time.perf_counter()
    async with connected_apart(settings.database_url) as connection:
        version: str = await connection.fetchval("SHOW server_version")
    if connection.get_server_version().major < OLDEST_POSTGRES:
        raise Failure(
            f"PostgreSQL {version.split(maxsplit=1)[0]} is too old: use {OLDEST_POSTGRES} or newer"
        )
    return f"PostgreSQL {version.split(maxsplit=1)[0]} answers in {(time.perf_counter() - started) * 1000:.0f} ms"


async def clock(_: "Settings") -> str:
    """Do this machine and the database agree about the time?"""
    from core import operations

    skew = await operations.clock_skew()
    if abs(skew) < SKEW_TO_SEE:
        return "this machine and the database agree"
    side = "ahead of" if skew > 0 else "behind"
    line = f"this machine is {abs(skew):.1f} s {side} the database: synchronise both with NTP"
    if abs(skew) >= SKEW_TO_MEND:
        raise Failure(line)
    return Warned(line)


async def connections(settings: "Settings") -> str:
    """Is there room for the pools of our processes?"""
    from core import operations
    from core.foundation.database.db import PLANNED_POOL

    found = await operations.connections()
    each = settings.database_pool + settings.heavy_pool + PLANNED_POOL
    line = f"{found.in_use} of {found.most} in use; each process of ours takes up to {each}"
    if each > found.most:
        raise Failure(
            f"{line}: lower SVC_DATABASE_POOL and SVC_HEAVY_POOL, or raise max_connections"
        )
    if each > found.free:
        return Warned(
            f"{line}, and one more would not fit: lower SVC_DATABASE_POOL and SVC_HEAVY_POOL, or "
            f"raise max_connections"
        )
    if settings.heavy_places >= settings.heavy_pool:
        return Warned(
            f"{line}; of the heavy ones one organization may have all: lower SVC_HEAVY_PLACES"
        )
    return line


async def bounds(settings: "Settings") -> str:
    """Does PostgreSQL keep the times that we ask it for? Behind PgBouncer they are the database's
    own.
    """
    from core.foundation.database.bounded_pool import bounds_of
    from core.foundation.database.db import connected_apart

    asked = bounds_of(settings)
    heavy = replace(asked, statement=settings.heavy_statement_seconds)
    pools = (
        (settings.database_url, asked),
        (settings.planned_database_url, asked),
        (settings.heavy_database_url or settings.database_url, heavy),
    )
    for address, there in pools:
        if address is None:
            continue
        async with connected_apart(address, bounds=there) as connection:
            held = dict(await connection.fetch(HELD, list(there.server_settings())))
        wrong = {
            name: value
            for name, value in there.server_settings().items()
            if held.get(name, value) != value
        }
        if wrong:
            told = "; ".join(
                f"ALTER DATABASE … SET {name} = {value} (it is {held[name]})"
                for name, value in wrong.items()
            )
            return Warned(f"a connection of ours does not have the times of the settings: {told}")
    return (
        f"a statement ends after {asked.statement:g} s, a frozen transaction after {asked.idle:g} s"
    )


HELD = """
    SELECT name, setting FROM pg_settings
    WHERE name = ANY($1) AND (name NOT LIKE 'tcp_%' OR (inet_server_addr() IS NOT NULL AND setting <> '0'))
"""
"""What it keeps. By a socket file there is no TCP, and some systems have not all of it: those read
0.
"""


async def open_files(_: "Settings") -> str:
    """May our processes have as many connections open as they use?"""
    from core.foundation.open_files import RECOMMENDED_OPEN_FILES, most_open_files

    most = most_open_files()
    if most < RECOMMENDED_OPEN_FILES:
        return Warned(
            f"a process may have {most} files and connections open and wants {RECOMMENDED_OPEN_FILES}: raise the "
            f"hard limit "
            "(LimitNOFILE of systemd, ulimits of a container, `ulimit -Hn`)"
        )
    return f"a process may have {most} files and connections open"


async def migrations(_: "Settings") -> str:
    """Is the schema the one that this code was written for?"""
    from core.foundation.database import schema

    missing = await schema.pending()
    if missing:
        raise Failure(f"{len(missing)} missing ({', '.join(missing)}): run `svc migrate`")
    return "the schema is the newest"


async def redis(settings: "Settings") -> str:
    """Does Redis answer, take writes, and keep what it is given?"""
    from core.foundation.redis_address import open_redis

    async with open_redis(
        settings.redis_url, seconds=ANSWER_TIMEOUT, answer_seconds=ANSWER_TIMEOUT
    ) as client:
        return redis_line(await client.info())


def redis_line(info: dict[str, Any]) -> str:
    """What a Redis tells of itself, in our words."""
    line = f"Redis {info['redis_version']} answers"
    if info.get("role") != "master":
        raise Failure(f"{line}, but it is a replica: name the primary in REDIS_URL")
    most, used, policy = (
        info.get("maxmemory", 0),
        info["used_memory"],
        info.get("maxmemory_policy", "noeviction"),
    )
    if most and used > NEARLY_FULL * most:
        return Warned(
            f"{line}; {used / most:.0%} of maxmemory is used ({policy}): give it more memory"
        )
    if most and policy.startswith("allkeys"):
        return Warned(
            f"{line}; its policy {policy} may drop limits and wake-ups when memory runs out: set "
            f"noeviction"
        )
    return f"{line}; memory policy {policy}"


async def files(settings: "Settings") -> str:
    """Can files of customers be put down where the settings say?"""
    if settings.s3_bucket is not None:
        return await bucket(settings)
    wanted = settings.data_dir.resolve() / "blobs"
    folder = next(place for place in (wanted, *wanted.parents) if place.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Failure(
            "the folder of SVC_DATA_DIR cannot be written: mount it, or give it to the user of "
            "the service"
        )
    free = shutil.disk_usage(folder)
    if free.free < SPACE_TO_SEE * free.total:
        return Warned(
            f"the folder of SVC_DATA_DIR has {free.free / free.total:.0%} of its disk left"
        )
    return "the folder of SVC_DATA_DIR can be written"
