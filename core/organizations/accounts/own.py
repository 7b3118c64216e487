"""What people change about themselves."""

from dataclasses import replace
from datetime import datetime

from core import audit
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations.accounts.inputs import OwnChanges
from core.organizations.accounts.passwords import hash_password, password_fits
from core.organizations.me import get_me
from core.organizations.models import Account
from core.organizations.record import MeRecord
from core.organizations.sessions.errors import NotForKeys
from core.organizations.sessions.locks import Attempt, count_attempt, forgive


class WrongPassword(ValidationFailed):
    """The current password of one's own account."""

    default_detail = "The current password is not right; nothing was changed."

    def __init__(self) -> None:
        said = "This is not the password of the account"
        super().__init__(
            meta={"code": "SENHA_ATUAL_INCORRETA"},
            errors=[FieldError("pointer", "/currentPassword", "SENHA_ATUAL_INCORRETA", said)],
        )


async def change_own_account(caller: Caller, changes: OwnChanges) -> MeRecord:
    """Change one's own name and password, in a session. A new password ends the other sessions of
    the account: processes refuse them within two seconds.

    Raises NotForKeys, WrongPassword, and LogInLocked after five wrong passwords in a row.
    """
    if caller.kind != "session":
        raise NotForKeys
    caller.require_second_factor()
    seen, password_hash = await _new_hash(caller, changes)
    at = real_now()
    async with transaction():
        account = await _held(caller)
        changed = [
            name
            for name, value in (("name", changes.name), ("password", password_hash))
            if value is not None
        ]
        if changes.name is not None:
            account.name = changes.name
        if password_hash is not None:
            if account.password_hash != seen:  # somebody changed it a moment ago
                raise WrongPassword
            account.password_hash = password_hash
            await _end_others(caller, at)
        if changed:
            await account.save(update_fields=["name", "password_hash"])
            await _tell(caller, account, changed, at)
    return await get_me(caller)


async def _new_hash(caller: Caller, changes: OwnChanges) -> tuple[str | None, str | None]:
    """The stored hash so far and that of the new password, once the current one was right."""
    if changes.password is None or changes.current_password is None:
        return None, None
    seen = await refuse_wrong_password(caller, changes.current_password)
    return seen, await hash_password(changes.password)


async def refuse_wrong_password(caller: Caller, password: str) -> str | None:
    """The stored hash, where this is the password of the caller's account. Raises WrongPassword,
    and LogInLocked after five in a row.
    """
    attempt = attempt_of_own(caller.account_id)
    await count_attempt(attempt, at=real_now())
    account = await Account.get(id=caller.account_id, organization_id=caller.organization_id)
    if not await password_fits(password, account.password_hash):
        raise WrongPassword
    await forgive(attempt)
    return account.password_hash


async def _held(caller: Caller) -> Account:
    return await Account.select_for_update().get(
        id=caller.account_id, organization_id=caller.organization_id
    )


async def _end_others(caller: Caller, at: datetime) -> None:
    await db.execute(
        END_OTHERS, caller.account_id, caller.credential_id, at, caller.organization_id
    )


async def _tell(caller: Caller, account: Account, changed: list[str], at: datetime) -> None:
    """A person works in both environments; what happens to one is told in the live one."""
    facts = {"role": account.role, "status": account.status, "changed": changed}
    await audit.write_entry(
        replace(caller, env="live"), "account.changed", account.id, facts, at=at
    )


def attempt_of_own(account_id: str | None) -> Attempt:
    """Under what somebody's tries at the own password are counted, wherever they come from: a
    stolen session is no way to guess it.
    """
    key = current().hash_key.encode()
    return Attempt(keyed_hash(key, f"own password of {account_id}"), None)


END_OTHERS = """
UPDATE sessions SET ended_at = $3
WHERE account_id = $1 AND organization_id = $4 AND id <> $2 AND ended_at IS NULL AND expires_at > $3
"""
