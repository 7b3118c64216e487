"""Re-encrypting the credentials of apps after a key rotation."""

from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.push.apps import context_of
from core.push.models import PushApp


async def renew_credentials() -> tuple[int, int]:
    """Encrypt anew what an older key made: how many, and how many no key opens. A change meanwhile
    wins.
    """
    renewed = lost = 0
    for app in await PushApp.filter(credentials__isnull=False).order_by("id").values():
        if keyring().is_current(app["credentials"]):
            continue
        try:
            context = context_of(app["organization_id"], app["env"], app["app_id"])
            token = keyring().renew(app["credentials"], context=context)
        except CannotDecrypt:
            lost += 1
            continue
        same = PushApp.filter(id=app["id"], organization_id=app["organization_id"])
        renewed += await same.filter(credentials=app["credentials"]).update(credentials=token)
    return renewed, lost
