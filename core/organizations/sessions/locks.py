"""Lockout after failed log-ins: five in a row of one e-mail from one network address.

From one place all e-mails together have a bound too: else a list of addresses with one common
password would be tried. An attempt counts before its password is looked at, and stops counting when
the password was right: so not more guesses are looked at, however many come at once. It counts
alike for addresses that nobody has.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict, cast

from tortoise.expressions import F

from core.cells import HOME, use_cell
from core.foundation.database import db
from core.foundation.dry_run import refuse_dry_run
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations.addresses import household_of
from core.organizations.models import FailedLogIn
from core.organizations.sessions.errors import LogInLocked

MAX_FAILURES = 5
LOCK = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Under what an attempt is counted: keyed hashes, which tell nothing without the key.

    `place` is None behind a socket file, where everybody would be one.
    """

    identity: bytes
    place: bytes | None


def attempt_of(email: str, address: str | None) -> Attempt:
    """That of an e-mail from the client's network address."""
    household, key = household_of(address), current().hash_key.encode()
    place = keyed_hash(key, f"log-ins from {household}") if household else None
    return Attempt(keyed_hash(key, f"log-in {household} {email}"), place)


async def count_attempt(attempt: Attempt, *, at: datetime) -> bool:
    """Count one attempt, each count in a commit of its own; whether its identity is locked should this
    one fail too. Raises LogInLocked; and NotRehearsable, because a dry run would take the count back, and
    guesses would be free.
    """
    refuse_dry_run()
    with use_cell(HOME):  # whose log-in it is, nobody knows yet
        if attempt.place is not None:
            most = current().log_in_failures_per_address
            of_place = await db.fetchrow(COUNT_OF_PLACE, attempt.place, at, at + LOCK)
            _refuse_beyond(most, cast("CountRow | None", of_place), at)
        counted = await db.fetchrow(COUNT, attempt.identity, at, at + LOCK, MAX_FAILURES)
    return _refuse_beyond(MAX_FAILURES, cast("CountRow | None", counted), at) == MAX_FAILURES


class CountRow(TypedDict):
    """Attempts that failed, and until when they lock."""

    failures: int
    locked_until: datetime


def _refuse_beyond(most: int, counted: CountRow | None, at: datetime) -> int:
    """How many there are. Raises LogInLocked."""
    assert counted is not None
    if counted["failures"] > most:
        raise LogInLocked(max(1, math.ceil((counted["locked_until"] - at).total_seconds())))
    return counted["failures"]


async def forgive(attempt: Attempt) -> None:
    """The password was right: no attempt before it counts any more for its e-mail; for its place,
    this one does not.

    Whoever has an account of his own must not clear the count of his guesses at others.
    """
    with use_cell(HOME):
        await FailedLogIn.filter(identity=attempt.identity).delete()
        if attempt.place is not None:
            of_place = FailedLogIn.filter(identity=attempt.place)
            await of_place.filter(failures=1).delete()
            await of_place.update(failures=F("failures") - 1)


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

# So many in a stretch of time that begins with the first of them; `locked_until` is its end.
COUNT_OF_PLACE = """
INSERT INTO failed_log_ins AS f (identity, failures, locked_until, updated_at) VALUES ($1, 1, $3, $2)
ON CONFLICT (identity) DO UPDATE SET
    failures = CASE WHEN f.locked_until <= $2 THEN 1 ELSE f.failures + 1 END,
    locked_until = CASE WHEN f.locked_until <= $2 THEN $3 ELSE f.locked_until END,
    updated_at = $2
RETURNING failures, locked_until
"""
