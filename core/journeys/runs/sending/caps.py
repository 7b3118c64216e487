"""Frequency caps: at most so many messages of journeys to a contact within so many days.

Whoever sends takes a place in the row of the contact, which stays locked until the message is
committed: of two workers that come at once, the second counts what the first has taken.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.foundation.security.caller import Caller

KEPT = timedelta(days=90)
"""How long a message counts at most, whatever is configured later."""

OF_ALL = ""
"""The scope of what holds over all journeys of an organization."""


@dataclass(frozen=True, slots=True)
class Cap:
    """At most `most` messages within `window`; counted in a scope: a lineage, or all journeys."""

    scope: str
    most: int
    window: timedelta

    @classmethod
    def read(cls, scope: str, stored: Mapping[str, Any] | None) -> "list[Cap]":
        """The cap as it is stored; none where there is none."""
        if not stored:
            return []
        return [cls(scope, stored["mensagens"], timedelta(days=stored["dias"]))]


async def take_places(
    caller: Caller, caps: Sequence[Cap], contact_ids: Sequence[str], *, at: datetime
) -> dict[int, datetime]:
    """Take a place for a message to each contact, under every cap. Answers, by its place in the
    list, who gets none, and from when on there is one. A contact may stand there several times.

    Caps are asked in one order, and contacts within them too, so that two workers do not wait for
    each other in a circle.
    """
    without: dict[int, datetime] = {}
    asking = list(range(len(contact_ids)))
    for number, cap in enumerate(caps):
        refused = await _take(caller, cap, contact_ids, asking, at=at)
        for before in caps[:number]:
            await give_back(before.scope, [contact_ids[place] for place in refused], at=at)
        without |= refused
        asking = [place for place in asking if place not in refused]
    return without


async def _take(
    caller: Caller, cap: Cap, contact_ids: Sequence[str], asking: Sequence[int], *, at: datetime
) -> dict[int, datetime]:
    """Take a place under one cap, in rounds where a contact is asked for more than once."""
    refused: list[int] = []
    for round_ in _rounds(contact_ids, asking):
        owner = (caller.organization_id, caller.env)
        wanted = [contact_ids[place] for place in round_]
        rows = await db.fetch(TAKE, *owner, wanted, cap.scope, at, cap.window, cap.most, KEPT)
        taken = set(column(rows, "contact_id"))
        refused += [place for place in round_ if contact_ids[place] not in taken]
    if not refused:
        return {}
    full = sorted({contact_ids[place] for place in refused})
    rows = await db.fetch(FREE_AT, full, cap.scope, cap.window, cap.most)
    free = pairs_of(rows, "contact_id", "free_at")
    return {place: free.get(contact_ids[place]) or at + cap.window for place in refused}


def _rounds(contact_ids: Sequence[str], asking: Sequence[int]) -> Iterator[list[int]]:
    """The places, so that no contact stands in a round twice."""
    left = list(asking)
    while left:
        round_: dict[str, int] = {}
        for place in left:
            round_.setdefault(contact_ids[place], place)
        yield list(round_.values())
        left = [place for place in left if round_[contact_ids[place]] != place]


async def give_back(scope: str, contact_ids: Sequence[str], *, at: datetime) -> None:
    """Give the places back that were taken at this moment for nothing."""
    left = sorted(contact_ids)
    while left:
        once = list(dict.fromkeys(left))
        await db.execute(GIVE_BACK, once, scope, at)
        for id in once:
            left.remove(id)


async def give_back_unsent(message_ids: Collection[str]) -> None:
    """Give the places back of these messages, where none of their run and step ever left."""
    ids = [id for id in message_ids if id.startswith("msg_")]  # a dispatch is not taken back
    rows = await db.fetch_for(ids, UNSENT, ids)
    taken: defaultdict[tuple[str, datetime], list[str]] = defaultdict(list)
    for row in rows:
        taken[row["lineage_id"], row["capped_at"]].append(row["contact_id"])
    for (lineage, at), contact_ids in sorted(taken.items()):
        for scope in (lineage, OF_ALL):
            await give_back(scope, contact_ids, at=at)


UNSENT = """
SELECT r.contact_id, r.lineage_id, min(e.capped_at) AS capped_at
FROM (SELECT DISTINCT run_id, seq FROM journey_effects WHERE ref = ANY ($1::text[])) AS a
JOIN journey_effects e ON e.run_id = a.run_id AND e.seq = a.seq AND e.kind LIKE 'm%'
JOIN journey_runs r ON r.id = a.run_id AND r.organization_id = e.organization_id
LEFT JOIN messages m ON m.id = e.ref AND m.organization_id = e.organization_id
GROUP BY r.id
HAVING min(e.capped_at) IS NOT NULL AND bool_and(coalesce(m.status = 'failed' AND m.sent_at IS NULL, false))
"""

TAKE = """/* whole */
INSERT INTO contact_caps AS k (organization_id, env, contact_id, scope, sent, updated_at)
SELECT $1, $2, asked.id, $4, ARRAY[$5::timestamptz], $5
FROM (SELECT id FROM unnest($3::text[]) AS a (id) ORDER BY id) AS asked
WHERE $7::int > 0
ON CONFLICT (contact_id, scope) DO UPDATE
SET sent = ARRAY(SELECT s FROM unnest(k.sent) AS s WHERE s > $5::timestamptz - $8::interval ORDER BY s) || $5::timestamptz,
    updated_at = $5
WHERE (SELECT count(*) FROM unnest(k.sent) AS s WHERE s > $5::timestamptz - $6::interval) < $7::int
  AND k.organization_id = $1
RETURNING contact_id
"""

FREE_AT = """
SELECT contact_id, (SELECT s FROM unnest(sent) AS s ORDER BY s DESC OFFSET $4::int - 1 LIMIT 1) + $3::interval AS free_at
FROM contact_caps WHERE contact_id = ANY ($1::text[]) AND scope = $2
"""

# In the order in which places are taken.
GIVE_BACK = """
WITH held AS MATERIALIZED (
    SELECT id FROM contact_caps WHERE contact_id = ANY ($1::text[]) AND scope = $2 ORDER BY contact_id FOR UPDATE
)
UPDATE contact_caps k
SET sent = ARRAY(
    SELECT t.s FROM unnest(k.sent) WITH ORDINALITY AS t (s, place)
    WHERE t.place IS DISTINCT FROM (
        SELECT max(u.place) FROM unnest(k.sent) WITH ORDINALITY AS u (s, place) WHERE u.s = $3::timestamptz)
    ORDER BY t.place)
FROM held WHERE k.id = held.id
"""
