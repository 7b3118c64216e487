"""Postponing claimed messages: no platform, quiet hours, or a pair that rests after a message."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeAlias

from core import organizations
from core.conversations.queue.settle import PAIR_PAUSE
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.messaging import timeouts
from core.messaging.queue.pacing import BULK
from core.messaging.queue.rows import QueuedMessage
from core.providers import registry

Postponement: TypeAlias = tuple[QueuedMessage, datetime]
"""A message, and when to look at it again."""

OwnedPair: TypeAlias = tuple[str, str, str, bytes]
"""Organization, environment, sender, and the identity of a person."""


async def postponements(taken: Sequence[QueuedMessage], *, at: datetime) -> list[Postponement]:
    """What must not leave yet, and when to look again: nobody to carry it, quiet hours, a pair that
    rests.
    """
    unserved = _without_platform(taken, at=at)
    taken = _others(taken, unserved)
    asleep = await _in_quiet_hours(taken, at=at)
    resting = await _let_pairs_rest(_others(taken, asleep), at=at)
    return [*unserved, *asleep, *resting]


def _others(
    taken: Sequence[QueuedMessage], postponed: Sequence[Postponement]
) -> Sequence[QueuedMessage]:
    ids = {one.message_id for one, _ in postponed}
    return [one for one in taken if one.message_id not in ids]


def _without_platform(taken: Sequence[QueuedMessage], *, at: datetime) -> list[Postponement]:
    """Live messages, where no platform is configured to carry them."""
    if registry.for_conversations() is not None:
        return []
    return [(one, at + timeouts.NO_PROVIDER_PAUSE) for one in taken if one.env == "live"]


async def _in_quiet_hours(taken: Sequence[QueuedMessage], *, at: datetime) -> list[Postponement]:
    """Bulk messages of organizations whose quiet hours it is, with their end."""
    bulk = [one for one in taken if one.urgency == BULK]
    quiet = await _quiet_until({(one.organization_id, one.env) for one in bulk}, at=at)
    ends = [(one, quiet.get((one.organization_id, one.env))) for one in bulk]
    return [(one, until) for one, until in ends if until is not None]


async def _quiet_until(
    owners: set[tuple[str, str]], *, at: datetime
) -> dict[tuple[str, str], datetime]:
    found = {}
    for organization_id, env in owners:
        window = await organizations.find_quiet_hours(
            system_caller(organization_id, "live" if env == "live" else "test")
        )
        if window is not None and (until := window.ends_after(at)) is not None:
            found[organization_id, env] = until
    return found


async def _let_pairs_rest(taken: Sequence[QueuedMessage], *, at: datetime) -> list[Postponement]:
    """Let the first message of each pair go, and the pair rest; answer the others with the end of
    that rest.

    Of two workers that look at a pair at once, the row lets one through.
    """
    firsts: dict[OwnedPair, QueuedMessage] = {}
    for one in taken:
        firsts.setdefault(_pair(one), one)
    if not firsts:
        return []
    free = await _begin_rest(firsts, until=at + PAIR_PAUSE, at=at)
    resting = [one for one in taken if _pair(one) not in free or firsts[_pair(one)] is not one]
    ends = await _ends_of_rest({_pair(one) for one in resting})
    return [(one, ends.get(_pair(one)) or at + PAIR_PAUSE) for one in resting]


async def _begin_rest(
    pairs: Collection[OwnedPair], *, until: datetime, at: datetime
) -> set[OwnedPair]:
    """Let those pairs rest that do not rest already, and answer them."""
    # In one order, so that two writers do not wait for each other in a circle.
    rows = await db.fetch(REST, *db.columns(sorted(pairs), 4), at, until)
    return {_key(row) for row in rows}


async def _ends_of_rest(pairs: Collection[OwnedPair]) -> dict[OwnedPair, datetime | None]:
    rows = await db.fetch_for(pairs, RESTING, *db.columns(sorted(pairs), 4))
    return {_key(row): row["next_send_at"] for row in rows}


def _key(row: db.Row) -> OwnedPair:
    return row["organization_id"], row["env"], row["sender_id"], row["identity"]


def _pair(one: QueuedMessage) -> OwnedPair:
    return one.organization_id, one.env, one.sender_id, one.identity


REST = """/* whole */
INSERT INTO conversation_pairs AS p (organization_id, env, sender_id, identity, next_send_at)
SELECT k.*, $6 FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS k
ON CONFLICT (organization_id, env, sender_id, identity) DO UPDATE SET next_send_at = excluded.next_send_at
WHERE p.next_send_at IS NULL OR p.next_send_at <= $5
RETURNING organization_id, env, sender_id, identity
"""

RESTING = """
SELECT p.organization_id, p.env, p.sender_id, p.identity, p.next_send_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS k (organization_id, env, sender_id, identity)
JOIN conversation_pairs p USING (organization_id, env, sender_id, identity)
"""
