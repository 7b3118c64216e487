"""Tokens that a process takes ahead: fewer questions to Redis, and never more than the bucket holds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import RedisBuckets, Take
from tests.support.waiting import eventually

RATE = 1_000
AHEAD = 10


class StillRedis:
    """Redis as far as buckets know it; nothing flows into these."""

    def __init__(self, holds: int) -> None:
        self.holds = holds
        self.tokens: dict[str, int] = {}
        self.questions = 0

    def register_script(self, script: str) -> Any:  # noqa: ARG002
        """What takes tokens."""
        return self._take

    async def _take(self, *, keys: Sequence[str], args: Sequence[float]) -> list[int]:
        self.questions += 1
        await asyncio.sleep(0)
        answer: list[int] = []
        for name, count in zip(keys, args[2::3], strict=True):
            tokens = self.tokens.get(name, self.holds)
            granted = min(int(count), tokens)
            self.tokens[name] = tokens - granted
            answer += [granted, (tokens - granted) * 1000]
        return answer


async def _granted(buckets: RedisBuckets, *counts: int) -> list[int]:
    takes = [Take("sms:org:live", RATE, count, leased=True) for count in counts]
    return [(await buckets.take([take]))[0].granted for take in takes]


async def test_tokens_that_were_leased_are_granted_without_a_question() -> None:
    redis = StillRedis(100)
    buckets = RedisBuckets(redis)

    (first,) = await buckets.take([Take("sms:org:live", RATE, 4, leased=True)])
    rest = await _granted(buckets, *[1] * AHEAD)

    assert (first.granted, first.left) == (4, 96)
    assert rest == [1] * AHEAD
    assert redis.questions == 1


async def test_all_processes_together_get_what_the_bucket_holds() -> None:
    redis = StillRedis(50)
    processes = [RedisBuckets(redis), RedisBuckets(redis)]

    granted = await asyncio.gather(
        *(_granted(buckets, 1, 3, 7, 2, 1, 1, 9, 1, 1, 20) for buckets in processes)
    )
    more = [await _granted(buckets, *[1] * 30) for buckets in processes]

    assert sum(map(sum, granted)) + sum(map(sum, more)) == 50


async def test_concurrent_takes_never_spend_a_lease_twice() -> None:
    redis = StillRedis(60)
    buckets = RedisBuckets(redis)

    granted = await asyncio.gather(*(_granted(buckets, 3) for _ in range(40)))

    assert sum(map(sum, granted)) == 60


async def test_a_lease_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    redis = StillRedis(100)
    buckets = RedisBuckets(redis)
    await _granted(buckets, 1)
    monkeypatch.setattr(rate_limit, "LEASE_TTL", -1.0)

    await _granted(buckets, 1)

    assert redis.questions == 2
    assert redis.tokens["svc:bucket:sms:org:live"] == 100 - 2 * (1 + AHEAD)


async def test_leases_in_use_that_grow_old_are_renewed_together_and_nobody_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    redis = StillRedis(100)
    buckets = RedisBuckets(redis)
    one, two, idle = (
        Take(f"sms:{name}:live", RATE, 1, leased=True) for name in ("one", "two", "idle")
    )
    await buckets.take([one, two, idle])
    await buckets.take([one, two])
    monkeypatch.setattr(rate_limit, "RENEW_AFTER", -1.0)

    assert [grant.granted for grant in await buckets.take([one])] == [1]
    assert redis.questions == 1
    await eventually(lambda: not buckets._renewals, "the next leases are there", every=0)
    monkeypatch.setattr(rate_limit, "RENEW_AFTER", 3_600.0)

    whole = [replace(take, count=AHEAD) for take in (one, two)]
    assert [grant.granted for grant in await buckets.take(whole)] == [AHEAD, AHEAD]
    assert redis.questions == 2
    asked = {take.name: 100 - redis.tokens[f"svc:bucket:{take.name}"] for take in (one, two, idle)}
    assert list(asked.values()) == [1 + 2 * AHEAD, 1 + 2 * AHEAD, 1 + AHEAD]


@pytest.mark.parametrize(
    "take",
    [
        pytest.param(Take("sms:org:live", 99, 1, leased=True), id="a small rate"),
        pytest.param(Take("sms:org:live", RATE, 1), id="a bucket that is not leased"),
        pytest.param(Take("sms:org:live", RATE, -1, leased=True), id="what is given back"),
    ],
)
async def test_nothing_is_leased_of(take: Take) -> None:
    redis = StillRedis(100)

    await RedisBuckets(redis).take([take])

    assert redis.tokens["svc:bucket:sms:org:live"] == 100 - take.count
