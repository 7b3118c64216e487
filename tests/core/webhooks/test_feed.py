"""The feed: every event once, in the order of the commits, and never one behind a place that was passed."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from core import webhooks
from core.foundation import db, settings
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.transactions import transaction
from core.webhooks import feed, feed_base
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("real_commits")


async def a_page(caller: Caller, **asked: Any) -> dict[str, Any]:
    return await webhooks.read_feed(caller, webhooks.FeedPage.model_validate(asked))


async def everything(caller: Caller, cursor: str | None = None, **asked: Any) -> list[dict[str, Any]]:
    """All that the feed has, page by page."""
    found: list[dict[str, Any]] = []
    while True:
        page = await a_page(caller, cursor=cursor, **asked)
        found += page["items"]
        cursor = page["nextCursor"]
        if not page["hasMore"]:
            return found


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [event["data"]["n"] for event in events]


@pytest.fixture
async def elsewhere(database: None) -> AsyncIterator["asyncpg.Connection[Any]"]:
    """A connection of its own, for a transaction that stays open."""
    connection = await asyncpg.connect(**db.credentials_of(settings.current().database_url))
    yield connection
    await connection.close()


async def write_slowly(connection: "asyncpg.Connection[Any]") -> Any:
    """Begin a transaction that has written something, and leave it open."""
    held = connection.transaction()
    await held.start()
    await connection.execute("SELECT pg_current_xact_id()")
    return held


async def test_events_come_once_and_in_the_order_of_their_commits() -> None:
    caller = await a_caller()
    for n in range(7):
        await an_event(caller, n=n)

    assert numbers(await everything(caller, limit=3)) == list(range(7))


async def test_events_of_one_statement_keep_their_order() -> None:
    caller = await a_caller()
    at = now()
    events = [webhooks.Event(caller.organization_id, "test", "sms.delivered", {"n": n}, at) for n in range(30)]

    await webhooks.publish_many(events, at=at)

    assert numbers(await everything(caller, limit=7)) == list(range(30))


async def test_a_page_tells_what_a_delivery_tells(receiver: Receiver) -> None:
    caller = await a_caller()
    subscription = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    await an_event(caller, metadata={"order": 1})
    await deliver_all()

    (event,) = (await a_page(caller, subscription=subscription))["items"]

    assert [event] == receiver.events()
    assert event["data"]["to"] == "+5511987654321"


async def test_the_cursor_of_an_empty_page_goes_on_with_what_comes() -> None:
    caller = await a_caller()
    empty = await a_page(caller)
    assert (empty["items"], empty["hasMore"]) == ([], False)
    again = await a_page(caller, cursor=empty["nextCursor"])
    assert again["items"] == []

    await an_event(caller, n=1)

    assert numbers((await a_page(caller, cursor=again["nextCursor"]))["items"]) == [1]
    assert numbers((await a_page(caller, cursor=empty["nextCursor"]))["items"]) == [1]


async def test_who_begins_with_the_latest_is_not_told_the_past() -> None:
    caller = await a_caller()
    await an_event(caller, n=1)

    page = await a_page(caller, cursor=feed.LATEST)
    assert page["items"] == []
    await an_event(caller, n=2)

    assert numbers(await everything(caller, page["nextCursor"])) == [2]


async def test_nothing_passes_a_transaction_that_is_still_open() -> None:
    caller = await a_caller()
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with transaction():
            await an_event(caller, n=1)
            begun.set()
            await may_end.wait()

    task = asyncio.create_task(slow())
    await begun.wait()
    await an_event(caller, n=2)
    before = await a_page(caller)
    assert before["items"] == []  # 2 is committed, but 1 may yet come before it

    may_end.set()
    await task

    assert numbers(await everything(caller, before["nextCursor"])) == [1, 2]


async def test_a_transaction_that_writes_no_event_holds_the_feed_back_too(
    elsewhere: "asyncpg.Connection[Any]",
) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    held = await write_slowly(elsewhere)
    await an_event(caller, n=2)

    page = await a_page(caller)
    assert numbers(page["items"]) == [1]
    await held.rollback()

    assert numbers(await everything(caller, page["nextCursor"])) == [2]


async def test_a_reader_that_follows_many_writers_misses_and_repeats_nothing() -> None:
    caller = await a_caller()
    seen: list[int] = []
    writing = True

    async def write(writer: int) -> None:
        for n in range(15):
            async with transaction():
                await an_event(caller, n=writer * 100 + n)
                await asyncio.sleep(0)
                await db.fetchval("SELECT pg_sleep(0.002 * ($1::int % 3))", writer + n)

    async def follow() -> None:
        cursor = None
        while True:
            last = not writing
            page = await a_page(caller, cursor=cursor, limit=5)
            seen.extend(numbers(page["items"]))
            cursor = page["nextCursor"]
            if last and not page["hasMore"]:
                return

    reader = asyncio.create_task(follow())
    await asyncio.gather(*map(write, range(6)))
    writing = False
    await reader

    assert len(seen) == 90
    assert set(seen) == {writer * 100 + n for writer in range(6) for n in range(15)}


async def test_only_the_events_of_a_subscription_are_told_when_it_is_named() -> None:
    caller = await a_caller()
    made = await a_subscription(caller, events=["sms.failed"])
    for n in range(4):
        await an_event(caller, "sms.failed" if n % 2 else "sms.delivered", n=n)

    assert numbers(await everything(caller, subscription=made["webhook"]["id"], limit=1)) == [1, 3]


async def test_a_page_looks_through_so_many_events_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "SCANNED", 3)
    caller = await a_caller()
    id = (await a_subscription(caller, events=["sms.failed"]))["webhook"]["id"]
    for n in range(8):
        await an_event(caller, "sms.failed" if n == 7 else "sms.delivered", n=n)

    first = await a_page(caller, subscription=id)

    assert (first["items"], first["hasMore"]) == ([], True)
    assert numbers(await everything(caller, first["nextCursor"], subscription=id)) == [7]


async def test_another_organization_and_the_other_environment_have_feeds_of_their_own() -> None:
    caller, stranger = await a_caller(), await a_caller()
    await an_event(caller, n=1)

    assert await everything(stranger) == []
    assert await everything(await a_caller("live", organization_id=caller.organization_id)) == []


async def test_personal_data_is_masked_without_the_scope_even_for_a_subscription_that_has_it() -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    reader = await a_caller(scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id)
    await an_event(caller, n=1)

    (open_,) = await everything(caller)
    (masked,) = await everything(reader)
    (of_subscription,) = await everything(reader, subscription=id)

    assert open_["data"]["to"] == "+5511987654321"
    assert masked["data"]["to"] == of_subscription["data"]["to"] == "+5511*****4321"


async def test_a_subscription_without_the_scope_is_told_masked_whoever_reads() -> None:
    caller = await a_caller()
    weak = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ, Scope.WEBHOOKS_WRITE}), organization_id=caller.organization_id
    )
    id = (await a_subscription(weak))["webhook"]["id"]
    await an_event(caller)

    (event,) = await everything(caller, subscription=id)

    assert event["data"]["to"] == "+5511*****4321"


async def test_events_older_than_30_days_are_gone_and_an_older_cursor_says_so() -> None:
    caller = await a_caller()
    old = (await a_page(caller))["nextCursor"]
    await an_event(caller, at=now() - timedelta(days=31), n=1)
    await an_event(caller, n=2)

    assert numbers(await everything(caller)) == [2]
    assert "warnings" not in await a_page(caller, cursor=old)
    place = feed._read(old)
    stale = feed._cursor(place._replace(hour=place.hour - 31 * 24))
    assert (await a_page(caller, cursor=stale))["warnings"] == ["eventos_expirados"]


@pytest.mark.parametrize("cursor", ["", "x", "é", "WzEsMl0", "WzEsMiwiMyJd", "Wy0xLDEsMV0", "WzEsMSwxLDFd", "bnVsbA"])
async def test_a_cursor_that_is_not_the_feeds_is_refused(cursor: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_page(await a_caller(), cursor=cursor)

    assert [(error.where, error.code) for error in refused.value.errors] == [("cursor", "wrong_format")]


async def test_a_cursor_of_a_future_that_was_lost_is_refused() -> None:
    caller = await a_caller()
    place = feed._read((await a_page(caller))["nextCursor"])

    with pytest.raises(ValidationFailed, match="not valid"):
        await a_page(caller, cursor=feed._cursor(place._replace(xact=place.xact + 10_000)))


async def test_another_organizations_subscription_is_not_found() -> None:
    id = (await a_subscription(await a_caller()))["webhook"]["id"]

    for strange in (id, "wbh_1", ""):
        with pytest.raises(NotFound):
            await a_page(await a_caller(), subscription=strange)


async def test_the_feed_takes_its_scope() -> None:
    with pytest.raises(Forbidden):
        await a_page(await a_caller(scopes=frozenset({Scope.CONTACTS_READ})))


# A database that was restored --------------------------------------------------------------------


@pytest.fixture
async def base_put_back(database: None) -> AsyncIterator[None]:
    yield
    await db.execute("SELECT setval('webhook_feed_base', 0)")


async def test_after_a_restore_new_events_come_after_the_old_ones(base_put_back: None) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    await db.execute(
        "UPDATE webhook_events SET xact = xact + 1000000000"
    )  # of a server with more transactions behind it
    lost = feed._cursor(feed.Place(2_000_000_000, 5, 500_000))

    await webhooks.keep_feed_in_order()
    await an_event(caller, n=2)

    assert numbers(await everything(caller)) == [1, 2]
    assert numbers(await everything(caller, lost)) == [2]  # a place that the copy does not know lies behind too


async def test_a_database_in_order_is_left_alone(base_put_back: None) -> None:
    await an_event(await a_caller())

    await webhooks.keep_feed_in_order()

    assert await db.fetchval("SELECT last_value FROM webhook_feed_base") == 0


async def test_two_processes_raise_the_base_once(base_put_back: None) -> None:
    await an_event(await a_caller())
    await db.execute("UPDATE webhook_events SET xact = xact + 1000000000")

    await asyncio.gather(*(webhooks.keep_feed_in_order() for _ in range(3)))

    assert await db.fetchval("SELECT last_value FROM webhook_feed_base") == 1 << 40
    assert feed_base.LOCK
