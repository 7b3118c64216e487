"""Token buckets in Redis, shared by every process; a bucket per process while Redis is away.

A bucket holds one second of its rate unless the take names a burst. Many takes travel in one call,
because the hot path takes for a whole batch; and a process may lease a hundredth of a second's
tokens ahead, so that most batches ask nobody (docs/decisions, 2).
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol

from core.foundation.absent import without_none
from core.foundation.bounded_cache import BoundedCache
from core.foundation.dry_run import is_dry_run
from core.foundation.observability.metrics import Counter
from core.foundation.observability.outage_log import tell_outage

LIMITED = Counter(
    "svc_rate_limited_total", "What limits did not grant: requests turned away.", ("limit",)
)

LOCAL_BYTES = 10_000_000
LEASE_BYTES = 10_000_000
LEASE_SHARE = 0.01
"""Of a second's tokens, what a process leases ahead; nothing of rates below a hundred."""

LEASE_TTL = 2.0
"""Seconds after which a lease ends: what was leased longer ago would come on top of a full bucket."""
RENEW_AFTER = 1.0
"""Seconds after which the take that uses a lease has the next one fetched, and waits for nothing."""
MOST_RENEWALS = 500
"""Leases that are renewed by one question."""
AWAY_SECONDS = 1.0
"""How long Redis is left alone after it failed."""


@dataclass(frozen=True, slots=True)
class Take:
    """`count` tokens from the bucket `name` that refills with `per_second` and holds `burst` (as
    many, when None).

    A limit per minute is `Take(name, per_second=10 / 60, count=1, burst=10)`.
    """

    name: str
    per_second: float
    count: int
    burst: int | None = None
    leased: bool = False
    """Whether a process may take some ahead, for the takes that follow."""

    @property
    def ahead(self) -> int:
        """The tokens to lease beside those that are wanted."""
        return int(self.per_second * LEASE_SHARE) if self.leased and self.count > 0 else 0

    @property
    def limit(self) -> str:
        """Which limit it is of, whoever the bucket belongs to: names read `limit:owner`."""
        return self.name.partition(":")[0]

    @property
    def holds(self) -> float:
        """The tokens of a full bucket."""
        return self.per_second if self.burst is None else self.burst


@dataclass(frozen=True, slots=True)
class Grant:
    """How many of the tokens were granted, how many are left, and after how many seconds one is
    there again.
    """

    granted: int
    left: int
    wait: int


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller may know of a limit: its name, `quota` tokens in `window` seconds, and what is
    left of them.
    """

    name: str
    quota: int
    left: int
    wait: int
    window: int = 1


class Buckets(Protocol):
    """Where tokens are taken."""

    async def take(self, takes: Sequence[Take]) -> list[Grant]:
        """Grant as much of each take as its bucket holds."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class LocalBuckets:
    """Buckets of this process alone."""

    def __init__(self) -> None:
        # Forgetting a bucket fills it: that is better than to be filled with names while Redis is
        # away.
        self._buckets: BoundedCache[str, _Bucket] = BoundedCache(
            max_bytes=LOCAL_BYTES, weigh=lambda name, _: 300 + 4 * len(name)
        )

    async def take(self, takes: Sequence[Take]) -> list[Grant]:
        """Grant from this process's own buckets."""
        at = time.monotonic()
        return [self._grant(take, at) for take in takes]

    def _grant(self, take: Take, at: float) -> Grant:
        bucket = self._buckets.get(take.name)
        if bucket is None:
            bucket = _Bucket(take.holds, at)
            self._buckets.put(take.name, bucket)
        bucket.tokens = min(take.holds, bucket.tokens + (at - bucket.at) * take.per_second)
        bucket.at = at
        granted = min(take.count, int(bucket.tokens))
        bucket.tokens -= granted
        return Grant(granted, int(bucket.tokens), wait_for_one(bucket.tokens, take.per_second))


