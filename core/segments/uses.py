"""What uses segments. Journeys and pushes stand above segments: they say how they are counted."""

from core.foundation.database import db
from core.foundation.records import keys_of
from core.foundation.security.caller import Caller
from core.segments.record import UNUSED, SegmentUse

_counts: dict[str, tuple[str, str]] = {}


def counted_among_uses(name: str, count: str, uses: str) -> None:
    """Register the SQL that counts what uses a segment, `{t}`, under a key of `inUse`.

    `uses`: the SQL of all uses of an owner's ($1, $2), with the id of the segment as `segment_id`, once
    for each that uses it. A list joins it: to look for each of its segments would be many times the work.
    """
    _counts[name] = (count, uses)


def in_use(segment: str) -> str:
    """The SQL of the uses of a segment, by the alias of its table, as JSON."""
    counts = (f"'{name}', ({_counts[name][0].format(t=segment)})" for name in keys_of(SegmentUse))
    return f"jsonb_build_object({', '.join(counts)})"


def with_uses() -> str:
    """The SQL that selects segments, `s`, with their uses as `in_use`."""
    names = list(keys_of(SegmentUse))
    counts = ", ".join(f"'{name}', coalesce({name}.many, 0)" for name in names)
    joins = "".join(
        f" LEFT JOIN (SELECT segment_id, count(*) AS many FROM ({_counts[name][1]}) AS u GROUP BY 1 OFFSET 0) AS {name}"
        f" ON {name}.segment_id = s.id"
        for name in names
    )
    return f"SELECT s.*, jsonb_build_object({counts}) AS in_use FROM segments s{joins}"


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
