"""Re-encrypting the credentials of apps after a key rotation."""

from core.foundation.database import db
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.push.apps import context_of


async def renew_credentials() -> tuple[int, int]:
    """Encrypt anew what an older key made: how many, and how many no key opens. A change meanwhile
    wins.
    """
    renewed = lost = 0
    for row in await db.fetch("SELECT * FROM push_apps WHERE credentials IS NOT NULL ORDER BY id"):
        if keyring().is_current(row["credentials"]):
            continue
        try:
            context = context_of(row["organization_id"], row["env"], row["app_id"])
            token = keyring().renew(row["credentials"], context=context)
        except CannotDecrypt:
            lost += 1
            continue
        renewed += await db.execute(
            "UPDATE push_apps SET credentials = $2 WHERE id = $1 AND credentials = $3",
            row["id"],
            token,
            row["credentials"],
        )
    return renewed, lost
