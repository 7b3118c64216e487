"""Encrypting the documents of contacts again, so that an older key can go."""

from typing import Any

from core.contacts.documents import DOCUMENT_COLUMNS, renewed_document
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.secrets import CannotDecrypt

BATCH_SIZE = 1_000
COLUMNS = tuple(DOCUMENT_COLUMNS.values())


async def renew_documents() -> tuple[int, int]:
    """Put everything under the newest key. Answers how many contacts changed, and how many no key
    of ours opens.

    It may be repeated, and it may be cut off: what was done is done.
    """
    renewed = lost = 0
    last = ""
    while True:
        async with transaction():
            batch = await db.fetch(LOCK, last, BATCH_SIZE)
            changed = []
            for row in batch:
                try:
                    changed += _renewed(row)
                except CannotDecrypt:
                    lost += 1
            await db.execute_for(changed, WRITE, *zip(*changed, strict=True))
        renewed += len(changed)
        if len(batch) < BATCH_SIZE:
            return renewed, lost
        last = batch[-1]["id"]


def _renewed(row: Any) -> list[tuple[str | None, ...]]:
    """The contact with fresh ciphers; nothing when all of them are fresh."""
    fresh = [renewed_document(row["id"], column, row[column]) for column in COLUMNS]
    return [(row["id"], *fresh)] if fresh != [row[column] for column in COLUMNS] else []


LOCK = f"""
SELECT id, {", ".join(COLUMNS)} FROM contacts
WHERE id > $1 AND num_nonnulls({", ".join(COLUMNS)}) > 0
ORDER BY id LIMIT $2 FOR UPDATE
"""

WRITE = f"""
UPDATE contacts c SET {", ".join(f"{column} = r.{column}" for column in COLUMNS)}
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (id, {", ".join(COLUMNS)})
WHERE c.id = r.id
"""
