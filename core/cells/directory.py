"""In which cell an organization lives, and what of it is where: asked of the home, remembered for seconds.

The list of cells is read once, and again beside the work every few seconds. While it is empty, every
answer is the home, without a question.
"""

import asyncio
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.cells.models import CellState, KeyKind, OrganizationCell
from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.cell import HOME, Cell, close_cells, current, use_cell
from core.foundation.database.transactions import outside_transaction
from core.foundation.dry_run import is_dry_run
from core.foundation.errors import ServiceUnavailable
from core.foundation.observability.outage_log import tell_outage
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current as settings

CELLS_SECONDS = 3.0
"""How old the list of cells may be."""
PLACE_SECONDS = 2.0
"""How long a process relies on where an organization lives."""
KNOWN_AFTER_SECONDS = 2 * PLACE_SECONDS + CELLS_SECONDS
"""When every process that is not cut off knows of a change: what a credential's cache holds is as old
as `PLACE_SECONDS` besides.
"""


class CellUnknown(ServiceUnavailable):
    """An organization lives in a cell that the list does not name (yet)."""

    default_detail = (
        "The database of your organization cannot be reached right now; repeat the request in a "
        "moment, with the same Idempotency-Key if it had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=5)


@dataclass(frozen=True, slots=True)
class CellEntry:
    """A cell of the list."""

    cell: Cell
    state: CellState


@dataclass(slots=True)
class _List:
    cells: Mapping[str, CellEntry]
    read_at: float
    moving: frozenset[str]
    """The organizations that are moved between them."""


_list: _List | None = None
_reading: asyncio.Task[None] | None = None
_places: BoundedCache[str, tuple[str, float]] = BoundedCache(
    max_bytes=20_000_000, weigh=lambda *_: 300
)


async def known_cells() -> Mapping[str, CellEntry]:
    """The cells besides the home, by name, as this process knows them."""
    global _reading
    if _list is None:
        await learn_cells()
    elif time.monotonic() - _list.read_at > CELLS_SECONDS and (_reading is None or _reading.done()):
        _reading = asyncio.create_task(_learn_again(), context=outside_transaction())
    assert _list is not None
    return _list.cells


def as_known() -> Mapping[str, CellEntry]:
    """The same without reading anything: none, where nobody has read them yet."""
    return {} if _list is None else _list.cells


async def has_cells() -> bool:
    """Whether there is a cell besides the home."""
    return bool(await known_cells())


async def may_have_new_cells() -> bool:
    """After something was not found at home, where nobody knew of a cell: whether there is one now.

    Looked up once in `CELLS_SECONDS`, so that nobody makes us ask more often by asking for nothing.
    """
    if _list is None or _list.cells or time.monotonic() - _list.read_at <= CELLS_SECONDS:
        return False
    await learn_cells()
    return bool(as_known())


async def learn_cells() -> None:
    """Read the list of cells now, and close the pools of those that are gone from it."""
    global _list
    since = time.monotonic()
    with use_cell(HOME):
        rows = await db.fetch("SELECT name, url_cipher, state FROM cells ORDER BY name")
        moves = await db.fetch(MOVING) if rows else []
    cells = {
        row["name"]: CellEntry(
            Cell(
                row["name"], keyring().decrypt(row["url_cipher"], context=sealed_for(row["name"]))
            ),
            CellState(row["state"]),
        )
        for row in rows
    }
    _list = _List(cells, since, frozenset(row["organization_id"] for row in moves))
    await close_cells(but=[listed.cell for listed in cells.values()])


MOVING = "SELECT organization_id, source, target FROM organization_moves WHERE ended_at IS NULL"


def is_moving(organization_id: str) -> bool:
    """Whether an organization is being moved, as this process knows it: its place is not relied on."""
    return _list is not None and organization_id in _list.moving


def forget_place(organization_id: str) -> None:
    """Ask anew where an organization lives."""
    _places.forget(organization_id)


def sealed_for(name: str) -> str:
    """Where the address of a cell is stored."""
    return f"cells.url:{name}"


def forget_cells() -> None:
    """Drop what this process remembers of cells and of who lives where."""
    global _list
    _list = None
    _places.clear()


async def _learn_again() -> None:
    try:
        await learn_cells()
    except Exception as error:  # what was read before holds on
        assert _list is not None
        _list.read_at = time.monotonic()
        tell_outage("cells_not_read", error)


async def cell_named(name: str) -> Cell:
    """The cell of this name. Raises CellUnknown."""
    if name == HOME.name:
        return HOME
    if name not in await known_cells():
        await learn_cells()
    try:
        return as_known()[name].cell
    except KeyError:
        raise CellUnknown from None


async def every_cell() -> list[Cell]:
    """The home, and behind it the other cells by name."""
    return [HOME, *(listed.cell for listed in (await known_cells()).values())]


async def cell_of(organization_id: str) -> Cell:
    """Where an organization lives: the home, unless the directory says something else."""
    if not await known_cells():
        return HOME
    known = _places.get(organization_id)
    if known is None or known[1] <= time.monotonic():
        since = time.monotonic()
        with use_cell(HOME):
            name = await db.fetchval(PLACE, organization_id)
        known = (name or HOME.name, since + PLACE_SECONDS)
        _places.put(organization_id, known)
    return await cell_named(known[0])


PLACE = "SELECT cell FROM organization_cells WHERE organization_id = $1"


async def cell_of_key(kind: KeyKind, key_hash: bytes) -> Cell | None:
    """Where whoever has this lives; None where the directory does not know it: then it is the
    home's, or nobody's. Not remembered: whoever asks remembers more than that.
    """
    return (await cells_of_keys(kind, [key_hash])).get(key_hash)


async def cells_of_key(kind: KeyKind, key_hash: bytes) -> list[Cell]:
    """All cells in which something of this name may live; the home is always one of them."""
    if not await known_cells():
        return [HOME]
    with use_cell(HOME):
        rows = await db.fetch(CELLS_OF_KEY, kind, [key_hash])
    names = sorted({row["cell"] for row in rows} - {HOME.name})
    return [HOME, *[await cell_named(name) for name in names]]


async def cells_of_keys(kind: KeyKind, hashes: Collection[bytes]) -> dict[bytes, Cell]:
    """Where those live that the directory knows, in one question for all of them."""
    if not await known_cells():
        return {}
    with use_cell(HOME):
        rows = await db.fetch(CELLS_OF_KEY, kind, list(hashes))
    return {bytes(row["key_hash"]): await cell_named(row["cell"]) for row in rows}


CELLS_OF_KEY = """
SELECT d.key_hash, coalesce(c.cell, 'main') AS cell
FROM directory_entries d LEFT JOIN organization_cells c USING (organization_id)
WHERE d.kind = $1 AND d.key_hash = ANY ($2::bytea[])
"""


def hash_of(kind: KeyKind, name: str) -> bytes:
    """Under what the directory has a name that its owner's table has in clear."""
    return keyed_hash(settings().hash_key.encode(), f"directory {kind} {name}")


async def note_key(kind: KeyKind, key_hash: bytes, organization_id: str) -> None:
    """Let everybody find an organization of another cell by this; of the home's nothing is noted.

    Noted at once, whatever becomes of the transaction around it: what leads nowhere is found by
    nobody.
    """
    if current() is not HOME:
        await note_there(kind, key_hash, organization_id)


async def note_there(kind: KeyKind, key_hash: bytes, organization_id: str) -> None:
    """Note it, wherever its organization is being served; a dry run notes nothing."""
    if is_dry_run():
        return
    with use_cell(HOME):
        await db.execute(NOTE, kind, [key_hash], organization_id, real_now())


NOTE = """
INSERT INTO directory_entries (kind, key_hash, organization_id, noted_at)
SELECT $1, hash, $3, $4 FROM unnest($2::bytea[]) AS hash
ON CONFLICT (kind, key_hash, organization_id) DO NOTHING
"""


async def forget_keys(kind: KeyKind, hashes: Collection[bytes]) -> None:
    """Take out of the directory what there is no more, once its rows are gone."""
    if hashes and await known_cells():
        with use_cell(HOME):
            await db.execute(FORGET, kind, list(hashes))


FORGET = "DELETE FROM directory_entries WHERE kind = $1 AND key_hash = ANY ($2::bytea[])"


async def place(organization_id: str, cell: Cell) -> None:
    """Say where an organization lives from now on; in a transaction of the home, if there is one."""
    with use_cell(HOME):
        if cell == HOME:
            await OrganizationCell.filter(organization_id=organization_id).delete()
        else:
            await db.execute(PUT, organization_id, cell.name, real_now())
    _places.forget(organization_id)


PUT = """
INSERT INTO organization_cells (organization_id, cell, changed_at) VALUES ($1, $2, $3)
ON CONFLICT (organization_id) DO UPDATE SET cell = excluded.cell, changed_at = excluded.changed_at
"""
