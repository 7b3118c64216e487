"""Changing what an account may do, and its password."""

from datetime import datetime

from core import audit, webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope, system_caller
from core.organizations.accounts.errors import NoSuchAccount
from core.organizations.accounts.inputs import AccountChanges
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.record import AccountRecord, account_record
from core.organizations.keys.revoke import end_keys_of_account
from core.organizations.models import Account, AccountStatus
from core.organizations.roles import SCOPES_OF


async def change_account(id: str, changes: AccountChanges) -> AccountRecord:
    """Change an account, in the shell. Answers its record. Raises NoSuchAccount.

    An account that is no longer active, or has another password, loses its sessions: processes
    refuse them within two seconds. Its keys go on unless they are to end with it. An invited
    account accepts by becoming active.
    """
    at = now()
    password_hash = await hash_password(changes.password) if changes.password else None
    async with transaction():
        account = await Account.select_for_update().get_or_none(id=id) if is_id("acc", id) else None
        if account is None:
            raise NoSuchAccount
        account.status = changes.status or account.status
        account.role = changes.role or account.role
        account.password_hash = password_hash or account.password_hash
        await account.save(update_fields=["status", "role", "password_hash"])
        if password_hash or account.status != AccountStatus.ACTIVE:
            await db.execute(END_SESSIONS, id, at)
        there = system_caller(account.organization_id, "live")
        await _end_rights(there, account, at=at)
        facts = {
            "role": account.role,
            "status": account.status,
            "password": password_hash is not None,
        }
        if changes.suspend_keys:
            facts["keys"] = await end_keys_of_account(there, id, at=at)
        await audit.write_entry(there, "account.changed", id, facts, at=at)
    return account_record(account, whole=True)


async def _end_rights(there: Caller, account: Account, *, at: datetime) -> None:
    """What the account has subscribed itself sees no more than the account would."""
    if account.status != AccountStatus.ACTIVE or Scope.PII_FULL not in SCOPES_OF[account.role]:
        await webhooks.mask_personal_data(there, account_id=account.id, at=at)


END_SESSIONS = "UPDATE sessions SET ended_at = $2 WHERE account_id = $1 AND ended_at IS NULL AND expires_at > $2"
