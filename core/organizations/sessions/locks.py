"""Who guesses passwords is locked out for a while: five failures in a row of one e-mail from one place.

An attempt counts before its password is looked at, and stops counting when the password was right: so not more than
five guesses are looked at, however many come at once. It counts alike for addresses that nobody has.
"""

import math
from datetime import datetime, timedelta

from core.foundation import db
from core.foundation.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations.addresses import household_of
from core.organizations.sessions.errors import LogInLocked

MOST_FAILURES = 5
LOCK = timedelta(minutes=15)


def identity_of(email: str, address: str | None) -> bytes:
    """Under what failures are counted; it tells nothing without the key."""
    return keyed_hash(current().hash_key.encode(), f"log-in {household_of(address)} {email}")


async def count_attempt(identity: bytes, *, at: datetime) -> None:
    """Count one attempt, in a commit of its own. Raises LogInLocked."""
    row = await db.fetchrow(COUNT, identity, at, at + LOCK, MOST_FAILURES)
    assert row is not None
    if row["failures"] > MOST_FAILURES:
        raise LogInLocked(max(1, math.ceil((row["locked_until"] - at).total_seconds())))


async def forgive(identity: bytes) -> None:
    """The password was right: none of the attempts before it counts any more."""
    await db.execute("DELETE FROM failed_log_ins WHERE identity = $1", identity)


# A lock that is over begins the count anew; one that holds is not prolonged.
COUNT = """
INSERT INTO failed_log_ins AS f (identity, failures, updated_at) VALUES ($1, 1, $2)
ON CONFLICT (identity) DO UPDATE SET
    failures = CASE WHEN f.locked_until <= $2 THEN 1 ELSE f.failures + 1 END,
    locked_until = CASE WHEN f.locked_until > $2 THEN f.locked_until
                        WHEN f.locked_until IS NULL AND f.failures + 1 >= $4 THEN $3 END,
    updated_at = $2
RETURNING failures, locked_until
"""
