"""All that names an organization without saying which: its owners read it, and the directory has it."""

from collections.abc import Awaitable, Callable, Iterable

from core.cells.directory import NOTE
from core.cells.models import KeyKind
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.cell import HOME, use_cell

Reader = Callable[[str], Awaitable[Iterable[bytes]]]
"""The hashes of an organization's keys of one kind, in the current cell."""

_readers: dict[KeyKind, Reader] = {}


def reads_keys(kind: KeyKind, reader: Reader) -> None:
    """The package that keeps keys of this kind says how they are read."""
    _readers[kind] = reader


def kinds_read() -> set[KeyKind]:
    """The kinds of which somebody has said how they are read."""
    return set(_readers)


async def keys_of(organization_id: str) -> dict[KeyKind, list[bytes]]:
    """What the directory has to know of an organization that lives in the current cell."""
    return {kind: list(await read(organization_id)) for kind, read in _readers.items()}


async def note_keys_of(organization_id: str) -> int:
    """Let the directory find an organization of the current cell by all of its keys, wherever it lives
    from then on. Answers how many there are. Repeating it is harmless.
    """
    found = await keys_of(organization_id)
    with use_cell(HOME):
        for kind, hashes in found.items():
            await db.execute(NOTE, kind, hashes, organization_id, real_now())
    return sum(map(len, found.values()))
