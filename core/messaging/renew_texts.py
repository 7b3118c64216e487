"""Key rotation: the texts of messages that wait, for up to a year, under the new key."""

from collections.abc import Callable

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt

BATCH_SIZE = 500
"""Rows of one transaction: they do not leave meanwhile."""

Renew = Callable[[str, str], str]
"""The encrypted text of the message of this id, encrypted again. Raises CannotDecrypt."""


async def renew_texts(renew: Renew) -> tuple[int, int]:
    """Put the texts that an older key made under the newest one. Answers how many messages changed,
    and how many no key of ours opens.

    It may be repeated, and it may be cut off: what was done is done.
    """
    renewed = lost = 0
    last = ""
    while True:
        async with transaction():
            batch = await db.fetch(LOCK, last, BATCH_SIZE, keyring().newest)
            fresh = []
            for row in batch:
                try:
                    text = renew(row["id"], row["sealed_text"])
                    fresh.append((row["id"], row["organization_id"], text))
                except CannotDecrypt:
                    lost += 1
            await db.execute_for(fresh, WRITE, *db.columns(fresh, 3))
        renewed += len(fresh)
        if len(batch) < BATCH_SIZE:
            return renewed, lost
        last = batch[-1]["id"]


LOCK = """
SELECT m.id, m.organization_id, m.sealed_text FROM waiting_messages w
JOIN messages m ON m.id = w.message_id AND m.organization_id = w.organization_id
WHERE w.message_id > $1 AND split_part(m.sealed_text, '.', 1) <> $3
ORDER BY w.message_id LIMIT $2 FOR UPDATE OF m
"""

WRITE = """
UPDATE messages m SET sealed_text = r.sealed_text
FROM unnest($1::text[], $2::text[], $3::text[]) AS r (id, organization_id, sealed_text)
WHERE m.id = r.id AND m.organization_id = r.organization_id
"""