@dataclass(slots=True)
class _Lease:
    """Tokens that a process has taken ahead. `left`: what their bucket held beside them. `ask`: the
    take of so many tokens.
    """

    ask: Take
    tokens: int
    left: int
    at: float
    is_used: bool = False
    is_renewed: bool = False
    """Whether the next one is being fetched."""

    def is_due(self, after: float) -> bool:
        """Whether the next one should be fetched of a lease in use that is so many seconds old."""
        return self.is_used and not self.is_renewed and time.monotonic() - self.at > after


class _Leases:
    """What a process has taken ahead, by bucket. Tokens of an expired lease are lost, never doubled."""

    def __init__(self) -> None:
        self._leases: BoundedCache[str, _Lease] = BoundedCache(
            max_bytes=LEASE_BYTES, weigh=lambda name, _: 500 + 8 * len(name)
        )
        self.are_due = False
        """Whether one that was used just now should be renewed."""

    def grant(self, take: Take) -> Grant | None:
        """The take from the lease alone; None where it does not suffice."""
        lease = self._leases.get(take.name) if take.ahead else None
        if lease is None or lease.tokens < take.count or time.monotonic() - lease.at > LEASE_TTL:
            return None
        lease.tokens -= take.count
        lease.is_used = True
        if lease.is_due(RENEW_AFTER):
            self.are_due = True
        return Grant(take.count, lease.left + lease.tokens, 1)

    def begin_renewal(self) -> list[Take]:
        """What to ask for those that are in use and grow old: together, so that the next batches find
        theirs.
        """
        self.are_due = False
        due = [lease for _, lease in self._leases.items() if lease.is_due(RENEW_AFTER / 2)]
        for lease in due[:MOST_RENEWALS]:
            lease.is_renewed = True
        return [lease.ask for lease in due[:MOST_RENEWALS]]

    def renew(self, ask: Take, answer: Grant) -> None:
        """The next lease, in place of the one before: what was left of that is lost."""
        self._put(ask, answer.granted, answer.left)

    def _put(self, ask: Take, tokens: int, left: int) -> None:
        self._leases.put(ask.name, _Lease(ask, tokens, left, time.monotonic()))

    def spend(self, take: Take) -> int:
        """All tokens of a lease that does not suffice: what is missing is asked of Redis."""
        lease = self._leases.get(take.name) if take.ahead else None
        if lease is None or time.monotonic() - lease.at > LEASE_TTL:
            return 0
        tokens, lease.tokens = lease.tokens, 0
        return tokens

    def settle(self, take: Take, held: int, answer: Grant) -> Grant:
        """The take from what was held and what Redis granted; the rest is leased for those that
        follow.
        """
        if not take.ahead:
            return answer
        # Once more: another take may have leased the last tokens of the bucket meanwhile.
        tokens = held + answer.granted + self.spend(take)
        granted = min(take.count, tokens)
        rest = tokens - granted
        self._put(replace(take, count=take.ahead), rest, answer.left)
        return Grant(granted, answer.left + rest, answer.wait)


class HasScripts(Protocol):
    """Redis, as far as buckets know it."""

    def register_script(self, script: str) -> Callable[..., Awaitable[list[int]]]:
        """What runs a script on keys and numbers."""
        ...


