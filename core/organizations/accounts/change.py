"""Changing what an account may do, and its password."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from tortoise.expressions import Q

from core import audit, webhooks
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope, system_caller
from core.organizations.accounts.errors import LastOwner, NoSuchAccount, StillInvited
from core.organizations.accounts.inputs import AccountChanges, PersonChanges
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.ranks import own_role, refuse_above
from core.organizations.accounts.record import AccountRecord, account_record
from core.organizations.accounts.tokens import end_tokens
from core.organizations.keys.revoke import end_keys_of_account
from core.organizations.models import (
    Account,
    AccountStatus,
    Role,
    SecondFactor,
    Session,
    SettableStatus,
)
from core.organizations.roles import SCOPES_OF


async def change_account(id: str, changes: AccountChanges) -> AccountRecord:
    """Change an account, in the shell. Answers its record. Raises NoSuchAccount.

    An account that is no longer active, or has another password, loses its sessions: processes
    refuse them within two seconds. Its keys go on unless they are to end with it. An invited
    account accepts by becoming active.
    """
    at = real_now()
    password_hash = await hash_password(changes.password) if changes.password else None
    async with transaction():
        account = existing(
            await Account.select_for_update().get_or_none(
                id=well_formed_id("acc", id, NoSuchAccount)
            ),
            NoSuchAccount,
        )
        account.status = changes.status or account.status
        account.role = changes.role or account.role
        account.password_hash = password_hash or account.password_hash
        await account.save(update_fields=["status", "role", "password_hash"])
        if password_hash or not account.is_active:
            await end_sessions_of(account, at=at)
        there = system_caller(account.organization_id, "live")
        await _end_rights(there, account, at=at)
        facts = {
            "role": account.role,
            "status": account.status,
            "password": password_hash is not None,
        }
        if changes.suspend_keys:
            facts["keys"] = await end_keys_of_account(there, id, at=at)
        if changes.remove_second_factor:
            facts["secondFactorRemoved"] = await _remove_second_factor(account)
        await audit.write_entry(there, "account.changed", id, facts, at=at)
    return account_record(account, whole=True)


async def change_person(caller: Caller, id: str, changes: PersonChanges) -> AccountRecord:
    """Change the name, role or status of a person of the organization. Processes notice within two
    seconds.

    Who is suspended loses sessions and links, and where asked keys. Raises NoSuchAccount,
    RoleAboveOwn, LastOwner and StillInvited.
    """
    caller.require(Scope.ACCOUNTS_MANAGE)
    at = real_now()
    async with transaction():
        account = await _person(caller, id)
        before = (account.name, account.role, account.status)
        await _refuse(caller, account, changes)
        account.name = changes.name or account.name
        account.role = changes.role or account.role
        if changes.status is not None:
            account.status = AccountStatus(changes.status)
        await account.save(update_fields=["name", "role", "status"])
        after = (account.name, account.role, account.status)
        changed = [
            name
            for name, was, is_now in zip(("name", "role", "status"), before, after, strict=True)
            if was != is_now
        ]
        await _end_what_goes_with_it(caller, account, changes, changed, at=at)
    return account_record(account, whole=caller.sees_personal_data)


async def _person(caller: Caller, id: str) -> Account:
    """The account, its row held and after it those of all owners, in one order: of two who each
    demote the other, one is the last.
    """
    well_formed_id("acc", id, NoSuchAccount)
    held = (
        await Account.filter(organization_id=caller.organization_id)
        .filter(Q(id=id) | Q(role=Role.OWNER))
        .select_for_update()
        .order_by("id")
    )
    return existing(next((account for account in held if account.id == id), None), NoSuchAccount)


async def _refuse(caller: Caller, account: Account, changes: PersonChanges) -> None:
    refuse_above(await own_role(caller), account.role, changes.role or account.role)
    invited = account.status == AccountStatus.INVITED
    if invited and changes.status == SettableStatus.ACTIVE:
        raise StillInvited
    stays_owner = (changes.role or Role.OWNER) == Role.OWNER
    if stays_owner and changes.status != SettableStatus.SUSPENDED:
        return
    if account.role == Role.OWNER and account.is_active:
        others = Account.filter(
            organization_id=account.organization_id,
            role=Role.OWNER,
            status=AccountStatus.ACTIVE,
            password_hash__isnull=False,  # one who cannot log in looks after nobody
        ).exclude(id=account.id)
        if not await others.exists():
            raise LastOwner


async def _end_what_goes_with_it(
    caller: Caller, account: Account, changes: PersonChanges, changed: list[str], *, at: datetime
) -> None:
    """What a suspended or demoted person has no more, and the entry that tells of the change."""
    there = replace(caller, env="live")
    facts: dict[str, Any] = {"role": account.role, "status": account.status, "changed": changed}
    always = len(facts)
    if account.status == AccountStatus.SUSPENDED:
        await end_sessions_of(account, at=at)
        await end_tokens(account)
    await _end_rights(there, account, at=at)
    if changes.suspend_keys:
        facts["keys"] = await end_keys_of_account(there, account.id, at=at)
    if changes.remove_second_factor:
        facts["secondFactorRemoved"] = await _remove_second_factor(account)
    if changed or len(facts) > always:
        await audit.write_entry(there, "account.changed", account.id, facts, at=at)


async def _remove_second_factor(account: Account) -> bool:
    """Let the password alone open again. Answers whether there was a second factor."""
    own = SecondFactor.filter(account_id=account.id, organization_id=account.organization_id)
    return bool(await own.delete())


async def _end_rights(there: Caller, account: Account, *, at: datetime) -> None:
    """What the account has subscribed itself sees no more than the account would."""
    if not account.is_active or Scope.PII_FULL not in SCOPES_OF[account.role]:
        await webhooks.mask_personal_data(there, account_id=account.id, at=at)


async def end_sessions_of(account: Account, *, at: datetime) -> None:
    """End the sessions of an account that are open."""
    open_ones = Session.filter(
        account_id=account.id,
        organization_id=account.organization_id,
        ended_at=None,
        expires_at__gt=at,
    )
    await open_ones.update(ended_at=at)
