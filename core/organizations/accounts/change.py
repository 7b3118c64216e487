"""Changing what an account may do, and its password."""

from typing import Any

from core import audit
from core.foundation import db
from core.foundation.caller import system_caller
from core.foundation.clock import now
from core.foundation.ids import is_id
from core.foundation.transactions import transaction
from core.organizations.accounts.errors import NoSuchAccount
from core.organizations.accounts.inputs import AccountChanges
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.record import account_record
from core.organizations.models import Account, AccountStatus


async def change_account(id: str, changes: AccountChanges) -> dict[str, Any]:
    """Change an account, in the shell. Answers its record. Raises NoSuchAccount.

    An account that is no longer active, or has another password, loses its sessions: processes refuse them within
    two seconds. An invited account accepts by becoming active.
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
        await audit.record(
            system_caller(account.organization_id, "live"),
            "account.changed",
            id,
            {"role": account.role, "status": account.status, "password": password_hash is not None},
            at=at,
        )
    return account_record(account, whole=True)


END_SESSIONS = "UPDATE sessions SET ended_at = $2 WHERE account_id = $1 AND ended_at IS NULL AND expires_at > $2"
