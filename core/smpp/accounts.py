"""Opening, reading, changing and revoking accounts of SMPP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from tortoise.queryset import QuerySet

from core import audit
from core.cells import KeyKind, take_name
from core.cells import hash_of as hash_of_name
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import conflict_as
from core.foundation.database.where import Where
from core.foundation.dry_run import refuse_dry_run
from core.foundation.ids import new_id, well_formed_id
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope, system_caller
from core.smpp.errors import (
    NetworksMissing,
    NoSuchSmppAccount,
    SmppAccountRevoked,
    SystemIdTaken,
)
from core.smpp.inputs import NewSmppAccount, SmppAccountChanges, SmppAccountFilter
from core.smpp.models import SmppAccount
from core.smpp.passwords import hash_of, new_password
from core.smpp.record import (
    SMPP_ACCOUNT,
    SmppAccountPage,
    SmppAccountRecord,
    SmppCredentials,
    account_record,
)

ACCOUNTS = 'SELECT *, "window" AS window_size FROM smpp_accounts'
"""`window` is a word of SQL."""


async def create_account(caller: Caller, new: NewSmppAccount) -> SmppCredentials:
    """Open an account of the environment that `new` names: its record, and `password`, which is
    shown here and nowhere else. Raises SystemIdTaken, NetworksMissing.
    """
    caller.require(Scope.KEYS_MANAGE)
    refuse_dry_run()
    if new.env == "live" and new.ips is None:
        raise NetworksMissing
    at, password = real_now(), new_password()
    async with transaction():
        await _take_name(caller, new.system_id)
        with conflict_as({"smpp_accounts_system_id_key": SystemIdTaken}):
            account = await SmppAccount.create(
                id=new_id("smp"),
                organization_id=caller.organization_id,
                env=new.env,
                system_id=new.system_id,
                password_hash=hash_of(new.system_id, password),
                route=new.route,
                ips=new.ips,
                max_binds=new.max_binds,
                window=new.window,
                throttle=new.throttle,
                charset=new.charset,
                dedupe_seconds=new.dedupe_seconds,
                receipts=new.receipts,
                receipt_ids=new.receipt_ids,
                receipt_zone=new.receipt_zone,
                long_replies=new.long_replies,
                certificates=new.certificates,
                created_at=at,
            )
        facts = {"networks": len(new.ips or ()), "maxBinds": new.max_binds}
        there = in_environment_of(caller, account)
        await audit.write_entry(there, "smpp_account.created", account.id, facts, at=at)
    return {**account_record(account), "password": password}


async def _take_name(caller: Caller, system_id: str) -> None:
    """Note whose it is, for binds. Raises SystemIdTaken where somebody of another cell has it."""
    named = hash_of_name(KeyKind.SMPP, system_id)
    look = "SELECT organization_id FROM smpp_accounts WHERE system_id = $1"
    if not await take_name(KeyKind.SMPP, named, caller.organization_id, look=look, key=system_id):
        raise SystemIdTaken


async def list_accounts(caller: Caller, filter: SmppAccountFilter) -> WrittenPage[SmppAccountPage]:
    """A page of the accounts of the caller's organization in both environments, newest first."""
    caller.require(Scope.KEYS_MANAGE)
    where = Where([caller.organization_id], ["organization_id = $1"])
    where.narrow_given(("env = {}", filter.env))
    return await newest_records(
        caller, SMPP_ACCOUNT, "smpp_accounts", where, filter, select=ACCOUNTS
    )


async def get_account(caller: Caller, id: str) -> SmppAccountRecord:
    """One account of the caller's organization. Raises NoSuchSmppAccount."""
    caller.require(Scope.KEYS_MANAGE)
    return account_record(await _the_account(_accounts_of(caller), id))


async def change_account(caller: Caller, id: str, changes: SmppAccountChanges) -> SmppAccountRecord:
    """Change what was sent and nothing else; binds that are open follow within two seconds. Raises
    NoSuchSmppAccount, SmppAccountRevoked, NetworksMissing.
    """
    caller.require(Scope.KEYS_MANAGE)
    async with account_for_change(caller, id) as account:
        sent = {name: getattr(changes, name) for name in changes.model_fields_set}
        if account.env == "live" and sent.get("ips", account.ips) is None:
            raise NetworksMissing
        changed = {name: value for name, value in sent.items() if getattr(account, name) != value}
        if changed:
            await account.update_from_dict(changed).save(update_fields=list(changed))
            facts = {"changed": sorted(changed), "networks": len(account.ips or ())}
            there = in_environment_of(caller, account)
            await audit.write_entry(there, "smpp_account.changed", account.id, facts, at=real_now())
    return account_record(account)


async def revoke_account(caller: Caller, id: str) -> SmppAccountRecord:
    """End an account: its binds are unbound within two seconds, and nobody binds with it again. One
    that is revoked stays as it is. Raises NoSuchSmppAccount.
    """
    caller.require(Scope.KEYS_MANAGE)
    async with transaction():
        account = await _the_account(_accounts_of(caller).select_for_update(), id)
        if account.revoked_at is None:
            at = real_now()
            account.revoked_at = at
            await account.save(update_fields=["revoked_at"])
            there = in_environment_of(caller, account)
            await audit.write_entry(there, "smpp_account.revoked", account.id, at=at)
    return account_record(account)


async def owner_of_account(id: str) -> Caller:
    """The service at work for the organization of an account: the shell names one by its id alone.
    Raises NoSuchSmppAccount.
    """
    account = await _the_account(SmppAccount.all(), id)
    return system_caller(account.organization_id, account.env)


@asynccontextmanager
async def account_for_change(caller: Caller, id: str) -> AsyncIterator[SmppAccount]:
    """A transaction that holds the account. Raises NoSuchSmppAccount, SmppAccountRevoked."""
    async with transaction():
        account = await _the_account(_accounts_of(caller).select_for_update(), id)
        if account.revoked_at is not None:
            raise SmppAccountRevoked
        yield account


def in_environment_of(caller: Caller, account: SmppAccount) -> Caller:
    """The caller where the account sends: what happens to it is told there."""
    return replace(caller, env=account.env)


def _accounts_of(caller: Caller) -> QuerySet[SmppAccount]:
    return SmppAccount.filter(organization_id=caller.organization_id)


async def _the_account(among: QuerySet[Any], id: str) -> SmppAccount:
    account: SmppAccount | None = await among.get_or_none(
        id=well_formed_id("smp", id, NoSuchSmppAccount)
    )
    return existing(account, NoSuchSmppAccount)
