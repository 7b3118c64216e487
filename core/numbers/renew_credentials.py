"""Key rotation: access tokens of numbers and accounts are encrypted under the new key."""

from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.numbers.models import InstagramAccount, Number
from core.numbers.sender_accounts import context_of


async def renew_credentials() -> tuple[int, int]:
    """Encrypt anew what an older key made: how many, and how many no key opens. A change meanwhile
    wins.
    """
    renewed = lost = 0
    for kind in (Number, InstagramAccount):
        for sender in await kind.filter(credentials__isnull=False).order_by("id"):
            assert sender.credentials is not None
            if keyring().is_current(sender.credentials):
                continue
            try:
                token = keyring().renew(sender.credentials, context=context_of(sender))
            except CannotDecrypt:
                lost += 1
                continue
            stored = kind.filter(id=sender.id, credentials=sender.credentials)
            renewed += await stored.update(credentials=token)
    return renewed, lost
