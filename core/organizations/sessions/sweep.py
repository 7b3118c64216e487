"""What is left of log-ins goes after a while; the audit trail remembers them."""

from datetime import datetime, timedelta

from core.cells import KeyKind, forget_keys
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.moved_clocks import unless_moved

FAILURES_STAY = timedelta(days=1)
SESSIONS_STAY = timedelta(days=30)


BATCH_SIZE = 5_000


async def delete_old_sessions(*, at: datetime) -> int:
    """Forget sessions that ended long ago, failures that nobody repeated and links that nobody
    opened. Answers how many rows went.

    A batch of each at a time, so that no transaction is long; call it until it answers 0.
    """
    # A session that was ended early still carries the end that it would have had.
    sessions = await db.fetch(*unless_moved(DELETE_SESSIONS, at - SESSIONS_STAY, BATCH_SIZE))
    failures = await db.execute(DELETE_FAILURES, at - FAILURES_STAY, BATCH_SIZE)
    links = await db.fetch(*unless_moved(DELETE_LINKS, at, BATCH_SIZE))
    await forget_keys(KeyKind.SESSION, column(sessions, "token_hash"))
    await forget_keys(KeyKind.LINK, column(links, "token_hash"))
    return len(sessions) + failures + len(links)


DELETE_SESSIONS = """
DELETE FROM sessions WHERE id = ANY (ARRAY(
    SELECT id FROM sessions WHERE expires_at < $1 /* unless moved */
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
)) RETURNING token_hash
"""

DELETE_FAILURES = """
DELETE FROM failed_log_ins WHERE id = ANY (ARRAY(
    SELECT id FROM failed_log_ins WHERE updated_at < $1 ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED
))
"""

DELETE_LINKS = """
DELETE FROM account_tokens WHERE id = ANY (ARRAY(
    SELECT id FROM account_tokens WHERE expires_at < $1 /* unless moved */
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
)) RETURNING token_hash
"""
