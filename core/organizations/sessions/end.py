"""Logging out."""

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.organizations.authenticate import evict_credential
from core.organizations.sessions.errors import NotASession


async def end_session(caller: Caller) -> None:
    """End the session that calls; other processes refuse it within two seconds. Raises NotASession."""
    if caller.kind != "session":
        raise NotASession
    at = now()
    async with transaction():
        digest = await db.fetchval(
            END, caller.credential_id, caller.organization_id, caller.env, at
        )
        if digest is None:  # another request ended it a moment ago
            return
        await audit.write_entry(caller, "session.ended", caller.credential_id, at=at)
    evict_credential(digest)


END = """
UPDATE sessions SET ended_at = $4
WHERE id = $1 AND organization_id = $2 AND env = $3 AND ended_at IS NULL
RETURNING token_hash
"""
