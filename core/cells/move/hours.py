"""Hours whose statistics are closed: an organization enters a cell that has closed as many as its own.

A closed hour is counted once and stands beside its messages; with fewer in the other cell it would be
counted again, with more it would be missed.
"""

from core.cells.move.copying import Pair
from core.cells.move.errors import HoursDiffer
from core.foundation.database.address import Connection


async def take_over(source: Connection, target: Connection) -> None:
    """Let a cell in which nobody has sent anything yet take over what the other says."""
    closed = await source.fetchval("SELECT closed_until FROM closed_hours")
    if closed is not None:
        await target.execute(
            "INSERT INTO closed_hours (id, closed_until) VALUES (1, $1) ON CONFLICT DO NOTHING",
            closed,
        )


async def must_agree(pair: Pair) -> None:
    """Raises HoursDiffer unless both cells have closed the same hours; the target closes none until the
    transaction ends.
    """
    there = await pair.target.fetchval("SELECT closed_until FROM closed_hours FOR UPDATE")
    if await pair.source.fetchval("SELECT closed_until FROM closed_hours") != there:
        raise HoursDiffer
