"""Another password for an account."""

from datetime import timedelta

from core import audit
from core.foundation.clock import real_now, wire_time
from core.foundation.dry_run import refuse_dry_run
from core.foundation.security.caller import Caller, Scope
from core.smpp.accounts import account_for_change, in_environment_of
from core.smpp.inputs import SmppPasswordRotation
from core.smpp.passwords import hash_of, new_password
from core.smpp.record import SmppCredentials, account_record


async def rotate_password(
    caller: Caller, id: str, rotation: SmppPasswordRotation
) -> SmppCredentials:
    """Draw another password: the record and `password`, shown here only. The old one opens until the
    overlap ends; binds stay. Raises NoSuchSmppAccount, SmppAccountRevoked.
    """
    caller.require(Scope.KEYS_MANAGE)
    refuse_dry_run()
    at, password = real_now(), new_password()
    async with account_for_change(caller, id) as account:
        account.previous_hash = account.password_hash
        account.previous_until = at + timedelta(hours=rotation.overlap_hours)
        account.password_hash = hash_of(account.system_id, password)
        await account.save(update_fields=["previous_hash", "previous_until", "password_hash"])
        facts = {"endsAt": wire_time(account.previous_until)}
        there = in_environment_of(caller, account)
        await audit.write_entry(there, "smpp_account.rotated", account.id, facts, at=at)
    return {**account_record(account), "password": password}
