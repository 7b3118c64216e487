"""Ending a key now."""

from typing import Any

from core import audit
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.organizations.keys.keeper import in_environment_of, key_for_change
from core.organizations.keys.record import key_record


async def revoke_key(caller: Caller, id: str) -> dict[str, Any]:
    """End a key now; one that is revoked already stays as it is. Answers the record. Raises NoSuchKey."""
    caller.require(Scope.KEYS_MANAGE)
    async with key_for_change(caller, id) as key:
        at = now()
        if key.revoked_at is None:
            key.revoked_at = at
            await key.save(update_fields=["revoked_at"])
            await audit.record(in_environment_of(caller, key), "apikey.revoked", id, at=at)
    return key_record(key, at=at)
