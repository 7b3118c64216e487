"""What uses segments. Journeys and pushes stand above segments: they say how they are counted."""

from core.foundation.database import db
from core.foundation.records import keys_of
from core.foundation.security.caller import Caller
from core.segments.record import UNUSED, SegmentUse

_counts: dict[str, str] = {}


def counted_among_uses(name: str, count: str) -> None:
    """Register the SQL that counts what uses a segment, `{t}`, under a key of `inUse`."""
    _counts[name] = count


def in_use(segment: str) -> str:
    """The SQL of the uses of a segment, by the alias of its table, as JSON."""
    counts = (f"'{name}', ({_counts[name].format(t=segment)})" for name in keys_of(SegmentUse))
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
