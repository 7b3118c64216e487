"""What is left of log-ins goes after a while; the audit trail remembers them."""

from datetime import datetime, timedelta

from core.foundation import db

FAILURES_STAY = timedelta(days=1)
SESSIONS_STAY = timedelta(days=30)


async def forget_old_sessions(*, at: datetime) -> int:
    """Forget sessions that ended long ago and failures that nobody repeated. Answers how many rows went."""
    # A session that was ended early still carries the end that it would have had.
    sessions = await db.execute("DELETE FROM sessions WHERE expires_at < $1", at - SESSIONS_STAY)
    failures = await db.execute("DELETE FROM failed_log_ins WHERE updated_at < $1", at - FAILURES_STAY)
    return sessions + failures
