"""Sending what a row says."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from tortoise.backends.base.client import TransactionalDBClient
from tortoise.connection import get_connection

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from tests.contract.table import Answer, Endpoint, Refusal
from tests.contract.world import World
from tests.support import citus

SECRET = "SEGREDO-4711"
"""Stands for a value that must never come back."""

FILE_HEADERS = {
    "Content-Type": "application/octet-stream",
    "x-filename": "proposta.pdf",
    "x-content-type": "application/pdf",
}

_keys = itertools.count(1)


def address_of(endpoint: Endpoint, ids: Mapping[str, str]) -> str:
    """The path with its parameters put in."""
    return re.sub(r"{(\w+)}", lambda name: as_written(ids[name[1]]), endpoint.path)


def as_written(text: str) -> str:
    """The text inside an address; what `surrogateescape` made of bytes becomes those bytes."""
    return quote(text, safe="", errors="surrogateescape")


def query_of(query: Mapping[str, str | list[str]], more: str) -> str:
    """The end of an address."""
    told = "&".join(filter(None, (urlencode(query, doseq=True), more)))
    return f"?{told}" if told else ""


async def nobody_reads() -> AsyncIterator[bytes]:
    """A body that fails the test when it is read."""
    raise AssertionError("the body was read")
    yield b""


def texts_in(value: Any) -> Iterator[str]:
    """All texts that a value is made of, but for the names of fields."""
    match value:
        case str():
            yield value
        case Mapping() | list():
            for inner in value.values() if isinstance(value, Mapping) else value:
                yield from texts_in(inner)


async def ask(
    rest: httpx.AsyncClient,
    world: World,
    endpoint: Endpoint,
    credential: Mapping[str, str],
    *,
    ids: Mapping[str, str] | None = None,
    body: Any = ...,
    content: bytes | AsyncIterator[bytes] | None = None,
    query: Mapping[str, str | list[str]] | None = None,
    more_query: str = "",
    headers: Mapping[str, Any] | None = None,
) -> httpx.Response:
    """One call: that which succeeds, but for what is told otherwise. `more_query` is sent as it is
    written.
    """
    sent: dict[str, Any] = dict(credential)
    if endpoint.key is not None:
        sent["Idempotency-Key"] = f"contract-{next(_keys)}"
    if content is None and (body is not ... or endpoint.body is not None):
        content = json.dumps(await world.fill(endpoint.body) if body is ... else body).encode()
        sent["Content-Type"] = "application/json"
    if endpoint.file is not None:
        content = endpoint.file if content is None else content
        sent |= FILE_HEADERS
    return await rest.request(
        endpoint.method,
        address_of(endpoint, await world.fill(endpoint.ids) if ids is None else ids)
        + query_of(await world.fill(endpoint.query) if query is None else query, more_query),
        content=content,
        headers={
            name: value for name, value in {**sent, **(headers or {})}.items() if value is not ...
        },
    )


async def ready(world: World, endpoint: Endpoint) -> None:
    """Make everything that the happy call speaks of, and what has to happen before it."""
    await world.fill(endpoint.ids)
    await world.fill(endpoint.query)
    await world.fill(endpoint.body)
    if endpoint.before is not None:
        await endpoint.before(world)


async def changed(world: World, endpoint: Endpoint, row: Refusal | Answer) -> Any:
    """The body of a row: the happy one of its endpoint with its changes."""
    if not row.change:
        return ...
    return {
        name: value
        for name, value in {
            **await world.fill(endpoint.body or {}),
            **await world.fill(row.change),
        }.items()
        if value is not ...
    }


ROWS_WRITTEN = """(
    pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)
)"""
"""By this transaction so far, what was taken back included."""
OF_TABLES = (
    "FROM pg_class WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'r'"
)


async def written() -> int:
    """How many rows this transaction has written so far, in all tables."""
    count: int = await db.fetchval(f"SELECT coalesce(sum({ROWS_WRITTEN}), 0)::bigint {OF_TABLES}")
    return count


@asynccontextmanager
async def nothing_written() -> AsyncIterator[None]:
    """What happens inside writes no row of any table, not even one that it takes back."""
    before = await written()
    yield
    assert await written() == before, "a refused request wrote something"


@asynccontextmanager
async def nothing_left() -> AsyncIterator[None]:
    """What happens inside leaves every row of every table as it was; it may have tried."""
    before = await contents()
    yield
    after = await contents()
    assert after == before, (
        f"a refusal left something in {sorted(name for name, _ in before.items() ^ after.items())}"
    )


TRACES = ["refused_sends", "refusal_counts"]
"""What a refusal of a send leaves behind: why it was refused."""


async def contents(*, but: Sequence[str] = TRACES) -> dict[str, Any]:
    """A sum over each table with rows but these: unless told, those that tell of refusals."""
    of_rows = "sum(hashtextextended(t::text, 0)::numeric)"
    sums = await of_each_table(of_rows, but=but)
    return {name: sum for name, sum in sums.items() if sum is not None}


async def of_each_table(aggregate: str, *, but: Sequence[str] = ()) -> dict[str, Any]:
    """What this makes of the rows `t` of each table, but for those that have none.

    Inside of the transaction of a test only those are read that it has written to: all others stay as they are.
    """
    if citus.running() is not None:  # the machine of the rows counts, and another connection
        may_have = "true"
    elif isinstance(get_connection("default"), TransactionalDBClient):
        may_have = f"{ROWS_WRITTEN} > 0"
    else:
        may_have = "pg_relation_size(oid) > 0"
    names = await db.fetch(
        f"SELECT relname {OF_TABLES} AND NOT relname = ANY ($1) AND {may_have} ORDER BY 1",
        list(but),
    )
    told = " UNION ALL ".join(
        f"SELECT '{name}' AS name, {aggregate} AS told FROM {name} t"
        for name in (row["relname"] for row in names)
    )
    return {row["name"]: row["told"] for row in await db.fetch(told)} if told else {}


class Undo(Exception):
    """Takes a block back."""


@asynccontextmanager
async def undone() -> AsyncIterator[None]:
    """What happens inside is taken back."""
    try:
        async with transaction():
            yield
            raise Undo
    except Undo:
        pass
