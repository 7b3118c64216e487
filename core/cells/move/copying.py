"""Copying rows of an organization from one cell into another, as streams of COPY.

First all of them, in the moment of one snapshot; then what has changed since, which is told by the
number of the transaction that wrote a row, and what is gone, which is told by comparing keys. A round
may be repeated: it brings the other cell to its own moment, whatever is there.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core.cells.move.errors import NotTheSame
from core.cells.move.tables import MovedTable
from core.foundation.database.address import Connection

WAITING_PIECES = 16
"""Pieces of a stream, of up to some 100 kB each, that wait to be written."""

KEYS_AT_ONCE = 5_000

ALIKE = """
SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'iso_8601';
SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0
"""
"""How values are written as text must not depend on the server, the database or the user."""

AS_COPIED = "SET LOCAL session_replication_role = replica"
"""What triggers write is copied too."""

Key = Sequence[str]
"""The columns of a row's key, as texts."""


@dataclass(frozen=True, slots=True)
class Copied:
    """Rows that were written and removed in the other cell."""

    written: int = 0
    removed: int = 0

    def __add__(self, other: "Copied") -> "Copied":
        return Copied(self.written + other.written, self.removed + other.removed)


@dataclass(frozen=True, slots=True)
class Pair:
    """Connections to the cell that an organization leaves and to the one that it enters, each inside
    its transaction: `moment` and `arriving`.
    """

    source: Connection
    target: Connection
    organization_id: str


@asynccontextmanager
async def moment(source: Connection) -> AsyncIterator[int]:
    """A transaction in the cell that is left, all of one moment. Answers the oldest transaction that
    was open then: whatever is written later has its number, or a higher one, also in a savepoint.
    """
    async with source.transaction(isolation="repeatable_read", readonly=True):
        await source.execute(ALIKE)
        yield int(
            await source.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        )


@asynccontextmanager
async def arriving(target: Connection) -> AsyncIterator[None]:
    """A transaction in the cell that is entered, in which no trigger does anything."""
    async with target.transaction():
        await target.execute(ALIKE)
        await target.execute(AS_COPIED)
        yield


async def copy_whole(pair: Pair, table: MovedTable) -> int:
    """Copy all rows of a table; none are there yet. Answers how many."""
    return await _stream(pair, table)


def _in_order(tables: Sequence[MovedTable]) -> list[MovedTable]:
    """First those whose rows are somebody's by rows of another, which may go."""
    return sorted(tables, key=lambda table: not table.is_through)


async def catch_up(pair: Pair, tables: Sequence[MovedTable], *, since: int) -> Copied:
    """Bring tables to the moment of the source's transaction. `since`: of the moment before.

    What has not changed costs one statement in each cell, for all tables together.
    """
    changed = CHANGED.format(low=since % 2**32)
    here, there = await asyncio.gather(
        _digests(pair.source, tables, pair.organization_id, unless=changed),
        _digests(pair.target, tables, pair.organization_id),
    )
    copied = Copied()
    for table in _in_order(tables):
        ours, theirs = here[table.name], there[table.name]
        if ours.left_out or ours.unlike(theirs):
            copied += await _catch_up(pair, table, ours, theirs, changed)
    return copied


async def _catch_up(
    pair: Pair, table: MovedTable, here: "_Digest", there: "_Digest", changed: str
) -> Copied:
    removed = 0
    if here.left_out:
        async for keys in _keys(pair, table, f"AND {changed}"):
            removed += await _remove(pair, table, keys)
        if removed:
            there = (await _digests(pair.target, [table], pair.organization_id))[table.name]
    copied = Copied(removed=removed) + await _even_out(pair, table, here, there, changed)
    if here.left_out:
        copied += Copied(written=await _stream(pair, table, f"AND {changed}"))
    return copied


async def _even_out(
    pair: Pair, table: MovedTable, here: "_Digest", there: "_Digest", changed: str
) -> Copied:
    """Remove and copy single rows, so that the keys are the same; of those that have not changed."""
    removed = written = 0
    for part in sorted(here.unlike(there)):
        gone, missing = await _compare(pair, table, part, but=changed)
        removed += await _remove(pair, table, gone)
        written += await _copy_some(pair, table, missing)
    return Copied(written, removed)


async def catch_up_at_last(
    pair: Pair, tables: Sequence[MovedTable], *, since: int, there: Mapping[str, int]
) -> int:
    """The same, where little has changed and nobody writes any more: one look at the source. `there`:
    how many rows of each table the target has. Answers how many there are. Raises NotTheSame.
    """
    changed = CHANGED.format(low=since % 2**32)
    query = " UNION ALL ".join(
        LOOK.format(key=table.key_list, name=table.name, owner=table.owner, changed=changed)
        for table in tables
    )
    found = {row["name"]: row for row in await pair.source.fetch(query, pair.organization_id)}
    for table in _in_order(tables):
        rows, keys = found[table.name]["rows"], found[table.name]["keys"] or []
        if not keys and rows == there[table.name]:
            continue
        done = Copied(removed=await _remove(pair, table, keys))
        if there[table.name] - done.removed + len(keys) != rows:
            ours = await _digests(pair.source, [table], pair.organization_id, unless=changed)
            theirs = await _digests(pair.target, [table], pair.organization_id)
            done += await _even_out(pair, table, ours[table.name], theirs[table.name], changed)
        done += Copied(written=await _copy_some(pair, table, keys))
        if there[table.name] - done.removed + done.written != rows:
            raise NotTheSame([table.name])
    return sum(row["rows"] for row in found.values())


