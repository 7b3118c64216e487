"""Claiming due deliveries by lease: a fair share for each subscription, and half-open probes.

A claim is a lease: whoever dies with it leaves the delivery due again. DeliveryClaimer go from subscription
to subscription along an index, so a queue of any length costs one look when it has no slots left.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.moved_clocks import may_drain, narrowed
from core.webhooks.creator import SEES_PERSONAL_DATA
from core.webhooks.delivery.bulkhead import OrganizationBulkhead
from core.webhooks.delivery.circuit_breaker import PROBE_INTERVAL
from core.webhooks.delivery.concurrency import MAX_TRACKED, AdaptiveConcurrencyLimiter, host_key
from core.webhooks.delivery.pause import pause_queues
from core.webhooks.delivery.unconfirmed import (
    UnconfirmedTarget,
    host_of,
    postpone,
    refund,
    reserve,
)

LEASE = timedelta(seconds=60)
"""Longer than the 15 seconds that one attempt may take, so that nobody else claims it meanwhile."""
SCAN_BATCH_SIZE = 1_000
"""Subscriptions with something in their queues that one claim looks at; the next one goes on behind
them.
"""
SCAN_TTL_SECONDS = 0.1
"""For how long a look is good for: under load the next claim need not wait for one."""
PAUSE_BATCH_SIZE = 2_000
PROBE_LEASE = timedelta(seconds=50)
"""Over before the next probe. It is not the time of that, which says that the outcome of this one
is saved.
"""


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


class DeliveryClaimer:
    """The claims of one process, which remember how far they have looked.

    `more`: the last one did not see all.
    """

    def __init__(
        self,
        subscriptions: AdaptiveConcurrencyLimiter,
        hosts: AdaptiveConcurrencyLimiter,
        bulkhead: OrganizationBulkhead,
    ) -> None:
        self._subscriptions = subscriptions
        self._hosts = hosts
        self._bulkhead = bulkhead
        self._due: list[db.Row] = []
        self._scanned_until = 0.0
        self._behind = ""
        self._confirmed: set[str] = set()
        self.more = False

    async def claim(self, *, at: datetime, limit: int, scarce: bool = False) -> list[DueDelivery]:
        """Lease due deliveries; several workers never get the same one.

        Of more subscriptions than there are slots, those come first that have waited longest. What
        is due for subscriptions that must not be called is paused.
        """
        fresh = not self._due or time.monotonic() >= self._scanned_until
        if fresh:
            await self._scan(at=at)
        wanted = fair_shares(self._available(self._due, scarce=scarce), limit)
        unconfirmed = await self._unconfirmed(wanted, at=at)
        allowed = wanted
        if unconfirmed:
            allowed = {**wanted, **await self._reserved(unconfirmed, at=at)}
        claimed = await lease(allowed, at=at)
        received = Counter(due.subscription_id for due in claimed)
        unused = {target.id: allowed[target.id] - received[target.id] for target in unconfirmed}
        await refund(unconfirmed, unused, at=at)
        self._drop_exhausted(wanted, received)
        self.more = bool(self._behind) or not (fresh or claimed)
        return claimed

    def _drop_exhausted(self, wanted: Mapping[str, int], received: Mapping[str, int]) -> None:
        """Leave out those that had less due than they could have, until the next scan."""
        if not received:
            self._due = []
        self._due = [
            row for row in self._due if received.get(row["id"], 0) >= wanted.get(row["id"], 0)
        ]

    async def _scan(self, *, at: datetime) -> None:
        """See who has something due; what must not be delivered does not get in the way again."""
        waiting = await db.fetch(WAITING, self._behind, SCAN_BATCH_SIZE)
        self._behind = waiting[-1]["id"] if len(waiting) == SCAN_BATCH_SIZE else ""
        self._scanned_until = time.monotonic() + SCAN_TTL_SECONDS
        due = sorted(
            (
                row
                for row in waiting
                # One without its subscription has no owner any more: anybody drops it.
                if row["due_at"] <= at
                and (row["status"] is None or may_drain(row["organization_id"], row["env"]))
            ),
            key=lambda row: row["due_at"],
        )
        if orphans := [row["id"] for row in due if row["status"] is None]:
            await db.execute(DROP_ORPHANS, orphans, at)
        if stopped := [row["id"] for row in due if row["status"] not in (None, "active")]:
            await pause_queues(stopped, at=at, limit=PAUSE_BATCH_SIZE)
        self._due = [row for row in due if row["status"] == "active"]

    def note_success(self, subscription_id: str) -> None:
        """An attempt succeeded: its address is confirmed as soon as that is saved, and here already
        now.
        """
        if len(self._confirmed) >= MAX_TRACKED:
            self._confirmed.clear()
        self._confirmed.add(subscription_id)

    async def _unconfirmed(
        self, wanted: Mapping[str, int], *, at: datetime
    ) -> list[UnconfirmedTarget]:
        """Who of them has to ask first, each for no more attempts than it has deliveries due."""
        rows = [row for row in self._due if row["id"] in wanted and not self._is_confirmed(row)]
        if not rows:
            return []
        ids = [row["id"] for row in rows]
        counts = await db.fetch(DUE_NOW, ids, [wanted[id] for id in ids], at)
        due = {row["id"]: row["due"] for row in counts}
        return [
            UnconfirmedTarget(
                row["id"], row["organization_id"], host_of(row["host"]), due[row["id"]]
            )
            for row in rows
        ]

    def _is_confirmed(self, row: HasColumns) -> bool:
        return bool(row["confirmed"]) or row["id"] in self._confirmed

    async def _reserved(
        self, unconfirmed: Sequence[UnconfirmedTarget], *, at: datetime
    ) -> dict[str, int]:
        """What they may have; those that may have nothing for long are postponed."""
        granted, later = await reserve(unconfirmed, at=at)
        if later:
            await postpone(later, at=at, limit=PAUSE_BATCH_SIZE)
        return {target.id: granted.get(target.id, 0) for target in unconfirmed}

    def _available(self, due: list[db.Row], *, scarce: bool) -> dict[str, int]:
        """How many attempts each subscription may begin.

        What an organization's have together at a host does not exceed the limit there, and what it
        has at risk not its bulkhead.
        """
        hosts: dict[str, dict[str, int]] = {}
        for row in due:
            if count := self._subscriptions.available(row["id"], scarce=scarce):
                key = host_key(row["organization_id"], row["host"])
                hosts.setdefault(key, {})[row["id"]] = count
        available: dict[str, int] = {}
        for key, wanted in hosts.items():
            available |= fair_shares(wanted, self._hosts.available(key, scarce=scarce))
        self._apply_bulkhead(due, available)
        return {row["id"]: available[row["id"]] for row in due if row["id"] in available}

    def _apply_bulkhead(self, due: list[db.Row], available: dict[str, int]) -> None:
        """Leave each organization no more attempts at slow and unknown receivers than it may have."""
        slow: dict[str, dict[str, int]] = {}
        unknown: dict[str, dict[str, int]] = {}
        for row in due:
            id = row["id"]
            if id in available and not self._subscriptions.is_quick(id):
                kind = slow if self._subscriptions.is_slow(id) else unknown
                kind.setdefault(row["organization_id"], {})[id] = available.pop(id)
        granted_to: Counter[str] = Counter()
        wanted_by: Counter[str] = Counter()
        for kind in (slow, unknown):
            for organization_id, wanted in kind.items():
                free = self._bulkhead.available(organization_id, slow=kind is slow)
                granted = fair_shares(wanted, free - granted_to[organization_id])
                granted_to[organization_id] += sum(granted.values())
                wanted_by[organization_id] += sum(wanted.values())
                available |= granted
        self._bulkhead.waiting = {id for id, count in wanted_by.items() if count > granted_to[id]}


async def lease(allowed: Mapping[str, int], *, at: datetime) -> list[DueDelivery]:
    """Claim up to so many due deliveries of each subscription."""
    if not allowed:
        return []
    rows = await db.fetch(CLAIM, at, at + LEASE, list(allowed), list(allowed.values()))
    return [DueDelivery(*row) for row in rows]


def fair_shares(available: Mapping[str, int], limit: int) -> dict[str, int]:
    """`limit` slots among those who may have some, evenly, and to the first ones if there are not
    enough.
    """
    granted: dict[str, int] = {}
    left = limit
    for place, (name, count) in enumerate(available.items()):
        if left <= 0:
            break
        granted[name] = min(count, max(1, left // (len(available) - place)))
        left -= granted[name]
    for name, taken in granted.items():
        more = min(left, available[name] - taken)
        granted[name] = taken + more
        left -= more
    return granted


async def release_claims(claimed: Sequence[DueDelivery], *, at: datetime) -> None:
    """Make due again at once what was claimed and not begun."""
    await db.execute(RELEASE, [one.id for one in claimed], [one.attempts for one in claimed], at)


async def claim_probes(*, at: datetime, limit: int) -> list[DueDelivery]:
    """Lease the oldest unfinished delivery of each failing subscription whose next probe has come.

    One that has nothing to deliver is looked at again when its next probe would be.
    """
    unconfirmed = [
        UnconfirmedTarget(row["id"], row["organization_id"], host_of(row["host"]), 1)
        for row in await db.fetch(*narrowed(UNCONFIRMED_TO_PROBE, at, limit))
    ]
    granted, later = await reserve(unconfirmed, at=at) if unconfirmed else ({}, {})
    if later:
        await postpone(later, at=at, limit=PAUSE_BATCH_SIZE)
    rows = await db.fetch(
        *narrowed(PROBES, at, limit, at + PROBE_INTERVAL, at + PROBE_LEASE, list(granted))
    )
    probed = {row["subscription_id"] for row in rows}
    await refund([target for target in unconfirmed if target.id not in probed], granted, at=at)
    return [replace(DueDelivery(*row), probe=True) for row in rows]


# From one subscription to the next along (subscription_id, due_at): two steps for each, whatever
# its queue holds.
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
SELECT w.subscription_id AS id, w.due_at, s.status, s.organization_id, s.env, s.confirmed_at IS NOT NULL AS confirmed,
       substring(s.url FROM '//([^/?#]*)') AS host
FROM (SELECT * FROM waiting LIMIT $2) AS w LEFT JOIN webhook_subscriptions s ON s.id = w.subscription_id
ORDER BY w.subscription_id
"""

