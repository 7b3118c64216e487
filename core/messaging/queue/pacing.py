"""Pacing of the queue: priorities, and fair shares of what may leave now."""

import math
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from core.messaging.models import MessagePriority
from core.messaging.queue.claim import Quota

BULK_SHARE = 0.1
"""What bulk messages get of a sender's messages, whatever else is waiting."""

FORCED, CRITICAL, NORMAL, BULK = -1, 0, 1, 2
"""Urgencies. Forced messages go before all others, and past every bucket."""

URGENCY = {
    MessagePriority.CRITICAL: CRITICAL,
    MessagePriority.NORMAL: NORMAL,
    MessagePriority.BULK: BULK,
}


class Due(Protocol):
    """A sender for which something is due: how much of each urgency, counted up to a bound."""

    @property
    def id(self) -> str: ...
    @property
    def forced(self) -> int: ...
    @property
    def critical(self) -> int: ...
    @property
    def normal(self) -> int: ...
    @property
    def bulk(self) -> int: ...


Sender = TypeVar("Sender", bound=Due)

TakeTokens: TypeAlias = Callable[[Sequence[Sender], dict[str, int]], Awaitable[Mapping[str, int]]]
"""Takes so many tokens for each sender, by its id; answers how many it got."""


class Pacing(Generic[Sender]):
    """Divides slots among senders. It remembers what bulk is owed where tokens are too few to be
    divided.
    """

    def __init__(self, take: TakeTokens[Sender]) -> None:
        self._take = take
        self._owed: dict[str, float] = defaultdict(float)

    async def allot(
        self, senders: Sequence[Sender], *, slots: int, most: Mapping[str, int] | None = None
    ) -> list[Quota]:
        """What each may send, `slots` messages in all: nobody's backlog takes another's place, and
        what one does not need goes to the others. Forced messages need no token. `most`: what a
        sender may have at all.
        """
        bounds = {} if most is None else most
        wanted = {
            one.id: min(one.forced + _paced(one), bounds.get(one.id, slots)) for one in senders
        }
        shares = fair_shares(wanted, slots)
        forced = {one.id: min(one.forced, shares[one.id]) for one in senders}
        granted = await self._take(
            senders, {one.id: min(_paced(one), shares[one.id] - forced[one.id]) for one in senders}
        )
        quotas: list[Quota] = []
        for one in senders:
            counts = {FORCED: forced[one.id], **self._divided(one, granted[one.id])}
            quotas += [Quota(one.id, urgency, count) for urgency, count in counts.items() if count]
        return quotas

    def _divided(self, sender: Sender, tokens: int) -> dict[int, int]:
        """Critical before normal before bulk; but bulk that waits gets its tenth."""
        if not sender.bulk:
            self._owed.pop(sender.id, None)
            owed = 0
        else:
            self._owed[sender.id] += tokens * BULK_SHARE
            # A little more than nothing: a tenth ten times is not quite one.
            owed = int(self._owed[sender.id] + 1e-9)
        bulk = min(sender.bulk, tokens, max(owed, tokens - sender.critical - sender.normal))
        if owed:
            self._owed[sender.id] = max(0.0, self._owed[sender.id] - bulk)
        critical = min(sender.critical, tokens - bulk)
        return {
            CRITICAL: critical,
            NORMAL: min(sender.normal, tokens - bulk - critical),
            BULK: bulk,
        }


def _paced(sender: Due) -> int:
    """What needs a token."""
    return sender.critical + sender.normal + sender.bulk


def fair_shares(wanted: Mapping[str, int], slots: int) -> dict[str, int]:
    """Divide a slots: who wants least is served first, so that what it leaves is there for the
    others.
    """
    shares: dict[str, int] = {}
    for place, (id, count) in enumerate(sorted(wanted.items(), key=lambda item: item[1])):
        shares[id] = min(count, math.ceil(slots / (len(wanted) - place)))
        slots -= shares[id]
    return shares


FEW = 1_000
"""So many messages that are due tell their senders themselves."""

# Where few are due at $1, their senders; else from sender to sender by the index, however long the backlog of one is:
# many of them may have something that waits for later.
DUE_SENDERS = f"""
WITH RECURSIVE few AS MATERIALIZED (
    SELECT sender_id FROM waiting_messages WHERE due_at <= $1 ORDER BY due_at LIMIT {FEW + 1}
), walk AS (
    (SELECT sender_id FROM waiting_messages WHERE (SELECT count(*) > {FEW} FROM few) ORDER BY sender_id LIMIT 1)
    UNION ALL
    SELECT (SELECT w.sender_id FROM waiting_messages w WHERE w.sender_id > s.sender_id ORDER BY w.sender_id LIMIT 1)
    FROM walk s WHERE s.sender_id IS NOT NULL
), sender AS (
    SELECT sender_id FROM walk
    UNION ALL
    SELECT DISTINCT sender_id FROM few WHERE (SELECT count(*) <= {FEW} FROM few)
)"""

# Of each sender `k`, what is due at $1 of each urgency, $2 counted at most.
DUE_COUNTS = """
CROSS JOIN LATERAL (
    SELECT coalesce(sum(n) FILTER (WHERE u = -1), 0)::int AS forced,
           coalesce(sum(n) FILTER (WHERE u = 0), 0)::int AS critical,
           coalesce(sum(n) FILTER (WHERE u = 1), 0)::int AS normal,
           coalesce(sum(n) FILTER (WHERE u = 2), 0)::int AS bulk
    FROM unnest(ARRAY[-1, 0, 1, 2]) AS u
    CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM (
            SELECT FROM waiting_messages w
            WHERE w.sender_id = k.id AND w.urgency = u AND w.due_at <= $1 LIMIT $2) AS due) AS counted
) AS c
WHERE c.forced + c.critical + c.normal + c.bulk > 0
"""
