"""Claiming deliveries: a fair part of what is due, and a probe for each failing subscription.

A claim is a lease: whoever dies with it leaves the delivery due again. Claims go from subscription to subscription
along an index, so a queue of any length costs one look when it has no places left.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from core.foundation import db
from core.webhooks.lanes import Lanes
from core.webhooks.park import park
from core.webhooks.standing import PROBE_EVERY

LEASE = timedelta(seconds=60)
"""Longer than the 15 seconds that one attempt may take, so that nobody else claims it meanwhile."""
LOOKED_AT = 1_000
"""Subscriptions with something in their queues that one claim looks at; the next one goes on behind them."""
SEEN_SECONDS = 0.1
"""For how long a look is good for: under load the next claim need not wait for one."""
PARKED_AT_ONCE = 2_000
PROBE_LEASE = timedelta(seconds=50)
"""Over before the next probe. It is not the time of that, which says that the outcome of this one is written down."""


@dataclass(slots=True)  # frozen, it would take four times as long to make
class DueDelivery:
    """All that one attempt needs, read with the claim."""

    id: str
    subscription_id: str
    organization_id: str
    env: str
    attempts: int
    is_replay: bool
    url: str
    host: str
    """With the port, as the URL has it."""
    secret_cipher: str
    headers: list[dict[str, str]]
    pii_full: bool
    api_version: str
    max_attempts: int
    backoff_seconds: int
    event_id: str
    type: str
    data: dict[str, Any]
    occurred_at: datetime
    previous_secret_cipher: str | None = None
    """Signs too while a rotation overlaps."""
    probe: bool = False
    """Of a failing subscription: it spends no attempt unless it succeeds."""


class Claims:
    """The claims of one process, which remember how far they have looked. `more`: the last one did not see all."""

    def __init__(self, subscriptions: Lanes, hosts: Lanes) -> None:
        self._subscriptions = subscriptions
        self._hosts = hosts
        self._due: list[db.Row] = []
        self._seen_until = 0.0
        self._behind = ""
        self.more = False

    async def take(self, *, at: datetime, limit: int, scarce: bool = False) -> list[DueDelivery]:
        """Lease due deliveries; several workers never get the same one.

        Of more subscriptions than there are places, those come first that have waited longest. What is due for
        subscriptions that must not be called is set aside.
        """
        fresh = not self._due or time.monotonic() >= self._seen_until
        if fresh:
            await self._look(at=at)
        wanted = shares(self._rooms(self._due, scarce=scarce), limit)
        rows = await db.fetch(TAKE, at, at + LEASE, list(wanted), list(wanted.values())) if wanted else []
        claimed = [DueDelivery(*row) for row in rows]
        came = Counter(due.subscription_id for due in claimed)
        self._due = [row for row in self._due if claimed and came[row["id"]] >= wanted.get(row["id"], 0)]
        self.more = bool(self._behind) or not (fresh or claimed)
        return claimed

    async def _look(self, *, at: datetime) -> None:
        """See who has something due; what must not be delivered does not get in the way again."""
        waiting = await db.fetch(WAITING, self._behind, LOOKED_AT)
        self._behind = waiting[-1]["id"] if len(waiting) == LOOKED_AT else ""
        self._seen_until = time.monotonic() + SEEN_SECONDS
        due = sorted((row for row in waiting if row["due_at"] <= at), key=lambda row: row["due_at"])
        if orphans := [row["id"] for row in due if row["status"] is None]:
            await db.execute(DROP_ORPHANS, orphans, at)
        if silent := [row["id"] for row in due if row["status"] not in (None, "active")]:
            await park(silent, at=at, most=PARKED_AT_ONCE)
        self._due = [row for row in due if row["status"] == "active"]

    def _rooms(self, due: list[db.Row], *, scarce: bool) -> dict[str, int]:
        """The places of each subscription; what they have together at one host does not exceed the host's."""
        hosts: dict[str, dict[str, int]] = {}
        for row in due:
            if room := self._subscriptions.room(row["id"], scarce=scarce):
                hosts.setdefault(row["host"], {})[row["id"]] = room
        rooms: dict[str, int] = {}
        for host, wanted in hosts.items():
            rooms |= shares(wanted, self._hosts.room(host, scarce=scarce))
        return {row["id"]: rooms[row["id"]] for row in due if row["id"] in rooms}