LOOK = """
SELECT '{name}' AS name, count(*) AS rows, array_agg(ARRAY[{key}]) FILTER (WHERE {changed}) AS keys
FROM {name} WHERE {owner}
"""


# Of a row, by the lower half of the number of the transaction that wrote it. The higher half is that of
# the moment: what seems more than half a circle ahead is behind. Below 3 are rows of no transaction.
CHANGED = "(xmin::text::bigint >= 3 AND ((xmin::text::bigint - {low}) & 4294967295) < 2147483648)"


@dataclass(slots=True)
class _Digest:
    """What keys of a table there are: for each of 256 parts of them how many, and a sum of their
    hashes. `left_out`: how many more there are.
    """

    parts: dict[int, tuple[int, int]]
    left_out: int

    def unlike(self, other: "_Digest") -> set[int]:
        """The parts in which the keys differ."""
        return {
            part
            for part in self.parts.keys() | other.parts.keys()
            if self.parts.get(part) != other.parts.get(part)
        }


async def _digests(
    connection: Connection,
    tables: Sequence[MovedTable],
    organization_id: str,
    *,
    unless: str = "false",
) -> dict[str, _Digest]:
    query = " UNION ALL ".join(
        DIGEST.format(key=table.key_text, name=table.name, owner=table.owner, unless=unless)
        for table in tables
    )
    found = {table.name: _Digest({}, 0) for table in tables}
    for row in await connection.fetch(query, organization_id):
        digest = found[row["name"]]
        digest.left_out += row["left_out"]
        if row["keys"]:
            digest.parts[row["part"]] = row["keys"], row["sum"]
    return found


DIGEST = """
SELECT '{name}' AS name, h & 255 AS part, count(*) FILTER (WHERE NOT apart) AS keys,
       bit_xor(h) FILTER (WHERE NOT apart) AS sum, count(*) FILTER (WHERE apart) AS left_out
FROM (SELECT hashtextextended({key}, 0) AS h, {unless} AS apart FROM {name} WHERE {owner}) AS hashed
GROUP BY 2
"""


async def _compare(
    pair: Pair, table: MovedTable, part: int, *, but: str
) -> tuple[list[Key], list[Key]]:
    """The keys of a part that only the target has, and those that only the source has."""
    keys = (
        f"SELECT {table.key_list} FROM {table.name} "
        f"WHERE {table.owner} AND hashtextextended({table.key_text}, 0) & 255 = {part}"
    )
    here = await pair.source.fetch(f"{keys} AND NOT {but}", pair.organization_id)
    there = await pair.target.fetch(keys, pair.organization_id)
    ours, theirs = {tuple(row) for row in here}, {tuple(row) for row in there}
    return list(theirs - ours), list(ours - theirs)


async def _keys(pair: Pair, table: MovedTable, also: str) -> AsyncIterator[list[Key]]:
    cursor = await pair.source.cursor(
        f"SELECT {table.key_list} FROM {table.name} WHERE {table.owner} {also}",
        pair.organization_id,
    )
    while rows := await cursor.fetch(KEYS_AT_ONCE):
        yield [tuple(row) for row in rows]


async def _remove(pair: Pair, table: MovedTable, keys: Sequence[Key]) -> int:
    removed = 0
    for some in _slices(keys):
        tag = await pair.target.execute(
            f"DELETE FROM {table.name} WHERE {table.owner} AND {table.is_one_of(first=2)}",
            pair.organization_id,
            *some,
        )
        removed += int(tag.split()[-1])
    return removed


async def _copy_some(pair: Pair, table: MovedTable, keys: Sequence[Key]) -> int:
    copied = 0
    for some in _slices(keys):
        copied += await _stream(pair, table, f"AND {table.is_one_of(first=2)}", *some)
    return copied


def _slices(keys: Sequence[Key]) -> list[list[list[str]]]:
    """Keys in portions, each column of them as an array."""
    return [
        [list(column) for column in zip(*keys[begin : begin + KEYS_AT_ONCE], strict=True)]
        for begin in range(0, len(keys), KEYS_AT_ONCE)
    ]


async def _stream(pair: Pair, table: MovedTable, also: str = "", *values: object) -> int:
    """Copy the rows of a table of which a condition holds; what is read is a few pieces ahead of what
    is written. Answers how many.
    """
    pieces: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING_PIECES)
    query = f"SELECT {table.sent} FROM {table.name} WHERE {table.owner} {also}"

    async def leave() -> None:
        await pair.source.copy_from_query(query, pair.organization_id, *values, output=pieces.put)
        await pieces.put(None)

    async def arrive() -> str:
        tag: str = await pair.target.copy_to_table(
            table.name, source=_until_none(pieces), columns=table.names
        )
        return tag

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(leave())
            arrived = group.create_task(arrive())
    except BaseExceptionGroup as failures:  # of the two, one alone is the cause
        raise failures.exceptions[0] from None
    return int(arrived.result().split()[-1])


async def _until_none(pieces: "asyncio.Queue[bytes | None]") -> AsyncIterator[bytes]:
    while (piece := await pieces.get()) is not None:
        yield piece
