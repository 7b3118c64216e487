"""Rights of a subscription: those of the key or account that created it, while they last."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.errors import Unauthorized
from core.foundation.security.caller import Caller, Scope

SEES_PERSONAL_DATA = "({t}.pii_full AND ({t}.pii_until IS NULL OR {t}.pii_until > {at}))"
"""In SQL, of a row of webhook_subscriptions: whether it is told personal data whole at that moment.
"""


def sees_personal_data(subscription: HasColumns, *, at: datetime) -> bool:
    """The same of a row, or of a model's `vars`."""
    return told_whole(
        subscription["pii_full"] is True, cast("datetime | None", subscription["pii_until"]), at=at
    )


def told_whole(pii_full: bool, until: datetime | None, *, at: datetime) -> bool:
    """The same of the two columns."""
    return pii_full and (until is None or until > at)


@dataclass(frozen=True, slots=True)
class Creator:
    """The key of a subscription, None where a person created it, and whether and until when it sees
    personal data.
    """

    key_id: str | None
    pii_full: bool
    pii_until: datetime | None


async def creator_of(caller: Caller) -> Creator:
    """What a new subscription has from its creator, whose row stays as it is until the transaction
    ends.

    Raises Unauthorized where the key was revoked, or the account suspended, a moment ago: what ends
    with them must not come into being behind them.
    """
    whole = caller.sees_personal_data
    if caller.kind == "session":
        status = await db.fetchval(ACCOUNT, caller.account_id, caller.organization_id)
        _refuse_ended(status is not None and status != "active")
        return Creator(None, whole, None)
    key = (
        await db.fetchrow(KEY, caller.credential_id, caller.organization_id)
        if caller.kind == "key"
        else None
    )
    if key is None:  # the service itself at work
        return Creator(None, whole, None)
    _refuse_ended(key["revoked_at"] is not None)
    whole = whole and Scope.PII_FULL in key["scopes"]
    return Creator(caller.credential_id, whole, key["expires_at"] if whole else None)


def _refuse_ended(ended: bool) -> None:
    if ended:
        raise Unauthorized(meta={"motivo": "revogada"})


# Rows of organizations: whoever ends a credential holds its row, and so waits for this or is seen
# by it.
KEY = (
    "SELECT scopes, revoked_at, expires_at FROM api_keys WHERE id = $1 AND "
    "organization_id = $2 FOR SHARE"
)
ACCOUNT = "SELECT status FROM accounts WHERE id = $1 AND organization_id = $2 FOR SHARE"
