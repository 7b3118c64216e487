"""Logging out: of the session that calls, and of others."""

from dataclasses import replace
from functools import partial

from core import audit
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.organizations.accounts.ranks import own_role, refuse_above
from core.organizations.authenticate import evict_credential
from core.organizations.models import Role
from core.organizations.sessions.errors import NoSuchSession, NotASession
from core.organizations.sessions.queries import refuse_keys


async def end_session(caller: Caller) -> None:
    """End the session that calls; other processes refuse it within two seconds. Raises NotASession."""
    if caller.kind != "session":
        raise NotASession
    at = real_now()
    async with transaction():
        digest = await db.fetchval(
            END, caller.credential_id, caller.organization_id, caller.env, at
        )
        if digest is None:  # another request ended it a moment ago
            return
        await audit.write_entry(caller, "session.ended", caller.credential_id, at=at)
    evict_credential(digest)


async def end_one_session(caller: Caller, id: str) -> None:
    """End an open session of either environment: one of the caller's own, or of anybody where the
    caller looks after others. Raises NotForKeys, NoSuchSession, RoleAboveOwn.
    """
    refuse_keys(caller)
    at = real_now()
    async with transaction():
        found = (
            await db.fetchrow(HELD, id, caller.organization_id, at) if is_id("ses", id) else None
        )
        if found is None or not _may_end(caller, found):
            raise NoSuchSession
        facts = {}
        if found["account_id"] != caller.account_id:
            refuse_above(await own_role(caller), Role(found["role"]))
            facts = {"accountId": found["account_id"]}
        digest = await db.fetchval(END, id, caller.organization_id, found["env"], at)
        there = replace(caller, env=found["env"])
        await audit.write_entry(there, "session.ended", id, facts, at=at)
        await after_commit(partial(_forget, digest))


def _may_end(caller: Caller, found: HasColumns) -> bool:
    return found["account_id"] == caller.account_id or caller.may(Scope.ACCOUNTS_MANAGE)


async def _forget(digest: bytes) -> None:
    evict_credential(digest)


END = """
UPDATE sessions SET ended_at = $4
WHERE id = $1 AND organization_id = $2 AND env = $3 AND ended_at IS NULL
RETURNING token_hash
"""

HELD = """
SELECT s.account_id, s.env, a.role FROM sessions s JOIN accounts a ON a.id = s.account_id AND a.organization_id = s.organization_id
WHERE s.id = $1 AND s.organization_id = $2 AND s.ended_at IS NULL AND s.expires_at > $3
FOR UPDATE OF s
"""
