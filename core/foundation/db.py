"""Raw SQL that joins the current transaction, and the pools behind it and behind the models.

House rules of the pools: connections are not reset between uses (a round trip saved per query), so nobody may
leave session state behind: no session-level SET, no LISTEN, no session advisory locks.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg
import orjson
from tortoise import Tortoise
from tortoise.backends.asyncpg.client import AsyncpgDBClient
from tortoise.backends.base.client import TransactionalDBClient
from tortoise.connection import get_connection

from core.foundation.outages import DatabaseUnreachable
from core.foundation.settings import Settings, SettingsError

MODEL_MODULES = (
    "core.audit.models",
    "core.organizations.models",
    "core.idempotency.models",
    "core.webhooks.models",
    "core.wallet.models",
    "core.providers.sandbox.models",
    "core.contacts.models",
    "core.messages.models",
    "core.email.models",
    "core.quiet_hours.models",
    "core.push.models",
    "core.numbers.models",
    "core.media.models",
    "core.templates.models",
    "core.flows.models",
    "core.conversations.models",
    "core.journeys.models",
    "core.short_links.models",
    "core.lists.models",
    "core.segments.models",
    "core.customer_events.models",
    "core.companies.models",
    "core.pipelines.models",
    "core.pipelines.cards.models",
    "core.foundation.blobs.models",
)


PLANNED = "planned"
PLANNED_POOL = 4
"""Connections of a process whose plans are generic; few, because what runs there is combined into batches."""


class Row(Protocol):
    """A row of a result, by column name: asyncpg's record or a plain mapping."""

    def __getitem__(self, name: str, /) -> Any: ...


CONNECT_SECONDS = 5.0
"""A server that does not answer by then is away; whoever waits gets a refusal instead of a long silence."""

RESPITE_SECONDS = 1.0

_silent_until = 0.0


class InvalidDatabaseUrl(SettingsError):
    """The address of the database cannot be read."""

    def __init__(self) -> None:
        super().__init__("DATABASE_URL: expected postgresql://user:password@host:port/name")


def credentials_of(url: str) -> dict[str, Any]:
    """The parts of `postgresql://user:password@host:port/name?host=/socket/folder`."""
    try:
        parts = urlsplit(url)
        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        port = int(options.pop("port", 0) or parts.port or 5432)
    except ValueError:  # its text may hold a piece of the password
        raise InvalidDatabaseUrl from None
    if parts.scheme not in ("postgresql", "postgres", "asyncpg") or len(parts.path) < 2:
        raise InvalidDatabaseUrl
    return {
        "host": options.pop("host", None) or parts.hostname or "localhost",
        "port": port,
        "user": unquote(parts.username or options.pop("user", "postgres")),
        "password": unquote(parts.password) if parts.password else options.pop("password", None),
        "database": unquote(parts.path[1:]),
        **({"ssl": options["sslmode"]} if options.get("sslmode") else {}),
    }


def tortoise_config(url: str, *, pool: int = 10, planned_url: str | None = None) -> dict[str, Any]:
    """Tortoise's configuration: our two connections, and one app with every model on the first of them.

    A pooler between us and PostgreSQL cannot tell the two apart: there the second has an address of its own.
    """
    return {
        "connections": {
            # Generic plans scan whole tenants for array and range predicates.
            "default": _connection(url, pool=pool, plan_cache_mode="force_custom_plan"),
            # A plan that is kept must be right for tables of any size: by index only, also while they are empty.
            PLANNED: _connection(
                planned_url or url,
                pool=PLANNED_POOL,
                plan_cache_mode="force_generic_plan",
                enable_seqscan="off",
                enable_hashjoin="off",
                enable_mergejoin="off",
            ),
        },
        "apps": {
            "core": {
                "models": list(MODEL_MODULES),
                "default_connection": "default",
                "migrations": "core.migrations",
            }
        },
        "use_tz": True,
        "timezone": "UTC",
    }


def _connection(url: str, *, pool: int, **planning: str) -> dict[str, Any]:
    return {
        "engine": "tortoise.backends.asyncpg",
        "credentials": {
            **credentials_of(url),
            "connect": _connect,
            "timeout": CONNECT_SECONDS,
            "minsize": 1,
            "maxsize": pool,
            "init": _prepare_connection,
            "reset": _no_reset,
            "max_queries": 1_000_000_000,
            "max_inactive_connection_lifetime": 0,
            "statement_cache_size": 512,
            "server_settings": {
                **planning,
                "application_name": "svc",
                "timezone": "UTC",
                "jit": "off",
            },
        },
    }


