"""Erasure: deleting the files of messages that are being erased."""

from collections.abc import Collection

from core import messaging
from core.foundation import files as file_store
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller

# A file that was sent to others too stays with their messages: it is looked for among those of its
# number, from its upload on. What was received belongs to its message alone.
FORGET = """
WITH let_go AS (
    SELECT DISTINCT e.key FROM unnest($4::text[]) AS e (key) LEFT JOIN media_files f
        ON f.organization_id = $1 AND f.env = $2 AND f.blob_key = e.key
        AND f.id = split_part(e.key, '/', 2)
    WHERE f.id IS NULL OR NOT EXISTS (
        SELECT FROM messages o WHERE o.organization_id = $1 AND o.env = $2 AND o.number_id = f.number_id
            AND o.created_at >= f.created_at AND o.media ->> 'key' = e.key AND o.id <> ALL ($3))),
files AS (
    UPDATE media_files f SET blob_key = NULL, platform_id = NULL, filename = '' FROM let_go l
    WHERE f.organization_id = $1 AND f.env = $2 AND f.id = split_part(l.key, '/', 2) AND f.blob_key = l.key)
SELECT key FROM let_go
"""


async def forget_media_of(caller: Caller, message_ids: Collection[str]) -> list[str]:
    """Take the files from these messages, in the transaction that erases them; answers the keys of
    those that go.

    They are due for removal; `file_store.remove_now` after the commit does it at once.
    """
    copies = await messaging.take_copies(caller, message_ids)
    rows = await db.fetch(FORGET, caller.organization_id, caller.env, list(message_ids), copies)
    keys = column(rows, "key")
    await file_store.discard(caller, keys)
    return keys
