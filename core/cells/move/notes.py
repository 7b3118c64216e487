"""What the home notes of a move: that it began, each step that is done, and that it ended."""

from dataclasses import dataclass

from core.cells.move.errors import AnotherMove
from core.cells.move.models import MoveStep, OrganizationMove
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.cell import HOME, use_cell


@dataclass(frozen=True, slots=True)
class Move:
    """A row of `organization_moves`."""

    id: int
    organization_id: str
    source: str
    target: str
    step: MoveStep
    copied: tuple[str, ...]
    since: int | None
    rows: int | None
    writes_waited_ms: int | None


def move_of(row: db.Row) -> Move:
    """From a row of the table."""
    return Move(
        row["id"],
        row["organization_id"],
        row["source"],
        row["target"],
        MoveStep(row["step"]),
        tuple(row["copied"]),
        row["since"],
        row["rows"],
        row["writes_waited_ms"],
    )


async def open_move(organization_id: str) -> Move | None:
    """The move of an organization that has not ended."""
    with use_cell(HOME):
        found = await OrganizationMove.get_or_none(
            organization_id=organization_id, ended_at__isnull=True
        )
    return None if found is None else move_of(vars(found))


async def note_begun(organization_id: str, source: str, target: str) -> Move:
    """Note that an organization is to move from one cell into another."""
    at = real_now()
    with use_cell(HOME):
        begun = await OrganizationMove.create(
            organization_id=organization_id,
            source=source,
            target=target,
            step=MoveStep.PREPARING,
            began_at=at,
            changed_at=at,
        )
    return move_of(vars(begun))


async def note(
    move: Move,
    *,
    step: MoveStep | None = None,
    copied: str | None = None,
    since: int | None = None,
    rows: int | None = None,
    writes_waited_ms: int | None = None,
    ended: bool = False,
) -> Move:
    """Note what is done of a move that stands where `move` says. Raises AnotherMove where it does
    not.
    """
    at = real_now()
    done = (step, copied, since, rows, writes_waited_ms)
    ended_at = at if ended else None
    return await _keep(NOTE, move, *done, at, ended_at)


async def note_anew(move: Move, step: MoveStep) -> Move:
    """Note that a move begins again at a step, with nothing copied. Raises AnotherMove as `note`
    does.
    """
    return await _keep(ANEW, move, step, real_now())


async def _keep(statement: str, move: Move, *values: object) -> Move:
    with use_cell(HOME):
        row = await db.fetchrow(statement, move.id, move.step, move.organization_id, *values)
    if row is None:
        raise AnotherMove("another process goes on with this move")
    return move_of(row)


NOTE = """
UPDATE organization_moves
SET step = coalesce($4, step), copied = CASE WHEN $5::text IS NULL THEN copied ELSE array_append(copied, $5::text) END,
    since = coalesce($6, since), rows = coalesce($7, rows), writes_waited_ms = coalesce($8, writes_waited_ms),
    changed_at = $9, ended_at = coalesce($10, ended_at)
WHERE id = $1 AND step = $2 AND organization_id = $3
RETURNING *
"""

ANEW = """
UPDATE organization_moves SET step = $4, copied = '{}', since = NULL, rows = NULL, changed_at = $5
WHERE id = $1 AND step = $2 AND organization_id = $3
RETURNING *
"""
