"""Another password for an account."""

from datetime import timedelta
from typing import Any

from core import audit
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope, system_caller
from core.smpp.accounts import account_for_change, account_record
from core.smpp.errors import NoSuchSmppAccount
from core.smpp.inputs import SmppPasswordRotation
from core.smpp.models import env_of
from core.smpp.passwords import hash_of, new_password


async def rotate_password(
    caller: Caller, id: str, rotation: SmppPasswordRotation
) -> dict[str, Any]:
    """Draw another password: the record and `password`, shown here only. The old one opens until the
    overlap ends; binds stay. Raises NoSuchSmppAccount, for one that is revoked too.
    """
    caller.require(Scope.KEYS_MANAGE)
    at, password = real_now(), new_password()
    async with transaction():
        account = await account_for_change(caller, id)
        if account.revoked_at is not None:
            raise NoSuchSmppAccount
        account.previous_hash = account.password_hash
        account.previous_until = at + timedelta(hours=rotation.overlap_hours)
        account.password_hash = hash_of(account.system_id, password)
        await account.save(update_fields=["previous_hash", "previous_until", "password_hash"])
        there = system_caller(account.organization_id, env_of(account))
        facts = {"endsAt": wire_time(account.previous_until)}
        await audit.write_entry(there, "smpp_account.rotated", account.id, facts, at=at)
    return {**account_record(account), "password": password}
