"""Key rotation: the e-mails that are still to leave, within a year, under the new key."""

from core.email.outgoing.seal import renewed
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt

BATCH_SIZE = 20
"""Rows of one transaction: each may have megabytes."""


async def renew_letters() -> tuple[int, int]:
    """Put the e-mails of the outbox that an older key made under the newest one. Answers how many
    changed, and how many no key of ours opens.

    It may be repeated, and it may be cut off: what was done is done.
    """
    fresh = lost = 0
    last = ""
    while True:
        async with transaction():
            batch = await db.fetch(LOCK, last, BATCH_SIZE, keyring().newest)
            for row in batch:
                try:
                    letter = renewed(row["message_id"], row["letter"])
                except CannotDecrypt:
                    lost += 1
                    continue
                fresh += await db.execute(WRITE, row["message_id"], letter, row["organization_id"])
        if len(batch) < BATCH_SIZE:
            return fresh, lost
        last = batch[-1]["message_id"]


# Of a large letter only the beginning is looked at.
LOCK = """
SELECT message_id, organization_id, letter FROM email_letters
WHERE message_id > $1 AND split_part(left(letter, 40), '.', 1) <> $3
ORDER BY message_id LIMIT $2 FOR UPDATE
"""

WRITE = "UPDATE email_letters SET letter = $2 WHERE message_id = $1 AND organization_id = $3"
