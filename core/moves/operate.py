"""Moving an organization from the shell: `svc org move`, which is repeated until it is done, or
undone.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

# Each says what its keys are.
import core.numbers.lines
import core.organizations.accounts.people
import core.organizations.accounts.tokens
import core.organizations.authenticate
import core.smpp.sign_in  # noqa: F401
from core.cells.directory import (
    KNOWN_AFTER_SECONDS,
    cell_named,
    cell_of,
    forget_place,
    known_cells,
    learn_cells,
    place,
)
from core.cells.keys import kinds_read, note_keys_of
from core.cells.manage import NoSuchCell, cell_for_new
from core.cells.models import KeyKind
from core.cells.move.errors import AnotherMove, PlacedAnew, SchemaChanges
from core.cells.move.models import MoveStep
from core.cells.move.notes import Move, note_begun, open_move
from core.cells.move.numbers import begin_block
from core.cells.move.sides import Side, side_of
from core.foundation import settings
from core.foundation.database import db
from core.foundation.database.bounded_pool import BACKUP
from core.foundation.database.cell import HOME, Cell, use_cell
from core.foundation.database.migration_runner import LOCK_OF_SCHEMA
from core.moves.able import must_be_able
from core.moves.mover import Mover, Pauses, Still, Tell
from core.moves.tables import moved_tables

MACHINES = 3
"""How many machines of Citus a move follows a cell to."""


def usual_pauses() -> Pauses:
    """No request that found the old cell is still at work when its rows, and with them the gate,
    go.
    """
    at_work = KNOWN_AFTER_SECONDS + settings.current().request_seconds
    return Pauses(draining=KNOWN_AFTER_SECONDS, closing=0.3, gone=at_work)


async def move_organization(
    organization_id: str,
    cell: str,
    *,
    tell: Tell = lambda *_: None,
    pauses: Pauses | None = None,
) -> Move:
    """Move an organization into a cell while it works, or go on with a move that was broken off.
    Raises NoSuchCell, CellDrains, a kind of MoveRefused.
    """
    assert kinds_read() == set(KeyKind), "packages that keep keys are not imported"
    await learn_cells()
    target = await _named(cell)
    async with _alone(organization_id) as still:
        move = await open_move(organization_id)
        if move is None:
            forget_place(organization_id)
            source = await cell_of(organization_id)
            if source == target:
                raise AnotherMove(f"it lives in {cell} already")
            await cell_for_new(cell)
            async with _side(source) as leaving, _side(target) as entering:
                await must_be_able(leaving, entering)
            move = await note_begun(organization_id, source.name, target.name)
        elif move.target != cell:
            raise AnotherMove(
                f"it is being moved into {move.target}: repeat or undo that before another move"
            )
        elif move.step is MoveStep.UNDOING:
            raise AnotherMove("its move is being undone: repeat that")
        for _ in range(MACHINES):
            try:
                async with _mover(move, still, tell, pauses or usual_pauses()) as mover:
                    return await mover.move()
            except PlacedAnew:
                move = await open_move(organization_id) or move
        raise PlacedAnew


async def undo_move(organization_id: str, *, tell: Tell = lambda *_: None) -> Move:
    """Undo a move that is not done: the organization stays where it is. Raises a kind of
    MoveRefused.
    """
    await learn_cells()
    async with _alone(organization_id) as still:
        move = await open_move(organization_id)
        if move is None:
            raise AnotherMove("it is not being moved")
        async with _mover(move, still, tell, usual_pauses()) as mover:
            return await mover.undo()


async def begin_numbers(database_url: str) -> None:
    """Let a new cell draw its numbers from a block of its own."""
    with use_cell(HOME):
        number = await db.fetchval("SELECT nextval('organization_moves_id_seq')")
    async with db.connected_apart(database_url) as connection:
        await begin_block(connection, await moved_tables(connection), number)


async def _named(name: str) -> Cell:
    if name != HOME.name and name not in await known_cells():
        raise NoSuchCell
    return await cell_named(name)


@asynccontextmanager
async def _alone(organization_id: str) -> AsyncIterator[Still]:
    """Nobody else moves the organization meanwhile: answers what proves that this still holds.
    Raises AnotherMove.
    """
    async with db.connected_apart(_address(HOME), bounds=BACKUP) as home:
        if not await home.fetchval(LOCK, organization_id):
            raise AnotherMove("another process moves it right now")

        async def still() -> None:
            """Raises AnotherMove once the connection, and with it the lock, is gone."""
            try:
                await home.fetchval("SELECT 1")
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                raise AnotherMove(
                    "the connection that holds its lock was cut off; repeat this"
                ) from error

        yield still


LOCK = "SELECT pg_try_advisory_lock(hashtextextended('move of ' || $1::text, 0))"


@asynccontextmanager
async def _mover(move: Move, still: Still, tell: Tell, pauses: Pauses) -> AsyncIterator[Mover]:
    left, entered = await cell_named(move.source), await cell_named(move.target)
    async with _side(left) as source, _side(entered) as target:

        async def switch() -> None:
            with use_cell(left):
                await note_keys_of(move.organization_id)
            await place(move.organization_id, entered)

        yield Mover(move, source, target, switch=switch, still=still, tell=tell, pauses=pauses)


@asynccontextmanager
async def _side(cell: Cell) -> AsyncIterator[Side]:
    """Connections to a cell whose tables nobody changes meanwhile: their names and those of shards
    are read once. Several moves may go on. Raises SchemaChanges, MachineAway.
    """
    async with side_of(_address(cell)) as side:
        if not await side.schema.fetchval(NO_CHANGES):
            raise SchemaChanges(cell.name)
        yield side


NO_CHANGES = f"SELECT pg_try_advisory_lock_shared({LOCK_OF_SCHEMA})"


def _address(cell: Cell) -> str:
    return cell.url or settings.current().database_url
