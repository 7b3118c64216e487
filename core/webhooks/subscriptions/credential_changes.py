"""Subscriptions when the key or account that created them changes, is rotated or ends.

Called by whoever changes the credential, in the same transaction: no event after it is told whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict, cast

from core import audit
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller, Env
from core.webhooks.models import SubscriptionStatus
from core.webhooks.subscriptions.record import SubscriptionOfKey


async def mask_personal_data(
    caller: Caller, *, keys: Sequence[str] = (), account_id: str | None = None, at: datetime
) -> None:
    """Tell no personal data whole any more to subscriptions of these keys, or that the account
    itself created.
    """
    rows = await db.fetch(MASK, caller.organization_id, list(keys), account_id, at)
    for there, ids in _by_env(caller, cast("list[MaskedRow]", rows)):
        await audit.write_entries(there, "webhook.masked", [(id, {}) for id in ids], at=at)


async def transfer_subscriptions(
    caller: Caller, key_id: str, *, to: str, until: datetime | None, at: datetime
) -> None:
    """A key was replaced: its subscriptions have the rights of the key in its place, which ends
    `until` then.
    """
    await db.execute(TRANSFER, caller.organization_id, key_id, to, until, at)


async def subscriptions_of_key(caller: Caller, key_id: str) -> list[SubscriptionOfKey]:
    """The subscriptions that were created with a key, or have its rights, the oldest first."""
    rows = await db.fetch(OF_KEY, caller.organization_id, key_id)
    return [
        {"id": row["id"], "url": row["url"], "status": SubscriptionStatus(row["status"])}
        for row in rows
    ]


async def pause_subscriptions_of_key(caller: Caller, key_id: str, *, at: datetime) -> None:
    """Pause those of them that are delivered to; what happens from now on is kept for a replay."""
    rows = await db.fetch(PAUSE, caller.organization_id, key_id, at)
    facts = {"changed": ["status"], "status": "paused"}
    for there, ids in _by_env(caller, cast("list[MaskedRow]", rows)):
        await audit.write_entries(there, "webhook.changed", [(id, facts) for id in ids], at=at)


class MaskedRow(TypedDict):
    """A subscription that is told masked data from now on."""

    id: str
    env: Env


def _by_env(caller: Caller, rows: Sequence[MaskedRow]) -> Iterator[tuple[Caller, list[str]]]:
    """The caller in each of the environments, and the ids there: a credential may be of both."""
    for env in sorted(set(column(rows, "env"))):
        yield replace(caller, env=env), [row["id"] for row in rows if row["env"] == env]


MASK = """
UPDATE webhook_subscriptions s SET pii_until = $4
WHERE s.organization_id = $1 AND (s.key_id = ANY ($2::text[]) OR (s.key_id IS NULL AND s.created_by_id = $3))
  AND s.pii_full AND (s.pii_until IS NULL OR s.pii_until > $4)
RETURNING s.id, s.env
"""

TRANSFER = """
UPDATE webhook_subscriptions SET key_id = $3,
    pii_until = CASE WHEN pii_until IS NULL OR pii_until > $5 THEN $4 ELSE pii_until END
WHERE organization_id = $1 AND key_id = $2
"""

OF_KEY = """
SELECT id, url, status FROM webhook_subscriptions
WHERE organization_id = $1 AND (created_with_id = $2 OR key_id = $2) ORDER BY created_at, id
"""

PAUSE = """
UPDATE webhook_subscriptions
SET status = 'paused', failing_since = NULL, probe_at = NULL, revoked_reason = NULL, updated_at = $3
WHERE organization_id = $1 AND (created_with_id = $2 OR key_id = $2) AND status IN ('active', 'failing')
RETURNING id, env
"""