class RedisBuckets:
    """Buckets in Redis, and the process's own while Redis does not answer."""

    def __init__(self, client: HasScripts) -> None:
        self._script = client.register_script(SCRIPT)
        self._own = LocalBuckets()
        self._leases = _Leases()
        self._away_until = 0.0
        self._renewals: set[asyncio.Task[None]] = set()

    async def take(self, takes: Sequence[Take]) -> list[Grant]:
        """Grant from leases, and what they do not suffice for from Redis, in one round trip."""
        leased = {place: self._leases.grant(take) for place, take in enumerate(takes)}
        grants = without_none(leased)
        if len(grants) < len(takes):
            asking = {place: take for place, take in enumerate(takes) if place not in grants}
            grants |= zip(asking, await self._take_ahead(list(asking.values())), strict=True)
        if self._leases.are_due:
            renewal = asyncio.create_task(self._renew(self._leases.begin_renewal()))
            self._renewals.add(renewal)  # the loop itself holds tasks weakly
            renewal.add_done_callback(self._renewals.discard)
        return [grants[place] for place in range(len(takes))]

    async def _renew(self, asks: Sequence[Take]) -> None:
        for ask, answer in zip(asks, await self._ask(asks), strict=True):
            self._leases.renew(ask, answer)

    async def _take_ahead(self, takes: Sequence[Take]) -> list[Grant]:
        """Grant from Redis, and lease what it grants beyond."""
        held = [self._leases.spend(take) for take in takes]
        asked = [
            replace(take, count=take.count + take.ahead - tokens)
            for take, tokens in zip(takes, held, strict=True)
        ]
        return [
            self._leases.settle(take, tokens, answer)
            for take, tokens, answer in zip(takes, held, await self._ask(asked), strict=True)
        ]

    async def _ask(self, takes: Sequence[Take]) -> list[Grant]:
        if time.monotonic() < self._away_until:
            return await self._own.take(takes)
        names = [f"svc:bucket:{take.name}" for take in takes]
        numbers = [number for take in takes for number in (take.per_second, take.holds, take.count)]
        try:
            answer = await self._script(keys=names, args=numbers)
        except Exception as error:
            self._away_until = time.monotonic() + AWAY_SECONDS
            tell_outage("redis_is_away", error)
            return await self._own.take(takes)
        return [
            Grant(granted, left_milli // 1000, wait_for_one(left_milli / 1000, take.per_second))
            for take, granted, left_milli in zip(takes, answer[::2], answer[1::2], strict=True)
        ]


_buckets: Buckets = LocalBuckets()
_noted: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


def use_buckets(buckets: Buckets) -> None:
    """Tell this process where tokens are taken; without it, it counts for itself."""
    global _buckets
    _buckets = buckets


async def take(takes: Sequence[Take]) -> list[Grant]:
    """Take tokens from several buckets in one round trip. A dry run learns what it would be
    granted, and takes nothing.
    """
    if is_dry_run():
        return await _ask(takes)
    grants = await _buckets.take(takes)
    for take, grant in zip(takes, grants, strict=True):
        if grant.granted < take.count:
            LIMITED.labels(take.limit).add(take.count - grant.granted)
    return grants


async def _ask(takes: Sequence[Take]) -> list[Grant]:
    asked = await _buckets.take([replace(take, count=0) for take in takes])
    return [
        replace(grant, granted=min(take.count, grant.left))
        for take, grant in zip(takes, asked, strict=True)
    ]


def note(allowance: Allowance | None) -> None:
    """Remember the allowance of the request under way, for the entry point to show; None at its
    beginning.
    """
    _noted.set(allowance)


def noted() -> Allowance | None:
    """The limit that the request under way has met."""
    return _noted.get()


def wait_for_one(tokens: float, per_second: float) -> int:
    """Whole seconds until one token is there; at least 1, as `Retry-After` has no smaller unit."""
    return max(1, math.ceil((1 - tokens) / per_second))


# Redis's own clock, so that the processes' clocks need not agree. An idle bucket is full: it may be
# forgotten. Who only asks, as dry runs do, writes nothing.
SCRIPT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for i, name in ipairs(KEYS) do
  local rate, holds, count = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local kept = redis.call('HMGET', name, 't', 'a')
  local tokens = holds * 1000
  if kept[1] then
    tokens = math.min(holds * 1000, tonumber(kept[1]) + (now - tonumber(kept[2])) * rate)
  end
  local granted = math.min(count, math.floor(tokens / 1000))
  tokens = tokens - granted * 1000
  if count ~= 0 then
    redis.call('HSET', name, 't', tokens, 'a', now)
    redis.call('PEXPIRE', name, 1000 + math.ceil(holds / rate * 1000))
  end
  answer[#answer + 1] = granted
  answer[#answer + 1] = math.floor(tokens)
end
return answer
"""
