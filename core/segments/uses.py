"""What uses segments. Journeys and pushes stand above segments: they say how they are counted."""

from core.foundation.database import db
from core.foundation.records import keys_of
from core.foundation.security.caller import Caller
from core.segments.record import UNUSED, SegmentUse

_uses: dict[str, str] = {}


def counted_among_uses(name: str, uses: str) -> None:
    """Register the SQL of all uses of an owner's ($1, $2) segments, under a key of `inUse`: with the id
    of the segment as `segment_id`, once for each that uses it.
    """
    _uses[name] = uses


def in_use(segment: str) -> str:
    """The SQL of the uses of a segment of the owner's, by the alias of its table, as JSON.

    All uses are looked up once for a statement, however many segments it shows: to look for those of
    each would be many times the work.
    """
    counts = (
        f"'{name}', coalesce(((SELECT jsonb_object_agg(segment_id, many) FROM ("
        f"SELECT segment_id, count(*) AS many FROM ({_uses[name]}) AS u GROUP BY 1) AS used) -> {segment}.id)::int, 0)"
        for name in keys_of(SegmentUse)
    )
    return f"jsonb_build_object({', '.join(counts)})"


async def uses_of(caller: Caller, id: str) -> SegmentUse:
    """How many journeys and dispatches use a segment of the caller."""
    found: SegmentUse | None = await db.fetchval(
        f"SELECT {in_use('s')} FROM segments s "
        "WHERE s.organization_id = $1 AND s.env = $2 AND s.id = $3",
        caller.organization_id,
        caller.env,
        id,
    )
    return UNUSED if found is None else found
