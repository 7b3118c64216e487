"""A thousand dry runs over every operation leave every table and every key of Redis as it was."""

from collections.abc import AsyncIterator
from itertools import cycle, islice

import httpx
import pytest
import redis.asyncio as redis

from core import cells
from core.foundation import settings
from core.foundation.database import dry_runs
from core.foundation.security import rate_limit
from core.organizations import last_use
from rest_api.app import create_app
from tests.contract.replay import ask, contents, ready
from tests.contract.table import Endpoint
from tests.contract.test_dry_runs import DRY, NOT_REHEARSABLE, WRITES, stored_files
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider
from tests.fakes.queue import RecordedQueue

pytestmark = pytest.mark.slow

DRY_RUNS = 1_000
SHORT_LIVED = {"DELETE /v2/smpp/binds/{id}"}
"""What they speak of is gone after some seconds, however the machine fares."""
REHEARSED = [
    endpoint for endpoint in WRITES if endpoint.address not in NOT_REHEARSABLE | SHORT_LIVED
]


@pytest.fixture
async def cache(database: None) -> AsyncIterator["redis.Redis"]:
    """The Redis of the tests, which keeps the limits."""
    client = redis.Redis.from_url(settings.current().redis_url)
    rate_limit.use_buckets(rate_limit.RedisBuckets(client))
    yield client
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    await client.aclose()


async def keys_of(cache: "redis.Redis") -> dict[bytes, bytes | None]:
    """All keys and what they hold, but for the count of dry runs itself."""
    names = [name async for name in cache.scan_iter() if b"dry_run:" not in name]
    return {name: await cache.dump(name) for name in names}


async def forget_last_uses(cell: cells.Cell) -> None:
    """Instead of writing them, which happens beside the requests."""
    last_use._noted.clear()


async def test_a_thousand_dry_runs_leave_everything_as_it_was(
    real_commits: None,
    cache: "redis.Redis",
    provider: ScriptedProvider,
    queue: RecordedQueue,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(last_use, "write_uses_of", forget_last_uses)
    monkeypatch.setattr(dry_runs, "MAX_PER_SECOND", DRY_RUNS)
    asked: list[tuple[World, Endpoint, dict[str, str]]] = []
    for endpoint in REHEARSED:
        world = await World.open(endpoint.env, provider)
        await ready(world, endpoint)
        asked.append((world, endpoint, await world.credential(endpoint.by)))
    calls, wakes = len(provider.asked), list(queue.jobs)
    tables, keys, files = await contents(but=()), await keys_of(cache), await stored_files()

    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    wrong: list[tuple[str, int]] = []
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as rest:
        for world, endpoint, credential in islice(cycle(asked), DRY_RUNS):
            answer = await ask(rest, world, endpoint, credential, headers=DRY)
            if answer.status_code != endpoint.status or "x-svc-dry-run" not in answer.headers:
                wrong.append((endpoint.address, answer.status_code))

    after = await contents(but=())
    assert {name for name, _ in after.items() ^ tables.items()} == set()
    assert (await keys_of(cache)).items() <= keys.items(), "some may have ended meanwhile"
    assert await stored_files() == files
    assert (len(provider.asked), queue.jobs) == (calls, wakes)
    assert wrong == []
