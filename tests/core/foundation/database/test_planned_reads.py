"""Pages whose plans are kept: on connections of their own, so that no batch waits for a reader."""

import asyncio

import pytest
from tortoise.connection import get_connection

from core.foundation.database import db
from core.foundation.database.availability import NoConnectionFree
from core.foundation.database.bounded_pool import BoundedClient
from core.foundation.database.heavy_work import heavy_work
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.sms import SmsFilter, list_messages
from tests.support.races import outside

CALLER = system_caller("org_a", "test")
BACKEND = "SELECT pg_backend_pid() AS pid"
PLANS = "SELECT current_setting('plan_cache_mode') AS mode"
KEPT = """
SELECT coalesce(sum(generic_plans), 0)::int FROM pg_prepared_statements
WHERE statement LIKE 'WITH page AS MATERIALIZED%messages%'
"""


@pytest.fixture
def planned(database: None) -> BoundedClient:
    client = get_connection(db.PLANNED)
    assert isinstance(client, BoundedClient)
    return client


async def read(sql: str) -> object:
    row = await db.fetch_one_planned(sql, owner="org_a")
    assert row is not None
    return row[0]


async def test_a_page_keeps_its_plan_unless_it_is_a_part_of_something(
    real_commits: None, planned: BoundedClient
) -> None:
    assert await read(PLANS) == "force_generic_plan"
    async with transaction():
        assert await read(BACKEND) == await db.fetchval(BACKEND)
    async with heavy_work(CALLER):
        assert await read(PLANS) == "force_custom_plan"
    for asked, kept in (({"skip": 1}, 0), ({"status": "sent"}, 0), ({"limit": 73}, 0), ({}, 1)):
        before = await read(KEPT)
        assert not (await list_messages(CALLER, SmsFilter(**asked)))["items"]
        assert (await read(KEPT), asked) == (before + kept, asked)  # type: ignore[operator]
    assert planned.readers.taken_by("org_a") == 0


async def test_no_batch_waits_for_readers(
    real_commits: None, planned: BoundedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(db.PLANNED_READERS):
        await planned.readers.take("org_b", within=1)
    waiting = outside(read(BACKEND))
    assert await db.fetch_planned(BACKEND)
    assert (waiting.done(), planned.readers.waiting_of("org_a")) == (False, 1)
    with monkeypatch.context() as patched:
        patched.setattr(planned, "place_seconds", 0)
        with pytest.raises(NoConnectionFree):
            await read(BACKEND)

    planned.readers.give_back("org_b")

    async with asyncio.timeout(10):
        assert await waiting
    for _ in range(db.PLANNED_READERS - 1):
        planned.readers.give_back("org_b")