async def _connect(*arguments: Any, **options: Any) -> "asyncpg.Connection[Any]":
    """What the pool opens. An OSError here is the database's; anywhere else it may be a file of ours.

    After a server has not answered in time, whoever queues behind is refused at once for a moment: otherwise
    each of them would wait as long, one after the other.
    """
    global _silent_until
    if time.monotonic() < _silent_until:
        raise DatabaseUnreachable("the server did not answer a moment ago")
    try:
        connection: asyncpg.Connection[Any] = await asyncpg.connect(*arguments, **options)
    except OSError as error:  # refused, no socket file, timed out
        if isinstance(error, TimeoutError):
            _silent_until = time.monotonic() + RESPITE_SECONDS
        raise DatabaseUnreachable(str(error) or type(error).__name__) from error
    return connection


async def _prepare_connection(connection: "asyncpg.Connection[Any]") -> None:
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_json_text, decoder=orjson.loads, format="text"
    )


def _json_text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


async def _no_reset(connection: "asyncpg.Connection[Any]") -> None:
    """asyncpg has already ended an open transaction; the rest of a reset is a round trip for nothing."""


async def open_database(settings: Settings) -> None:
    """Load the models and open the pool; one per process."""
    await Tortoise.init(
        config=tortoise_config(
            settings.database_url, pool=settings.database_pool, planned_url=settings.planned_database_url
        ),
        _enable_global_fallback=True,
    )
    await fetchval("SELECT 1")


async def close_database() -> None:
    """Close the pool and forget the models' connection."""
    await Tortoise.close_connections()


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of this process: how many connections are at work, how many rest, and how many it may have."""

    name: str
    in_use: int
    idle: int
    most: int


def pools() -> list[Pool]:
    """The open pools."""
    found = []
    for name in ("default", PLANNED):
        client = get_connection(name)
        pool: asyncpg.Pool[Any] | None = getattr(client, "_pool", None)  # nothing public tells; made on first use
        if pool is not None:
            idle = pool.get_idle_size()
            found.append(Pool(name, pool.get_size() - idle, idle, pool.get_max_size()))
    return found


def _client() -> AsyncpgDBClient:
    client = get_connection("default")
    assert isinstance(client, AsyncpgDBClient)
    return client


async def fetch(sql: str, *values: Any) -> list[asyncpg.Record]:
    """The rows of a query, inside the current transaction if there is one."""
    async with _client().acquire_connection() as connection:
        return await connection.fetch(sql, *values)  # type: ignore[no-any-return]


async def fetch_planned(sql: str, *values: Any) -> list[asyncpg.Record]:
    """The rows of a statement that is planned once per connection instead of at each use.

    For large statements of the hot path that reach every table by a unique key, where planning would cost as much as
    the work. Joins the current transaction if there is one.
    """
    client = _client()
    if not isinstance(client, TransactionalDBClient):
        client = get_connection(PLANNED)  # type: ignore[assignment]
    async with client.acquire_connection() as connection:
        return await connection.fetch(sql, *values)  # type: ignore[no-any-return]


async def fetchrow(sql: str, *values: Any) -> asyncpg.Record | None:
    """The first row or None."""
    async with _client().acquire_connection() as connection:
        return await connection.fetchrow(sql, *values)  # type: ignore[no-any-return]


async def fetchval(sql: str, *values: Any) -> Any:
    """The first value of the first row or None."""
    async with _client().acquire_connection() as connection:
        return await connection.fetchval(sql, *values)


async def execute(sql: str, *values: Any) -> int:
    """Run a statement and answer the number of rows it touched."""
    async with _client().acquire_connection() as connection:
        tag = await connection.execute(sql, *values)
    last = tag.rsplit(" ", 1)[-1]
    return int(last) if last.isdigit() else 0


async def copy_in(table: str, columns: Sequence[str], lines: bytes) -> None:
    """Write rows given in the text form of COPY: the fastest way in, inside the current transaction if there is one."""
    async with _client().acquire_connection() as connection:
        await connection.copy_to_table(table, source=BytesIO(lines), columns=columns)


def columns(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    """Turn rows into columns, the shape that `unnest($1::text[], …)` takes for a bulk insert."""
    turned = [list(column) for column in zip(*rows, strict=True)]
    return turned or [[] for _ in range(width)]
