"""Opening, reading and revoking accounts of SMPP."""

from typing import Any

from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope, system_caller
from core.smpp.errors import NoSuchSmppAccount, SystemIdTaken
from core.smpp.inputs import NewSmppAccount
from core.smpp.models import SmppAccount, env_of
from core.smpp.passwords import hash_of, new_password


class NetworksMissing(ValidationFailed):
    default_detail = "An account of live names the networks that it may be used from."

    def __init__(self) -> None:
        super().__init__(
            errors=[FieldError("pointer", "/ips", "required", "Name at least one network")]
        )


async def create_account(caller: Caller, new: NewSmppAccount) -> dict[str, Any]:
    """Open an account of the environment that `new` names: its record, and `password`, which is
    shown here and nowhere else. Raises SystemIdTaken, NetworksMissing.
    """
    caller.require(Scope.KEYS_MANAGE)
    if new.env == "live" and new.ips is None:
        raise NetworksMissing
    at, password = real_now(), new_password()
    try:
        async with transaction():
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
                created_at=at,
            )
            there = system_caller(caller.organization_id, new.env, request_id=caller.request_id)
            facts = {"networks": len(new.ips or ()), "maxBinds": new.max_binds}
            await audit.write_entry(there, "smpp_account.created", account.id, facts, at=at)
    except IntegrityError:
        raise SystemIdTaken from None
    return {**account_record(account), "password": password}


async def list_accounts(caller: Caller) -> dict[str, Any]:
    """The accounts of the caller's organization in both environments, newest first: `{items}`."""
    caller.require(Scope.KEYS_MANAGE)
    found = SmppAccount.filter(organization_id=caller.organization_id)
    accounts = await found.order_by("-created_at", "-id")
    return {"items": [account_record(account) for account in accounts]}


async def revoke_account(caller: Caller, id: str) -> dict[str, Any]:
    """End an account: its binds are unbound within two seconds, and nobody binds with it again. One
    that is revoked stays as it is. Raises NoSuchSmppAccount.
    """
    caller.require(Scope.KEYS_MANAGE)
    async with transaction():
        account = await account_for_change(caller, id)
        if account.revoked_at is None:
            at = real_now()
            account.revoked_at = at
            await account.save(update_fields=["revoked_at"])
            there = system_caller(account.organization_id, env_of(account))
            await audit.write_entry(there, "smpp_account.revoked", account.id, at=at)
    return account_record(account)


async def owner_of_account(id: str) -> Caller:
    """The service at work for the organization of an account: the shell names one by its id alone.
    Raises NoSuchSmppAccount.
    """
    account = await SmppAccount.get_or_none(id=id) if is_id("smp", id) else None
    if account is None:
        raise NoSuchSmppAccount
    return system_caller(account.organization_id, env_of(account))


async def account_for_change(caller: Caller, id: str) -> SmppAccount:
    """The account, held until the transaction ends. Raises NoSuchSmppAccount."""
    found = SmppAccount.filter(organization_id=caller.organization_id).select_for_update()
    account = await found.get_or_none(id=id) if is_id("smp", id) else None
    if account is None:
        raise NoSuchSmppAccount
    return account


def account_record(account: SmppAccount) -> dict[str, Any]:
    """What may be shown of an account."""
    record = {
        "id": account.id,
        "env": account.env,
        "systemId": account.system_id,
        "route": account.route,
        "ips": account.ips,
        "maxBinds": account.max_binds,
        "window": account.window,
        "throttle": account.throttle,
        "charset": account.charset,
        "createdAt": wire_time(account.created_at),
        "revokedAt": wire_time(account.revoked_at) if account.revoked_at else None,
    }
    return {name: value for name, value in record.items() if value is not None}