DUE_NOW = """
SELECT r.id, (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries d WHERE d.subscription_id = r.id AND d.due_at <= $3 LIMIT r.slots
) AS d) AS due
FROM unnest($1::text[], $2::int[]) AS r (id, slots)
"""

_COLUMNS = f"""
SELECT d.id, d.subscription_id, d.organization_id, d.env, d.attempts, d.is_replay,
       s.url, substring(s.url FROM '//([^/?#]*)'), s.secret_cipher, s.headers,
       {SEES_PERSONAL_DATA.format(t="s", at="$1")}, s.api_version,
       s.max_attempts, s.backoff_seconds, e.id, e.type, e.data, e.occurred_at,
       CASE WHEN s.previous_secret_until > $1 THEN s.previous_secret_cipher END
"""

# A lease need not outlive a crash of the server: nobody waits for the disk.
CLAIM = f"""
WITH volatile AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), chosen AS (
    SELECT d.id FROM volatile CROSS JOIN unnest($3::text[], $4::int[]) AS r (id, slots)
    JOIN webhook_subscriptions s ON s.id = r.id AND s.status = 'active'
    CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.subscription_id = r.id AND d.due_at <= $1
        ORDER BY d.due_at LIMIT r.slots FOR UPDATE OF d SKIP LOCKED
    ) AS d
), leased AS (
    UPDATE webhook_deliveries d SET due_at = $2 FROM chosen c WHERE d.id = c.id RETURNING d.*
)
{_COLUMNS}
FROM leased d
JOIN webhook_subscriptions s ON s.id = d.subscription_id
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
"""

RELEASE = """
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

UNCONFIRMED_TO_PROBE = """
SELECT id, organization_id, substring(url FROM '//([^/?#]*)') AS host FROM webhook_subscriptions
WHERE probe_at <= $1 AND status = 'failing' AND confirmed_at IS NULL /* whose */
ORDER BY probe_at LIMIT $2
"""

# Rows of subscriptions are locked before rows of deliveries here, and after them where outcomes are
# written: so nobody waits for the second.
PROBES = f"""
WITH come AS (
    SELECT id FROM webhook_subscriptions
    WHERE probe_at <= $1 AND status = 'failing' AND (confirmed_at IS NOT NULL OR id = ANY ($5::text[])) /* whose */
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
FROM leased d JOIN taken s ON s.id = d.subscription_id
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
"""
