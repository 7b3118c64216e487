"""The sender of live pushes: batches are claimed, sent concurrently and settled together.

A claim is a lease, renewed while its sender lives. Where this process dies, the lease runs out
within a minute and the rows are sent again; the copies carry the dispatch's id, by which push
services and devices let one replace the other, and each row is paid for once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.leases import LEASE, Lease
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import unless_moved
from core.foundation.security.secrets import CannotDecrypt
from core.providers.push import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushCredentials,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushSender,
    PushTarget,
)
from core.push.apps import credentials_of
from core.push.audience import DENIED_TO
from core.push.models import TURN, PushApp, RateKind
from core.push.outcome_counts import count, counts_of

log = structlog.get_logger()

LIVE_BATCH_SIZE = 100
"""Devices of one dispatch that are claimed at once."""
MAX_DISPATCHES = 8
"""Dispatches that take turns."""
MAX_REQUESTS_PER_PROVIDER = 100
"""Requests to one kind of provider at a time, in this process."""
MAX_ATTEMPTS = 5
FIRST_BACKOFF = timedelta(seconds=5)
MAX_BACKOFF = timedelta(minutes=10)

ProviderFor = Callable[[PushCredentials | None, str], PushSender | None]


@dataclass(frozen=True, slots=True)
class _Result:
    """What becomes of one row; `due_at` when it is to be tried again. `counted`: it was an attempt."""

    id: int
    attempts: int
    status: str
    reason: str | None = None
    due_at: datetime | None = None
    counted: bool = True


class LiveSender:
    """Sends what is due. `provider_for` tells who takes a notification, by an app's credentials and
    the platform.
    """

    def __init__(self, provider_for: ProviderFor) -> None:
        self._provider_for = provider_for
        self._room: dict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(MAX_REQUESTS_PER_PROVIDER)
        )
        self._paused: dict[PushSender, datetime] = {}

    async def drain(self, *, at: datetime) -> int:
        """Send a batch of each live dispatch that is under way. Answers how many devices were
        claimed.
        """
        self._paused = {provider: until for provider, until in self._paused.items() if until > at}
        under_way = await db.fetch(*unless_moved(UNDER_WAY, at, MAX_DISPATCHES))
        taken: list[Awaitable[int]] = [self._send(row, at=at) for row in under_way]
        return sum(await asyncio.gather(*taken))

    async def _send(self, dispatch: Any, *, at: datetime) -> int:
        rows = await db.fetch(CLAIM, dispatch["id"], at, LIVE_BATCH_SIZE, at + LEASE)
        if rows:
            apps = await _apps(
                dispatch, {row["app_id"] for row in rows if row["app_id"] is not None}
            )
            notification = _notification(dispatch)
            async with Lease(
                "push_deliveries", "due_at", column(rows, "id"), until=at + LEASE
            ).kept():
                results = await asyncio.gather(
                    *(self._one(row, apps, notification) for row in rows)
                )
            await _settle(results)
        return len(rows)

    async def _one(
        self, row: Any, apps: dict[str, PushCredentials | None], notification: PushNotification
    ) -> _Result:
        if not row["reachable"]:
            return _Result(row["id"], row["attempts"], "dropped")
        provider = self._provider_for(apps.get(row["app_id"]), row["platform"])
        if provider is None:
            return _Result(row["id"], row["attempts"], "failed", "no_provider")
        async with self._room[provider.name]:
            if (until := self._paused.get(provider)) is not None and until > now():
                return _Result(row["id"], row["attempts"], "queued", due_at=until, counted=False)
            try:
                answer = await provider.push(
                    PushTarget(row["token"], row["p256dh"], row["auth"]), notification
                )
            except (
                Exception
            ):  # a fault of ours: the row is tried again, and the others are not to suffer for it
                log.exception(
                    "push_failed", provider=provider.name, dispatch=notification.dispatch_id
                )
                answer = PushDeferred()
        return self._result(row, provider, answer)

    def _result(self, row: Any, provider: PushSender, answer: Answer) -> _Result:
        id, attempts = row["id"], row["attempts"]
        match answer:
            case PushAccepted():
                return _Result(id, attempts, "delivered")
            case DeviceGone():
                return _Result(id, attempts, "failed", "gone")
            case PushRejected():
                return _Result(id, attempts, "failed", "rejected")
            case PushDeferred(retry_after=seconds):
                asked = min(timedelta(seconds=seconds or 0), MAX_BACKOFF)
                if asked:
                    self._paused[provider] = now() + asked
                if attempts >= MAX_ATTEMPTS:
                    return _Result(id, attempts, "failed", "provider_error")
                pause = max(asked, min(FIRST_BACKOFF * 2 ** (attempts - 1), MAX_BACKOFF))
                return _Result(id, attempts, "queued", due_at=now() + pause)


def _notification(dispatch: Any) -> PushNotification:
    return PushNotification(
        dispatch["id"],
        dispatch["title"],
        dispatch["body"],
        dispatch["deep_link"],
        dispatch["image_url"],
        dispatch["actions"] or (),
        dispatch["rate_kind"] == RateKind.SILENT,
    )


async def _apps(dispatch: Any, ids: set[str]) -> dict[str, PushCredentials | None]:
    found = await PushApp.filter(
        organization_id=dispatch["organization_id"], env=dispatch["env"], app_id__in=sorted(ids)
    )
    return {app.app_id: _credentials(app) for app in found}


def _credentials(app: PushApp) -> PushCredentials | None:
    try:
        return credentials_of(app)
    except CannotDecrypt:
        log.warning("push_credentials_unreadable", app=app.id)
        return None


async def _settle(results: Sequence[_Result]) -> None:
    """Write the results down, of rows that are still ours, and count those that are final."""
    at = now()
    async with transaction():
        final = await db.fetch(
            SETTLE,
            at,
            *db.columns(
                [
                    (one.id, one.attempts, one.status, one.reason, one.due_at, one.counted)
                    for one in results
                ],
                6,
            ),
        )
        await count(counts_of(final), at=at)


UNDER_WAY = f"""
SELECT p.* FROM push_dispatches p
WHERE p.env = 'live' AND p.started_at IS NOT NULL AND p.completed_at IS NULL /* unless moved p. */
  AND EXISTS (
    SELECT FROM push_deliveries q
    WHERE q.dispatch_id = p.id AND q.organization_id = p.organization_id
      AND q.status IN ('queued', 'sending') AND {TURN.format(t="q.")} <= $1)
