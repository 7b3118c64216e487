"""Moves that nobody goes on with: whoever made them was killed, or stopped them."""

from dataclasses import dataclass
from datetime import datetime

from core.cells.directory import MOVING
from core.cells.move.models import UNDOABLE, MoveStep
from core.foundation.database import db
from core.foundation.database.cell import HOME, use_cell
from core.foundation.database.rows import column


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A move that is not done and that no process works on, and for how long."""

    organization_id: str
    source: str
    target: str
    step: MoveStep
    minutes: int

    @property
    def shuts_out(self) -> bool:
        """Whether the organization is answered 503 until somebody goes on."""
        return self.step is MoveStep.SWITCHING

    @property
    def told(self) -> str:
        """Where it stands, and the commands that end it."""
        undo = f"`svc org move {self.organization_id} --undo` leaves it in {self.source}"
        go_on = f"`svc org move {self.organization_id} {self.target}` goes on"
        ways = [
            *([go_on] if self.step is not MoveStep.UNDOING else []),
            *([undo] if self.step in UNDOABLE else []),
        ]
        return (
            f"{self.organization_id} stopped {self.minutes} min ago at {self.step} on its way from "
            f"{self.source} to {self.target}: {', '.join(ways)}"
        )


async def left_over_moves(*, at: datetime) -> list[LeftOver]:
    """All of them, the oldest first."""
    with use_cell(HOME):
        rows = await db.fetch(LEFT_OVER, at)
        names = column(rows, "organization_id")
        worked_on = {id for (id,) in await db.fetch(WORKED_ON, names)} if names else set()
    return [
        LeftOver(
            row["organization_id"],
            row["source"],
            row["target"],
            MoveStep(row["step"]),
            row["minutes"],
        )
        for row in rows
        if row["organization_id"] not in worked_on
    ]


async def moves_under_way(database_url: str) -> list[str]:
    """The organizations that are being moved, by a home whose pools are not open and whose schema
    may be an older one.
    """
    async with db.connected_apart(database_url) as connection:
        if not await connection.fetchval(KNOWS_MOVES):
            return []
        return column(await connection.fetch(MOVING), "organization_id")


KNOWS_MOVES = "SELECT to_regclass('organization_moves') IS NOT NULL"

LEFT_OVER = """
SELECT m.organization_id, m.source, m.target, m.step,
       greatest(0, extract(epoch FROM $1::timestamptz - m.changed_at) / 60)::int AS minutes
FROM organization_moves m
WHERE m.ended_at IS NULL
ORDER BY m.id
"""

# Whoever works on one holds a lock of a session: it goes when the process does. Looked up apart: on Citus the lock
# is at the coordinator, and the row is not.
WORKED_ON = """
SELECT id FROM unnest($1::text[]) AS id JOIN pg_locks l
  ON (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('move of ' || id, 0)
WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
  AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
"""
