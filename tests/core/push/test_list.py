"""The list of dispatches."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_query
from tests.factories.organizations import a_caller
from tests.factories.push import a_dispatch

pytestmark = pytest.mark.usefixtures("clean_slate")


async def listed(caller: Caller, *pairs: tuple[str, str]) -> Any:
    return await push.list_pushes(caller, read_query(push.PushFilter, pairs))


async def ids(caller: Caller, *pairs: tuple[str, str]) -> list[str]:
    return [item["id"] for item in (await listed(caller, *pairs))["items"]]


async def test_it_runs_from_the_newest_to_the_oldest_page_by_page_and_then_ends() -> None:
    caller = await a_caller()
    made = [(await a_dispatch(caller))["id"] for _ in range(5)]
    await a_dispatch(await a_caller())
    await a_dispatch(await a_caller("live", organization_id=caller.organization_id))

    found, pages, cursor = [], 0, None
    while pages == 0 or cursor:
        page = await listed(caller, ("limit", "2"), *([("cursor", cursor)] if cursor else []))
        found += [item["id"] for item in page["items"]]
        cursor, pages = page.get("nextCursor"), pages + 1

    assert found == made[::-1]
    assert pages == 3


async def test_status_and_origin_may_be_named_several_times() -> None:
    caller = await a_caller()
    queued = (await a_dispatch(caller))["id"]
    later = (await a_dispatch(caller, scheduledAt=(now() + timedelta(days=1)).isoformat()))["id"]
    done = (await a_dispatch(caller))["id"]
    await db.execute(
        "UPDATE push_dispatches SET status = 'sent', origin = 'automation' WHERE id = $1", done
    )

    assert await ids(caller, ("status", "queued"), ("status", "sent")) == [done, queued]
    assert await ids(caller, ("status", "scheduled")) == [later]
    assert await ids(caller, ("origin", "automation"), ("origin", "composer")) == [done]
    assert await ids(caller, ("origin", "api"), ("status", "sent")) == []


async def test_both_ends_of_the_period_belong_to_it() -> None:
    caller = await a_caller()
    created = (await a_dispatch(caller))["id"]
    at = await db.fetchval("SELECT created_at FROM push_dispatches WHERE id = $1", created)

    instant, moment = at.isoformat(), timedelta(milliseconds=1)  # as finely as times are shown
    assert await ids(caller, ("from", instant), ("to", instant)) == [created]
    assert await ids(caller, ("from", (at + moment).isoformat())) == []
    assert await ids(caller, ("to", (at - moment).isoformat())) == []


async def test_a_session_composes_and_a_key_sends() -> None:
    caller = await a_caller()

    assert (await a_dispatch(caller))["origin"] == "api"
    assert (await a_dispatch(replace(caller, kind="session")))["origin"] == "composer"
