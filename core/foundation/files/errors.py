"""Failures of the file store: what it does not have, and that it cannot be reached."""

import errno

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


def disk_away(error: OSError) -> StoreAway:
    """The same for a failure of the disk, as `ENOSPC`."""
    return away(errno.errorcode.get(error.errno or 0, type(error).__name__))


class NoSuchBlob(Exception):
    """Nothing lies under the key."""
