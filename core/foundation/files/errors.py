"""Failures of the file store: what it does not have, and that it cannot be reached."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from core.foundation.errors import ServiceUnavailable

log = structlog.get_logger()


class StoreAway(ServiceUnavailable):
    default_detail = "The store of files cannot be reached; repeat the request in a moment."

    def __init__(self) -> None:
        super().__init__(retry_after=5)


def away(kind: str) -> StoreAway:
    """What to raise, once the log is told what kind of failure it was: a closed word, no path and
    no key.
    """
    log.warning("files_away", error=kind)
    return StoreAway()


@contextmanager
def disk_away() -> Iterator[None]:
    """The same for a failure of the disk inside, as `ENOSPC`. Raises StoreAway."""
    try:
        yield
    except OSError as error:
        kind = errno.errorcode.get(error.errno or 0, type(error).__name__)
        raise away(kind) from None


class NoSuchBlob(Exception):
    """Nothing lies under the key."""
