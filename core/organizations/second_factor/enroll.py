"""Adding a second factor to one's own account, and removing it."""

from dataclasses import replace

from tortoise.queryset import QuerySet

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
from core.organizations.accounts.own import refuse_wrong_password
from core.organizations.me import organization_of
from core.organizations.models import Account, SecondFactor
from core.organizations.own_organization import demands_second_factor
from core.organizations.second_factor.check import attempt_at, code_opens, context_of
from core.organizations.second_factor.errors import (
    NoSecondFactor,
    SecondFactorActive,
    WrongCode,
)
from core.organizations.second_factor.inputs import (
    CurrentPasswordOnly,
    SecondFactorCode,
    SecondFactorRemoval,
)
from core.organizations.second_factor.record import (
    NewSecondFactor,
    RecoveryCodes,
    SecondFactorRecord,
)
from core.organizations.second_factor.recovery import hash_of, new_codes
from core.organizations.second_factor.totp import new_secret, uri_of
from core.organizations.sessions.errors import NotForKeys
from core.organizations.sessions.locks import count_attempt, forgive


async def get_second_factor(caller: Caller) -> SecondFactorRecord:
    """Whether one's own log-in asks for a code. Raises NotForKeys."""
    factor = await SecondFactor.get_or_none(
        account_id=_own(caller), organization_id=caller.organization_id
    )
    active = factor is not None and factor.confirmed_at is not None
    left = len(factor.recovery_hashes) if factor is not None and active else 0
    return {
        "active": active,
        "demanded": await demands_second_factor(caller),
        "recoveryCodesLeft": left,
    }


async def add_second_factor(caller: Caller, new: CurrentPasswordOnly) -> NewSecondFactor:
    """A secret for an app; it replaces one that was never confirmed, and counts once it is.

    Raises NotForKeys, WrongPassword, LogInLocked and SecondFactorActive.
    """
    refuse_dry_run()
    id = _own(caller)
    await refuse_wrong_password(caller, new.current_password)
    secret, at = new_secret(), real_now()
    async with transaction():
        account = await Account.select_for_update().get(
            id=id, organization_id=caller.organization_id
        )
        own = _of(caller, id)
        if await own.filter(confirmed_at__isnull=False).exists():
            raise SecondFactorActive
        await own.delete()
        await SecondFactor.create(
            account_id=id,
            organization_id=caller.organization_id,
            secret_cipher=keyring().encrypt(secret, context=context_of(id)),
            created_at=at,
        )
    issuer = (await organization_of(caller))["nome"]
    return {
        "secret": secret,
        "uri": uri_of(secret, issuer=issuer, account=account.email or account.name),
    }


async def confirm_second_factor(caller: Caller, shown: SecondFactorCode) -> RecoveryCodes:
    """From here on the log-in asks for a code, since the app has shown that it has the secret.

    Raises NotForKeys, NoSecondFactor, SecondFactorActive, WrongCode and LogInLocked.
    """
    refuse_dry_run()
    id = _own(caller)
    await count_attempt(attempt_at(id), at=real_now())
    codes, at = new_codes(), real_now()
    async with transaction():
        factor = existing(await _held(caller, id), NoSecondFactor)
        if factor.confirmed_at is not None:
            raise SecondFactorActive
        if await code_opens(factor, shown.code, at=at) is None:
            raise WrongCode
        factor.confirmed_at = at
        factor.recovery_hashes = [hash_of(id, code) for code in codes]
        await factor.save(update_fields=["confirmed_at", "recovery_hashes"])
        await forgive(attempt_at(id))
        await audit.write_entry(_told_live(caller), "account.second_factor_added", id, at=at)
    return {"recoveryCodes": codes}


async def remove_second_factor(caller: Caller, removal: SecondFactorRemoval) -> None:
    """From here on the password alone opens. Raises NotForKeys, WrongPassword, NoSecondFactor,
    WrongCode and LogInLocked.
    """
    refuse_dry_run()
    id = _own(caller)
    await refuse_wrong_password(caller, removal.current_password)
    await count_attempt(attempt_at(id), at=real_now())
    at = real_now()
    async with transaction():
        factor = await _held(caller, id)
        if factor is None or factor.confirmed_at is None:
            raise NoSecondFactor
        if await code_opens(factor, removal.code, at=at) is None:
            raise WrongCode
        await factor.delete()
        await forgive(attempt_at(id))
        await audit.write_entry(_told_live(caller), "account.second_factor_removed", id, at=at)


def _own(caller: Caller) -> str:
    if caller.kind != "session" or caller.account_id is None:
        raise NotForKeys
    return caller.account_id


def _of(caller: Caller, account_id: str) -> QuerySet[SecondFactor]:
    return SecondFactor.filter(account_id=account_id, organization_id=caller.organization_id)


async def _held(caller: Caller, account_id: str) -> SecondFactor | None:
    return await _of(caller, account_id).select_for_update().first()


def _told_live(caller: Caller) -> Caller:
    """A person works in both environments; what happens to one is told in the live one."""
    return replace(caller, env="live")
