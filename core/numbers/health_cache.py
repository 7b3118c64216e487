"""The health cache of a process: the platform's last answer about a number, and when it came."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.numbers.models import Number
from core.providers.platform import PlatformHealth, UpstreamError

MIN_INTERVAL = timedelta(seconds=5)
"""A number is asked about once in this time, whoever wants to know and whatever came of it."""
MAX_CACHED_NUMBERS = 5_000


@dataclass(slots=True)
class CachedHealth:
    """The last time that the platform was asked about a number. `failure`: why it did not answer
    then.

    `health`: the last that it told, at `told_at`; the row of the number holds most of that, but not
    all.
    """

    asked_at: datetime | None = None
    failure: UpstreamError | None = None
    told_at: datetime | None = None
    health: PlatformHealth | None = None

    def is_over(self, at: datetime) -> bool:
        """Whether it may be asked again. A clock that was set back stops nobody."""
        return self.asked_at is None or not self.asked_at <= at < self.asked_at + MIN_INTERVAL

    def health_in(self, number: Number) -> PlatformHealth | None:
        """What the platform told, unless the number has learned something newer since."""
        return self.health if self.told_at == number.last_meta_sync_at else None


_cache: OrderedDict[str, CachedHealth] = OrderedDict()


def cached_health(number: Number) -> CachedHealth:
    """What is cached of this number, or an empty entry."""
    cached = _cache.setdefault(number.id, CachedHealth())
    _cache.move_to_end(number.id)
    if len(_cache) > MAX_CACHED_NUMBERS:
        _cache.popitem(last=False)
    return cached
