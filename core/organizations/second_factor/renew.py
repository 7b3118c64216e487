"""Re-encrypting the secrets of second factors after a key rotation."""

from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.organizations.models import SecondFactor
from core.organizations.second_factor.check import context_of


async def renew_second_factors() -> tuple[int, int]:
    """Encrypt anew what an older key made: how many, and how many no key opens. A change meanwhile
    wins.
    """
    renewed = lost = 0
    for factor in await SecondFactor.all().order_by("account_id"):
        if keyring().is_current(factor.secret_cipher):
            continue
        try:
            secret = keyring().renew(factor.secret_cipher, context=context_of(factor.account_id))
        except CannotDecrypt:
            lost += 1
            continue
        same = SecondFactor.filter(account_id=factor.account_id, secret_cipher=factor.secret_cipher)
        renewed += await same.update(secret_cipher=secret)
    return renewed, lost