ORDER BY p.started_at LIMIT $2
"""

CLAIM = f"""
WITH batch AS MATERIALIZED (
    SELECT q.id FROM push_deliveries q
    WHERE q.dispatch_id = $1 AND q.status IN ('queued', 'sending') AND {TURN.format(t="q.")} <= $2
    ORDER BY {TURN.format(t="q.")}, q.id LIMIT $3 FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE push_deliveries q SET status = 'sending', attempts = q.attempts + 1, due_at = $4
    FROM batch b WHERE q.id = b.id
    RETURNING q.id, q.organization_id, q.device_id, q.platform, q.attempts
)
SELECT c.id, c.attempts, coalesce(d.platform, c.platform) AS platform, d.app_id, d.token, d.p256dh, d.auth,
       coalesce(d.opted_in AND d.deactivated_at IS NULL, false) AND NOT {DENIED_TO} AS reachable
FROM claimed c LEFT JOIN push_devices d ON d.id = c.device_id AND d.organization_id = c.organization_id
"""

# A row whose lease ran out and that another worker took has more attempts by now.
SETTLE = """
WITH result AS MATERIALIZED (
    SELECT * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::bool[])
        AS r (id, attempts, status, reason, due_at, counted)
), settled AS (
    UPDATE push_deliveries q SET
        status = r.status, reason = r.reason, due_at = r.due_at,
        attempts = CASE WHEN r.counted THEN q.attempts ELSE q.attempts - 1 END,
        settled_at = CASE WHEN r.status <> 'queued' THEN $1::timestamptz END
    FROM result r WHERE q.id = r.id AND q.status = 'sending' AND q.attempts = r.attempts
    RETURNING q.id, q.organization_id, q.dispatch_id, q.device_id, q.status, q.platform, q.reason
), gone AS (
    UPDATE push_devices d SET deactivated_at = $1, updated_at = $1
    FROM settled s WHERE s.reason = 'gone' AND d.id = s.device_id AND d.organization_id = s.organization_id
      AND d.deactivated_at IS NULL
)
SELECT s.dispatch_id, s.status, s.platform, count(*) AS rows, min(s.id) AS first_row,
       count(*) FILTER (WHERE s.status = 'dropped' AND NOT d.opted_in) AS opted_out
FROM settled s LEFT JOIN push_devices d ON d.id = s.device_id AND d.organization_id = s.organization_id
WHERE s.status <> 'queued' GROUP BY 1, 2, 3
"""
