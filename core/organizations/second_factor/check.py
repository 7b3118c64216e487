"""Looking at a code: of the app once, in its time; a recovery code once."""

from datetime import datetime

from tortoise.queryset import QuerySet

from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations.models import Account, SecondFactor
from core.organizations.second_factor.errors import SecondFactorNeeded, WrongSecondFactor
from core.organizations.second_factor.recovery import hash_of
from core.organizations.second_factor.totp import step_that_fits
from core.organizations.sessions.locks import Attempt, count_attempt

__all__ = ["SecondFactorNeeded", "WrongSecondFactor", "ask_for_it", "code_opens", "use_code"]


async def ask_for_it(account: Account, code: str | None) -> Attempt | None:
    """Count a try at the second factor of an account that has one; None where it has none.

    Tries are counted by account, wherever they come from: six digits are few. Raises
    SecondFactorNeeded without a code, LogInLocked after five.
    """
    if not await _confirmed_of(account).exists():
        return None
    if code is None:
        raise SecondFactorNeeded
    attempt = attempt_at(account.id)
    await count_attempt(attempt, at=real_now())
    return attempt


async def use_code(account: Account, code: str) -> str:
    """Use up a code, in the transaction around: `app` or `recovery`. Raises WrongSecondFactor."""
    factor = await _confirmed_of(account).select_for_update().first()
    return existing(
        None if factor is None else await code_opens(factor, code, at=real_now()), WrongSecondFactor
    )


def _confirmed_of(account: Account) -> QuerySet[SecondFactor]:
    return SecondFactor.filter(
        account_id=account.id, organization_id=account.organization_id, confirmed_at__isnull=False
    )


async def code_opens(factor: SecondFactor, code: str, *, at: datetime) -> str | None:
    """By what a code opens, which it does once: `app`, `recovery` or None. The row is held."""
    secret = open_secret(factor)
    step = step_that_fits(secret, code, at=at, after=factor.last_step)
    if step is not None:
        factor.last_step = step
        await factor.save(update_fields=["last_step"])
        return "app"
    digest = hash_of(factor.account_id, code)
    if digest not in factor.recovery_hashes:
        return None
    factor.recovery_hashes = [one for one in factor.recovery_hashes if one != digest]
    await factor.save(update_fields=["recovery_hashes"])
    return "recovery"


def attempt_at(account_id: str) -> Attempt:
    """Under what tries at the codes of an account are counted."""
    key = current().hash_key.encode()
    return Attempt(keyed_hash(key, f"second factor of {account_id}"), None)


def open_secret(factor: SecondFactor) -> str:
    """The secret that the app has too."""
    return keyring().decrypt(factor.secret_cipher, context=context_of(factor.account_id))


def context_of(account_id: str) -> str:
    """Where the secret lives."""
    return f"second_factors.secret_cipher:{account_id}"
