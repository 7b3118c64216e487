"""Counting timelines: apart from reading them, because only few ask."""

from collections.abc import Collection, Sequence

from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.security.caller import Caller, Scope
from core.read_models.timeline.read_timelines import visible_sources


async def count_timelines(
    caller: Caller, contact_ids: Sequence[str], *, kinds: Collection[str] | None = None
) -> dict[str, int]:
    """How many entries each contact's timeline has in all, of the kinds that the caller may see.
    Raises Forbidden.
    """
    caller.require(Scope.CONTACTS_READ)
    sources, _ = visible_sources(caller, kinds)
    if not sources:
        return dict.fromkeys(contact_ids, 0)
    counts = [
        f"(SELECT count(*) FROM ({source.rows} AND {condition}) t)" for source, condition in sources
    ]
    rows = await db.fetch(
        f"SELECT c.id, {' + '.join(counts)} AS total FROM unnest($3::text[]) AS c (id)",
        caller.organization_id,
        caller.env,
        list(dict.fromkeys(contact_ids)),
    )
    return pairs_of(rows, "id", "total")
