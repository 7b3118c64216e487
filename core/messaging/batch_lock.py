"""The advisory lock that the batches of a process take in PostgreSQL, so that each is written at
once.

Two batches that are written side by side share PostgreSQL's core: both end late, and together.
Until then the API has nothing to do, and afterwards PostgreSQL has nothing. One behind the other,
one is written while the other is answered and read (docs/decisions, 2).
"""

import secrets
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from core.foundation.database import cell, db

SECONDS_OF_A_SEND = 0.000_3
"""What PostgreSQL works for one send of a batch, on a machine that is slow."""

WORTH_SECONDS = 0.002
"""What a batch may take besides: the commit, and the way there and back. The lock is held
meanwhile; where that takes longer, batches side by side are sooner done.
"""

REMEMBERED = 64
"""Batches of which the quickest tells what they take: others waited for the lock, or for this
process.
"""


class BatchLock:
    """The lock of this process in one database, and whether it is worth taking."""

    def __init__(self) -> None:
        self._key: int | None = None
        self._besides: deque[float] = deque(maxlen=REMEMBERED)

    def key(self) -> int | None:
        """What to lock; None where batches had better be written side by side."""
        if self._besides and min(self._besides) > WORTH_SECONDS:
            return None
        if self._key is None:  # when it is needed: processes that are forked have one each
            self._key = secrets.randbits(31)
        return self._key

    def took(self, seconds: float, *, sends: int) -> None:
        """Remember how long a batch of so many sends took."""
        self._besides.append(seconds - sends * SECONDS_OF_A_SEND)


_locks: defaultdict[str, BatchLock] = defaultdict(BatchLock)
"""By cell."""


@contextmanager
def one_behind_the_other(sends: int) -> Iterator[int | None]:
    """What the batch that is written here has to lock; None for nothing.

    A transaction goes on after its batch, and may wait for a batch that waits for the lock: it
    takes none. Nor does a single send, which may be one of a batch that failed as a whole. Where
    Citus has placed the schema, statements run elsewhere than where they are locked.
    """
    if sends == 1 or db.is_in_transaction() or db.is_distributed():
        yield None
        return
    lock = _locks[cell.current().name]
    began = time.perf_counter()
    yield lock.key()
    lock.took(time.perf_counter() - began, sends=sends)


SPACE = 1_937_139_316
"""Of the advisory locks with two numbers, those of batches: «svct»."""


def lock_sql(key: str, *, behind: str) -> str:
    """The query that takes the lock of the parameter `key`, or none if it is null, when the query
    `behind` has all its rows: whoever waits for a wallet holds up nobody else.
    """
    return f"""
    SELECT pg_advisory_xact_lock({SPACE}, {key}::int) FROM (SELECT count(*) FROM {behind}) AS w
    WHERE {key}::int IS NOT NULL"""
