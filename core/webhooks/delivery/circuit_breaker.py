"""Circuit breaker of a subscription: when it is failing (open), probed (half-open) and given up.

Source: decisions, Webhooks, Delivery rules.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import TypedDict, cast

import structlog

from core import audit
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.foundation.observability.metrics import Counter
from core.foundation.security.caller import Env, system_caller

log = structlog.get_logger()

FAILURE_THRESHOLD = 5
FAILURE_PERIOD = timedelta(minutes=15)
"""Since the first of the consecutive failures."""
PROBE_INTERVAL = timedelta(seconds=60)
REVOKE_AFTER = timedelta(hours=120)
"""Failing without one success."""
BATCH_SIZE = 1_000

STATE_CHANGES = Counter(
    "svc_webhook_standing_total", "Subscriptions whose standing the service has changed.", ("to",)
)


async def revoke_unrecoverable(*, suspended: Sequence[str] = (), at: datetime) -> int:
    """Revoke what has failed for five days, and what belongs to suspended organizations, which are
    named; answers how many.

    A batch at a time; call it until it answers 0.
    """
    async with transaction():
        revoked = await db.fetch(
            *narrowed(REVOKE, at - REVOKE_AFTER, at, BATCH_SIZE, list(suspended))
        )
        await record_revocations(cast("list[RevokedRow]", revoked), at=at)
    return len(revoked)


class RevokedRow(TypedDict):
    """A subscription that the service revoked."""

    id: str
    organization_id: str
    env: Env
    revoked_reason: str


async def record_revocations(subscriptions: Iterable[RevokedRow], *, at: datetime) -> None:
    """Write into the audit trail what the service revoked: rows of id, organization_id, env and
    revoked_reason.
    """
    owned = sorted(subscriptions, key=_owner)
    for (organization_id, env), rows in groupby(owned, key=_owner):
        caller = system_caller(organization_id, env)
        entries = [(row["id"], {"reason": row["revoked_reason"]}) for row in rows]
        await audit.write_entries(caller, "webhook.revoked", entries, at=at)
    for row in owned:
        STATE_CHANGES.labels("revoked").add()
        log.info("webhook_revoked", subscription=row["id"], reason=row["revoked_reason"])


def _owner(row: RevokedRow) -> tuple[str, Env]:
    return row["organization_id"], row["env"]


# By index, however many organizations were suspended long ago: each is asked for what it has left,
# and what was found is looked up as an array, which the planner takes to be short.
REVOKE = """
WITH unrecoverable AS (
    (SELECT id, 'failing' AS reason FROM webhook_subscriptions
     WHERE probe_at IS NOT NULL AND status = 'failing' AND failing_since <= $1 LIMIT $3)
    UNION
    (SELECT unrevoked.id, 'suspended' FROM unnest($4::text[]) AS o (id) CROSS JOIN LATERAL (
         SELECT s.id FROM webhook_subscriptions s WHERE s.organization_id = o.id AND s.status <> 'revoked' LIMIT $3
     ) AS unrevoked LIMIT $3)
), locked AS (
    SELECT DISTINCT ON (s.id) s.id, h.reason FROM (
        SELECT s.id FROM webhook_subscriptions s WHERE s.id = ANY (ARRAY(SELECT id FROM unrecoverable)) /* whose s. */
        ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED
    ) AS s JOIN unrecoverable h ON h.id = s.id ORDER BY s.id, h.reason
)
UPDATE webhook_subscriptions s
SET status = 'revoked', revoked_reason = l.reason, probe_at = NULL, failing_since = NULL, updated_at = $2
FROM locked l WHERE s.id = l.id AND (l.reason = 'suspended' OR s.status = 'failing')
RETURNING s.id, s.organization_id, s.env, s.revoked_reason
"""
