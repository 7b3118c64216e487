"""Calling an address about events, whether or not it listens to them: signed, retried and logged as
every delivery.

An address that the organization has a subscription for is called under that one, with its secret and
headers. Another one gets a subscription of its own, which listens to nothing; rotating its secret
shows one to check signatures with.
"""

from collections.abc import Sequence
from datetime import datetime

from core import audit
from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller
from core.foundation.security.secrets import new_webhook_secret
from core.webhooks.events.event_types import API_VERSION
from core.webhooks.events.publish import NewEvent, publish_many
from core.webhooks.inputs import DEFAULT_RETRY
from core.webhooks.models import WebhookSubscription
from core.webhooks.signing.secret_box import seal_secret


async def call_address(
    caller: Caller, url: str, events: Sequence[NewEvent], *, description: str, at: datetime
) -> list[str]:
    """Publish events of the caller's, and deliver each to this address. Answers the deliveries, in
    the order of the events. Belongs into the transaction of their cause.
    """
    subscription_id = await _subscription_of(caller, url, description, at=at)
    await publish_many(events, at=at)
    rows = await db.fetch(
        DELIVER, subscription_id, [event.id for event in events], at, caller.organization_id
    )
    if any(row["due_at"] is not None for row in rows):
        await wake(Job.DELIVER_WEBHOOKS)
    deliveries = pairs_of(rows, "event_id", "id")
    return [deliveries[event.id] for event in events]


async def _subscription_of(caller: Caller, url: str, description: str, *, at: datetime) -> str:
    """The subscription of an address. Who else makes one for it waits until this transaction ends."""
    owner = (caller.organization_id, caller.env)
    if (found := await db.fetchval(FIND, *owner, url)) is not None:
        return str(found)
    await db.execute(LOCK, *owner, url)
    if (found := await db.fetchval(FIND, *owner, url)) is not None:
        return str(found)
    id = new_id("wbh")
    await WebhookSubscription.create(
        id=id,
        **owned_by(caller),
        url=url,
        secret_cipher=seal_secret(id, new_webhook_secret()),
        events=[],
        description=description,
        max_attempts=DEFAULT_RETRY.max_attempts,
        backoff_seconds=DEFAULT_RETRY.backoff_seconds,
        api_version=API_VERSION,
        created_at=at,
        updated_at=at,
    )
    await audit.write_entry(caller, "webhook.created", id, {"events": []}, at=at)
    return id


LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('calls ' || $1 || $2 || $3, 0))"

# One that may be called before one that may not.
FIND = """
SELECT id FROM webhook_subscriptions WHERE organization_id = $1 AND env = $2 AND url = $3
ORDER BY status IN ('active', 'failing') DESC, created_at, id LIMIT 1
"""

# Where the subscription listens to the events, it has its deliveries already.
DELIVER = """
WITH listening AS MATERIALIZED (
    SELECT id, event_id, due_at FROM webhook_deliveries
    WHERE event_id = ANY ($2::text[]) AND subscription_id = $1 AND organization_id = $4
), made AS (
    INSERT INTO webhook_deliveries
        (id, organization_id, env, subscription_id, event_id, status, attempts, due_at, created_at)
    SELECT svc_new_id('dlv'), s.organization_id, s.env, s.id, e.id,
           CASE WHEN s.status IN ('active', 'failing') THEN 'pendente' ELSE 'retida' END, 0,
           CASE WHEN s.status IN ('active', 'failing') THEN $3::timestamptz END, $3
    FROM unnest($2::text[]) AS e (id) JOIN webhook_subscriptions s ON s.id = $1 AND s.organization_id = $4
    WHERE e.id NOT IN (SELECT l.event_id FROM listening l)
    RETURNING id, event_id, due_at
)
SELECT id, event_id, due_at FROM listening UNION ALL SELECT id, event_id, due_at FROM made
"""
