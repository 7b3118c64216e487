"""Ending a key now."""

from datetime import datetime
from functools import partial

from core import audit, webhooks
from core.foundation.clock import real_now
from core.foundation.database.transactions import after_commit
from core.foundation.security.caller import Caller, Scope
from core.organizations.keys.inputs import KeyRevocation
from core.organizations.keys.owner import in_environment_of, key_for_change, look_up_anew
from core.organizations.keys.record import KeyWithSubscriptions, key_record
from core.organizations.models import ApiKey


async def revoke_key(
    caller: Caller, id: str, how: KeyRevocation | None = None
) -> KeyWithSubscriptions:
    """End a key now; one that is revoked already stays as it is: the record and `webhooks`, its
    subscriptions.

    They go on, without personal data, unless they are to be paused. Raises NoSuchKey.
    """
    caller.require(Scope.KEYS_MANAGE)
    async with key_for_change(caller, id) as key:
        at = real_now()
        there = in_environment_of(caller, key)
        await end_key(there, key, at=at)
        if how is not None and how.close_webhooks:
            await webhooks.pause_subscriptions_of_key(there, id, at=at)
        subscriptions = await webhooks.subscriptions_of_key(there, id)
    return {**key_record(key), "webhooks": subscriptions}


async def end_key(there: Caller, key: ApiKey, *, at: datetime) -> None:
    """The key opens nothing any more, and what it has subscribed sees no personal data. Its row is
    held.
    """
    if key.revoked_at is not None:
        return
    key.revoked_at = at
    await key.save(update_fields=["revoked_at"])
    await webhooks.mask_personal_data(there, keys=[key.id], at=at)
    await audit.write_entry(there, "apikey.revoked", key.id, at=at)


async def end_keys_of_account(caller: Caller, account_id: str, *, at: datetime) -> int:
    """End every key that an account has issued, in the transaction around; answers how many."""
    issued = ApiKey.filter(
        organization_id=caller.organization_id, created_by_id=account_id, revoked_at=None
    )
    keys = await issued.select_for_update().order_by("id")
    for key in keys:
        await end_key(in_environment_of(caller, key), key, at=at)
        await after_commit(partial(look_up_anew, key))
    return len(keys)
