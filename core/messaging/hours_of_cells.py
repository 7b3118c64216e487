"""Hours whose statistics are closed, in two cells: an organization enters one that has closed as
many as its own.

A closed hour is counted once and stands beside its messages; with fewer in the other cell it would
be counted again, with more it would be missed.
"""

from core.foundation.database.address import Connection
from core.messaging.hours import THE_ROW


async def take_over_hours(source: Connection, target: Connection) -> None:
    """Let a cell in which nobody has sent anything yet take over what the other says."""
    closed = await source.fetchval(CLOSED)
    if closed is not None:
        await target.execute(TAKE_OVER, THE_ROW, closed)


async def have_same_hours(source: Connection, target: Connection) -> bool:
    """Whether both cells have closed the same hours; the target closes none until its transaction
    ends.
    """
    there = await target.fetchval(f"{CLOSED} FOR UPDATE")
    return bool(await source.fetchval(CLOSED) == there)


CLOSED = "SELECT closed_until FROM closed_hours"

TAKE_OVER = "INSERT INTO closed_hours (id, closed_until) VALUES ($1, $2) ON CONFLICT DO NOTHING"
