"""Finding a row whose organization nobody names: a short link, a message of an e-mail's token.

Those are too many for a directory. The home is asked first and then the other cells, each for one row
by its key; whose it is never changes, so that is remembered.
"""

from core.cells.directory import cell_of, every_cell, has_cells, note_there
from core.cells.models import DirectoryEntry, KeyKind
from core.cells.move.under_way import cell_to_write
from core.foundation.bounded_cache import BoundedCache
from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.cell import HOME, Cell, current, use_cell
from core.foundation.database.transactions import transaction

_owners: BoundedCache[tuple[str, str], str] = BoundedCache(
    max_bytes=5_000_000, weigh=lambda *_: 300
)


async def cell_with(look: str, key: str) -> Cell:
    """The cell in which `look`, SQL that answers an organization, finds the key; the home where none
    does.

    What is left of an organization that moved away counts for nothing; one that is between two cells
    is waited for. Raises the outage of a cell that is away, where no other has it.
    """
    if not await has_cells():
        return HOME
    known = _owners.get((look, key))
    if known is not None:
        return await cell_to_write(known)
    away: Exception | None = None
    for cell in await every_cell():
        try:
            with use_cell(cell):
                owner = await db.fetchval(look, key)
        except Exception as error:
            if not is_outage(error):
                raise
            away = error
            continue
        if owner is not None:
            _owners.put((look, key), owner)
            return await cell_to_write(owner)
    if away is not None:
        raise away
    return HOME


async def cells_with(look: str, keys: list[str]) -> dict[Cell, list[str]]:
    """The same for many, by the cell in which each is to be looked for."""
    found: dict[Cell, list[str]] = {}
    for key in keys:
        found.setdefault(await cell_with(look, key), []).append(key)
    return found


async def take_name(
    kind: KeyKind, key_hash: bytes, organization_id: str, *, look: str, key: str
) -> bool:
    """Take a name that is given once in the installation, in the transaction that writes its row. Answers
    whether nobody of another cell has it; the table of each cell keeps its own apart.

    What lives in other cells than the home is in the directory, where it is noted; `look` finds the
    home's. A lock of the home lets one after the other look and take: for the home's own it holds to the
    end of their transaction, for others until the directory says whose it is.
    """
    if not await has_cells():
        return True
    is_at_home = current() == HOME
    with use_cell(HOME):
        async with transaction():
            await db.execute(ONE_AT_A_TIME, f"{kind} {key_hash.hex()}")
            noted = DirectoryEntry.filter(kind=kind, key_hash=key_hash)
            if await noted.exclude(organization_id=organization_id).exists():
                return False
            if is_at_home:
                return True
            owner = await db.fetchval(look, key)
            if owner is not None and await cell_of(owner) == HOME:
                return False
            await note_there(kind, key_hash, organization_id)
    return True


ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('name ' || $1::text, 0))"
