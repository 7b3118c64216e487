"""Publishing an event: a transactional outbox of events and deliveries, beside their cause."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from core.foundation import pubsub
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller
from core.webhooks.events.truncate import truncated_data


@dataclass(frozen=True, slots=True)
class NewEvent:
    """What happened, to whom and when. `data` is unmasked; every delivery masks it for its
    subscription.
    """

    organization_id: str
    env: str
    type: str
    data: Mapping[str, Any]
    occurred_at: datetime
    request_id: str | None = None
    id: str = field(default_factory=lambda: new_id("evt"))

    @classmethod
    def about(cls, row: HasColumns, type: str, data: Mapping[str, Any], at: datetime) -> Self:
        """What happened to a row that knows whose it is, and which request it came by."""
        of: Any = row
        return cls(of["organization_id"], of["env"], type, data, at, of["request_id"])


async def publish(caller: Caller, type: str, data: Mapping[str, object], *, at: datetime) -> None:
    """Record one event of the caller's organization and queue it for everyone who listens."""
    event = NewEvent(caller.organization_id, caller.env, type, data, at, caller.request_id)
    await publish_many([event], at=at)


async def publish_many(events: Sequence[NewEvent], *, at: datetime) -> None:
    """Record events, and one delivery for each listening subscription, in one statement.

    The feed has them once they are committed and a worker has given them their positions.

    Data too long for a delivery is truncated now, so that every API tells the same. A paused or revoked
    subscription gets its delivery as `retida`: kept for a replay, never sent by itself.
    """
    if not events:
        return
    rows = [
        (
            event.id,
            event.organization_id,
            event.env,
            event.type,
            truncated_data(event.data),
            event.occurred_at,
            event.request_id,
        )
        for event in events
    ]
    queued = await db.fetchval(PUBLISH, *db.columns(rows, 7), at)
    if queued:
        await wake(Job.DELIVER_WEBHOOKS)
    await pubsub.publish(
        pubsub.Notice(
            pubsub.Topic.EVENT, event.organization_id, event.env, event.id, {"type": event.type}
        )
        for event in events
    )


PUBLISH = """/* whole */
WITH happened AS (
    INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, request_id, created_at)
    SELECT e.*, $8
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::text[]) AS e
    RETURNING id, organization_id, env, type
), to_feed AS (
    INSERT INTO webhook_feed_queue (organization_id, env, event_id, type, created_at)
    SELECT organization_id, env, id, type, $8 FROM happened
), queued AS (
    INSERT INTO webhook_deliveries
        (id, organization_id, env, subscription_id, event_id, status, attempts, due_at, created_at)
    SELECT svc_new_id('dlv'), h.organization_id, h.env, s.id, h.id,
           CASE WHEN s.status IN ('active', 'failing') THEN 'pendente' ELSE 'retida' END, 0,
           CASE WHEN s.status IN ('active', 'failing') THEN $8::timestamptz END, $8
    FROM happened h
    JOIN webhook_subscriptions s
      ON s.organization_id = h.organization_id AND s.env = h.env AND h.type = ANY (s.events)
    RETURNING due_at
)
SELECT count(due_at) FROM queued
"""
