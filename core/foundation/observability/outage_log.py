"""Rate-limited logging of outages: one line of each kind and second."""

import math
import time

import structlog

log = structlog.get_logger()

LINE_EVERY_SECONDS = 1.0

_told_at: dict[str, float] = {}
_untold: dict[str, int] = {}


def tell_outage(event: str, error: BaseException | None = None, **facts: object) -> None:
    """Write a warning, or count it for the next one: `also` says how many were not written since
    the last.
    """
    at = time.monotonic()
    if at < _told_at.get(event, -math.inf) + LINE_EVERY_SECONDS:
        _untold[event] = _untold.get(event, 0) + 1
        return
    _told_at[event] = at
    if error is not None:
        facts["error"] = type(error).__name__
    if also := _untold.pop(event, 0):
        facts["also"] = also
    log.warning(event, **facts)
