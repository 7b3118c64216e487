"""Uploads whose messages have left with their month."""

from datetime import datetime

from core.foundation.database import db


async def expire_unused(part: str, inside: str, *, at: datetime) -> None:
    """Let uploads expire whose time is over and that no message uses but these.

    `part`: a detached partition of messages. `inside`: the condition for a batch of its rows.
    """
    await db.execute(EXPIRE.format(part=part, inside=inside), at)


EXPIRE = """
UPDATE media_files f SET expires_at = $1
FROM (SELECT DISTINCT organization_id, env, split_part(media ->> 'key', '/', 2) AS id, media ->> 'key' AS key
      FROM {part} WHERE {inside} AND direction = 'outbound' AND media ->> 'key' IS NOT NULL) AS g
WHERE f.id = g.id AND f.organization_id = g.organization_id AND f.env = g.env AND f.blob_key = g.key
  AND f.created_at + interval '30 days' <= $1
  AND NOT EXISTS (
      SELECT FROM messages o
      WHERE o.organization_id = f.organization_id AND o.env = f.env AND o.number_id = f.number_id
        AND o.created_at >= f.created_at AND o.media ->> 'key' = f.blob_key)
"""