def shares(rooms: Mapping[str, int], limit: int) -> dict[str, int]:
    """`limit` places among those who have room, evenly, and to the first ones if there are not enough."""
    wanted: dict[str, int] = {}
    left = limit
    for place, (name, room) in enumerate(rooms.items()):
        if left <= 0:
            break
        wanted[name] = min(room, max(1, left // (len(rooms) - place)))
        left -= wanted[name]
    for name, taken in wanted.items():
        more = min(left, rooms[name] - taken)
        wanted[name] = taken + more
        left -= more
    return wanted


async def hand_back(claimed: Sequence[DueDelivery], *, at: datetime) -> None:
    """Make due again at once what was claimed and not begun."""
    await db.execute(HAND_BACK, [one.id for one in claimed], [one.attempts for one in claimed], at)


async def claim_probes(*, at: datetime, limit: int) -> list[DueDelivery]:
    """Lease the oldest unfinished delivery of each failing subscription whose next probe has come.

    One that has nothing to deliver is looked at again when its next probe would be.
    """
    rows = await db.fetch(PROBES, at, limit, at + PROBE_EVERY, at + PROBE_LEASE)
    return [replace(DueDelivery(*row), probe=True) for row in rows]


# From one subscription to the next along (subscription_id, due_at): two steps for each, whatever its queue holds.
WAITING = """
WITH RECURSIVE waiting AS (
    (SELECT subscription_id, due_at FROM webhook_deliveries
     WHERE due_at IS NOT NULL AND subscription_id > $1 ORDER BY subscription_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM waiting w CROSS JOIN LATERAL (
        SELECT d.subscription_id, d.due_at FROM webhook_deliveries d
        WHERE d.due_at IS NOT NULL AND d.subscription_id > w.subscription_id
        ORDER BY d.subscription_id, d.due_at LIMIT 1
    ) AS next
)
SELECT w.subscription_id AS id, w.due_at, s.status, substring(s.url FROM '//([^/?#]*)') AS host
FROM (SELECT * FROM waiting LIMIT $2) AS w LEFT JOIN webhook_subscriptions s ON s.id = w.subscription_id
"""

_COLUMNS = """
SELECT d.id, d.subscription_id, d.organization_id, d.env, d.attempts, d.is_replay,
       s.url, substring(s.url FROM '//([^/?#]*)'), s.secret_cipher, s.headers, s.pii_full, s.api_version,
       s.max_attempts, s.backoff_seconds, e.id, e.type, e.data, e.occurred_at,
       CASE WHEN s.previous_secret_until > $1 THEN s.previous_secret_cipher END
"""

# A lease need not outlive a crash of the server: nobody waits for the disk.
TAKE = f"""
WITH volatile AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), chosen AS (
    SELECT d.id FROM volatile CROSS JOIN unnest($3::text[], $4::int[]) AS r (id, room)
    JOIN webhook_subscriptions s ON s.id = r.id AND s.status = 'active'
    CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.subscription_id = r.id AND d.due_at <= $1
        ORDER BY d.due_at LIMIT r.room FOR UPDATE OF d SKIP LOCKED
    ) AS d
), leased AS (
    UPDATE webhook_deliveries d SET due_at = $2 FROM chosen c WHERE d.id = c.id RETURNING d.*
)
{_COLUMNS}
FROM leased d JOIN webhook_subscriptions s ON s.id = d.subscription_id JOIN webhook_events e ON e.id = d.event_id
"""

HAND_BACK = """
UPDATE webhook_deliveries d SET due_at = least(d.due_at, $3)
FROM unnest($1::text[], $2::int[]) AS c (id, attempts)
WHERE d.id = c.id AND d.attempts = c.attempts AND d.due_at IS NOT NULL
"""

# Queued while their subscription was being removed.
DROP_ORPHANS = """
WITH dropped AS (
    DELETE FROM webhook_deliveries d
    WHERE d.subscription_id = ANY ($1::text[]) AND d.due_at <= $2
      AND NOT EXISTS (SELECT FROM webhook_subscriptions s WHERE s.id = d.subscription_id)
    RETURNING d.id
)
DELETE FROM webhook_attempts a USING dropped d WHERE a.delivery_id = d.id
"""

# Rows of subscriptions are locked before rows of deliveries here, and after them where outcomes are written: so
# nobody waits for the second.
PROBES = f"""
WITH come AS (
    SELECT id FROM webhook_subscriptions WHERE probe_at <= $1 AND status = 'failing'
    ORDER BY probe_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
    UPDATE webhook_subscriptions s SET probe_at = $3 FROM come c WHERE s.id = c.id RETURNING s.*
), oldest AS (
    SELECT o.id FROM taken t CROSS JOIN LATERAL (
        (SELECT d.id, d.created_at FROM webhook_deliveries d
         WHERE d.subscription_id = t.id AND d.due_at IS NULL AND d.status IN ('pendente', 'falhando')
         ORDER BY d.created_at LIMIT 1)
        UNION ALL
        (SELECT d.id, d.created_at FROM webhook_deliveries d
         WHERE d.subscription_id = t.id AND d.due_at IS NOT NULL
         -- Not along the index of all deliveries: those that are over stand in front of these there.
         ORDER BY d.created_at + interval '0' LIMIT 1)
        ORDER BY created_at LIMIT 1
    ) AS o
), free AS (
    SELECT d.id FROM webhook_deliveries d JOIN oldest o ON o.id = d.id
    WHERE d.status IN ('pendente', 'falhando') FOR UPDATE OF d SKIP LOCKED
), leased AS (
    UPDATE webhook_deliveries d SET due_at = $4 FROM free f WHERE d.id = f.id RETURNING d.*
)
{_COLUMNS}
FROM leased d JOIN taken s ON s.id = d.subscription_id JOIN webhook_events e ON e.id = d.event_id
"""
