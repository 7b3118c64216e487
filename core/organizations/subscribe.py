"""Use case: subscribe to events, with the rights of the key or account that does."""

from core import webhooks
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.organizations.errors import RevokedCredential
from core.organizations.models import AccountStatus


async def subscribe(caller: Caller, new: webhooks.NewSubscription) -> webhooks.NewWebhook:
    """Create a webhook subscription with the rights of the key or account that asks for it.

    Raises RevokedCredential where the key was revoked, or the account suspended, a moment ago: what
    ends with them must not come into being behind them.
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    async with transaction():
        return await webhooks.subscribe(caller, new, await _creator(caller))


async def _creator(caller: Caller) -> webhooks.Creator:
    """What a new subscription has of who creates it, whose row stays as it is until the transaction
    ends.
    """
    whole = caller.sees_personal_data
    if caller.kind == "session":
        status = await db.fetchval(ACCOUNT, caller.account_id, caller.organization_id)
        _refuse_ended(status not in (None, AccountStatus.ACTIVE))
        return webhooks.Creator(None, whole, None)
    key = (
        await db.fetchrow(KEY, caller.credential_id, caller.organization_id)
        if caller.kind == "key"
        else None
    )
    if key is None:  # the service itself at work
        return webhooks.Creator(None, whole, None)
    _refuse_ended(key["revoked_at"] is not None)
    whole = whole and Scope.PII_FULL in key["scopes"]
    return webhooks.Creator(caller.credential_id, whole, key["expires_at"] if whole else None)


def _refuse_ended(ended: bool) -> None:
    if ended:
        raise RevokedCredential


# Whoever ends a credential holds its row, and so waits for this or is seen by it.
KEY = (
    "SELECT scopes, revoked_at, expires_at FROM api_keys WHERE id = $1 AND "
    "organization_id = $2 FOR SHARE"
)
ACCOUNT = "SELECT status FROM accounts WHERE id = $1 AND organization_id = $2 FOR SHARE"
