"""The feed: every event once, in an order of its own, and never one behind a place that was passed."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from core import webhooks
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.address import credentials_of
from core.foundation.database.pages import cursor_of
from core.foundation.database.transactions import transaction
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller, Scope
from core.webhooks.errors import CursorLost
from core.webhooks.events import feed, feed_positions
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")


async def a_page(caller: Caller, **asked: Any) -> WrittenPage[webhooks.FeedRecord]:
    """A page of the feed, after the worker has looked."""
    await positions_given()
    return await webhooks.read_feed(caller, webhooks.FeedPage.model_validate(asked))


async def positions_given() -> int:
    given = 0
    while count := await webhooks.assign_positions(at=now()):
        given += count
    return given


async def everything(
    caller: Caller, cursor: str | None = None, **asked: Any
) -> list[webhooks.EventRecord]:
    """All that the feed has, page by page."""
    found: list[webhooks.EventRecord] = []
    while True:
        page = await a_page(caller, cursor=cursor, **asked)
        found += page["items"]
        cursor = page["nextCursor"]
        if not page["hasMore"]:
            return found


async def positions_of(caller: Caller) -> list[int]:
    rows = await db.fetch(
        "SELECT position FROM webhook_feed WHERE organization_id = $1 AND env = $2 ORDER BY position",
        caller.organization_id,
        caller.env,
    )
    return [row["position"] for row in rows]


def numbers(events: list[webhooks.EventRecord]) -> list[int]:
    return [event["data"]["n"] for event in events]


@pytest.fixture
async def elsewhere(database: None) -> AsyncIterator["asyncpg.Connection[Any]"]:
    """A connection of its own, for a transaction that stays open."""
    connection = await asyncpg.connect(**credentials_of(settings.current().database_url))
    yield connection
    await connection.close()


async def write_slowly(connection: "asyncpg.Connection[Any]") -> Any:
    """Begin a transaction that has written something, and leave it open."""
    held = connection.transaction()
    await held.start()
    await connection.execute("SELECT pg_current_xact_id()")
    return held


async def test_events_come_once_and_in_the_order_in_which_they_happened() -> None:
    caller = await a_caller()
    for n in range(7):
        await an_event(caller, n=n)

    assert numbers(await everything(caller, limit=3)) == list(range(7))


async def test_events_of_one_statement_keep_their_order() -> None:
    caller = await a_caller()
    at = now()
    events = [
        webhooks.NewEvent(caller.organization_id, "test", "sms.delivered", {"n": n}, at)
        for n in range(30)
    ]

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


async def test_an_event_whose_transaction_ends_late_comes_later_and_holds_up_nobody() -> None:
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
    assert numbers(before["items"]) == [2]

    may_end.set()
    await task

    assert numbers(await everything(caller, before["nextCursor"])) == [1]
    assert numbers(await everything(caller)) == [2, 1]


async def test_a_strangers_long_transaction_holds_up_nobody(
    elsewhere: "asyncpg.Connection[Any]",
) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    held = await write_slowly(elsewhere)
    await an_event(caller, n=2)

    page = await a_page(caller)

    assert numbers(page["items"]) == [1, 2]
    await held.rollback()


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

    async def assign() -> None:
        while writing:
            await webhooks.assign_positions(at=now())

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
    sequencers = [asyncio.create_task(assign()) for _ in range(3)]
    await asyncio.gather(*map(write, range(6)))
    writing = False
    await asyncio.gather(reader, *sequencers)

    assert await positions_of(caller) == list(range(1, 91))
    assert len(seen) == 90
    assert set(seen) == {writer * 100 + n for writer in range(6) for n in range(15)}


async def test_only_the_events_of_a_subscription_are_told_when_it_is_named() -> None:
    caller = await a_caller()
    made = await a_subscription(caller, events=["sms.failed"])
    for n in range(4):
        await an_event(caller, "sms.failed" if n % 2 else "sms.delivered", n=n)

    assert numbers(await everything(caller, subscription=made["webhook"]["id"], limit=1)) == [1, 3]


async def test_a_page_looks_through_so_many_events_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "MAX_SCANNED", 3)
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


async def test_personal_data_is_masked_without_the_scope_even_for_a_subscription_that_has_it() -> (
    None
):
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    reader = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id
    )
    await an_event(caller, n=1)

    (open_,) = await everything(caller)
    (masked,) = await everything(reader)
    (of_subscription,) = await everything(reader, subscription=id)

    assert open_["data"]["to"] == "+5511987654321"
    assert masked["data"]["to"] == of_subscription["data"]["to"] == "+5511*****4321"


async def test_a_subscription_without_the_scope_is_told_masked_whoever_reads() -> None:
    caller = await a_caller()
    weak = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ, Scope.WEBHOOKS_WRITE}),
        organization_id=caller.organization_id,
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
    *place, hour = feed._read(old)
    stale = cursor_of([*place, hour - 31 * 24])
    assert (await a_page(caller, cursor=stale))["warnings"] == ["eventos_expirados"]


@pytest.mark.parametrize(
    "cursor", ["", "x", "é", "WzEsMl0", "WzEsMiwiMyJd", "Wy0xLDEsMV0", "WzEsMSwxLDFd", "bnVsbA"]
)
async def test_a_cursor_that_is_not_the_feeds_is_refused(cursor: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_page(await a_caller(), cursor=cursor)

    assert [(error.where, error.code) for error in refused.value.errors] == [
        ("cursor", "wrong_format")
    ]


async def test_another_organizations_subscription_is_not_found() -> None:
    id = (await a_subscription(await a_caller()))["webhook"]["id"]

    for strange in (id, "wbh_1", ""):
        with pytest.raises(NotFound):
            await a_page(await a_caller(), subscription=strange)


async def test_the_feed_takes_its_scope() -> None:
    with pytest.raises(Forbidden):
        await a_page(await a_caller(scopes=frozenset({Scope.CONTACTS_READ})))


# Giving positions -------------------------------------------------------------------------------


async def test_one_writer_at_a_time(elsewhere: "asyncpg.Connection[Any]") -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    other = elsewhere.transaction()
    await other.start()
    await elsewhere.execute(feed_positions.BEGIN)

    assert await webhooks.assign_positions(at=now()) == 0
    await other.rollback()

    assert await webhooks.assign_positions(at=now()) == 1


async def test_who_stops_in_the_middle_holds_no_lock(elsewhere: "asyncpg.Connection[Any]") -> None:
    """All of it is one message: the server does not need the other side to end it."""
    caller = await a_caller()
    for n in range(3):
        await an_event(caller, n=n)
    await elsewhere.fetchval("SELECT 1")

    message = f"{feed_positions.BEGIN}; {feed_positions.ASSIGN.format(batch=1, behind=0, alone=feed_positions.ALONE)}"
    waiting = asyncio.create_task(elsewhere.execute(message))
    await asyncio.sleep(0)  # it is sent, and nobody waits for the answer
    waiting.cancel()
    elsewhere.terminate()

    async def all_have_positions() -> bool:
        await positions_given()
        return await positions_of(caller) == [1, 2, 3]

    await eventually(all_have_positions, "the lock is free")


async def test_a_batch_that_fails_leaves_everything_as_it_was() -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    await a_page(caller)
    await an_event(caller, n=2)
    await db.execute("ALTER TABLE webhook_feed ADD CONSTRAINT broken CHECK (position < 2)")
    try:
        with pytest.raises(asyncpg.CheckViolationError):
            await webhooks.assign_positions(at=now())
    finally:
        await db.execute("ALTER TABLE webhook_feed DROP CONSTRAINT broken")

    assert numbers(await everything(caller)) == [1, 2]
    assert await positions_of(caller) == [1, 2]


async def test_what_gathered_while_no_worker_ran_comes_in_batches_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed_positions, "BATCH_SIZE", 4)
    callers = [await a_caller(), await a_caller()]
    for n in range(9):
        await an_event(callers[n % 2], n=n)

    assert [await webhooks.assign_positions(at=now()) for _ in range(4)] == [4, 4, 1, 0]

    assert [numbers(await everything(caller)) for caller in callers] == [
        [0, 2, 4, 6, 8],
        [1, 3, 5, 7],
    ]
    assert [await positions_of(caller) for caller in callers] == [[1, 2, 3, 4, 5], [1, 2, 3, 4]]


async def test_a_worker_mostly_looks_at_what_is_new_and_finds_what_ended_late_within_a_second() -> (
    None
):
    sequencer, began = feed_positions.Sequencer(), now()
    caller = await a_caller()
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with transaction():
            await an_event(caller, n=1)
            begun.set()
            await may_end.wait()

    async def look(at: float) -> int:
        return await sequencer.assign(at=began + timedelta(seconds=at))

    await look(10)
    task = asyncio.create_task(slow())
    await begun.wait()
    await an_event(caller, n=2)
    assert await look(10.2) == 1
    assert await look(12.5) == 0  # at all of it: no other for a second
    may_end.set()
    await task
    assert await look(12.7) == 0
    await an_event(caller, n=3)
    assert await look(12.9) == 1
    assert await look(13.6) == 1

    assert numbers(await everything(caller)) == [2, 3, 1]


async def test_a_worker_goes_through_all_that_has_gathered_before_it_looks_at_what_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed_positions, "BATCH_SIZE", 2)
    sequencer = feed_positions.Sequencer()
    caller = await a_caller()
    for n in range(5):
        await an_event(caller, n=n)

    assert [await sequencer.assign(at=now()) for _ in range(4)] == [2, 2, 1, 0]


async def test_an_event_that_was_rolled_back_leaves_no_gap() -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    with pytest.raises(ZeroDivisionError):
        async with transaction():
            await an_event(caller, n=2)
            raise ZeroDivisionError
    await an_event(caller, n=3)

    assert numbers(await everything(caller)) == [1, 3]
    assert await positions_of(caller) == [1, 2]


# A database that lost its last commits -----------------------------------------------------------


@pytest.fixture
def another_server(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on positions are given as after a fail-over: the server is one that started at
    another time.
    """

    def replace() -> None:
        assigned = feed_positions.ASSIGN.replace(
            "pg_postmaster_start_time()", "(pg_postmaster_start_time() - interval '1 h')"
        )
        assert assigned != feed_positions.ASSIGN
        monkeypatch.setattr(feed_positions, "ASSIGN", assigned)

    return replace


async def lose_what_came_after(caller: Caller, position: int) -> None:
    """What a standby does not have that the last commits did not reach."""
    lost = await db.fetch(
        "DELETE FROM webhook_feed WHERE organization_id = $1 AND position > $2 RETURNING event_id",
        caller.organization_id,
        position,
    )
    await db.execute(
        "DELETE FROM webhook_events WHERE id = ANY ($1)", [row["event_id"] for row in lost]
    )
    await db.execute(
        "UPDATE webhook_feed_heads SET position = $2 WHERE organization_id = $1",
        caller.organization_id,
        position,
    )


async def test_a_cursor_of_a_future_that_was_lost_is_told_where_to_go_on(
    another_server: Callable[[], None],
) -> None:
    caller = await a_caller()
    for n in range(80):
        await an_event(caller, n=n)
    ahead = (await a_page(caller, limit=100))["nextCursor"]
    await lose_what_came_after(caller, 50)
    another_server()

    for new in range(100, 180, 20):  # at first fewer than were lost, then more
        with pytest.raises(CursorLost) as refused:
            await a_page(caller, cursor=ahead)
        for n in range(new, new + 20):
            await an_event(caller, n=n)

    assert refused.value.meta["code"] == "CURSOR_PERDIDO"
    assert numbers(await everything(caller, refused.value.meta["cursor"])) == list(range(100, 180))


async def test_a_cursor_within_what_survived_goes_on_without_loss(
    another_server: Callable[[], None],
) -> None:
    caller = await a_caller()
    for n in range(8):
        await an_event(caller, n=n)
    behind = (await a_page(caller, limit=3))["nextCursor"]
    at_the_end = (await a_page(caller, limit=5))["nextCursor"]
    await lose_what_came_after(caller, 5)
    another_server()
    for n in range(20, 25):
        await an_event(caller, n=n)

    assert numbers(await everything(caller, behind)) == [3, 4, *range(20, 25)]
    assert numbers(await everything(caller, at_the_end)) == list(range(20, 25))


async def test_a_restart_that_loses_nothing_is_not_noticed(
    another_server: Callable[[], None],
) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    cursor = (await a_page(caller))["nextCursor"]
    another_server()

    assert numbers(await everything(caller, cursor)) == []
    await an_event(caller, n=2)

    assert numbers(await everything(caller, cursor)) == [2]
    assert await db.fetchval("SELECT count(*) FROM webhook_feed_heads") == 2


async def test_a_cursor_of_an_epoch_that_is_not_known_is_told_to_begin_with_the_oldest() -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    form, epoch, position, hour = feed._read((await a_page(caller))["nextCursor"])

    with pytest.raises(CursorLost) as refused:
        await a_page(caller, cursor=cursor_of((form, epoch - 1, position, hour)))

    assert numbers(await everything(caller, refused.value.meta["cursor"])) == [1]


async def test_an_epoch_is_forgotten_when_its_cursors_are_too_old(
    another_server: Callable[[], None],
) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    form, epoch, position, hour = feed._read((await a_page(caller))["nextCursor"])
    another_server()
    await an_event(caller, n=2)
    await a_page(caller)

    await webhooks.delete_expired_events(at=now() + timedelta(days=30))
    assert await db.fetchval("SELECT count(*) FROM webhook_feed_heads") == 2
    await webhooks.delete_expired_events(at=now() + timedelta(days=32))
    assert await db.fetchval("SELECT count(*) FROM webhook_feed_heads") == 1

    old = await a_page(caller, cursor=cursor_of((form, epoch, position, hour - 32 * 24)))
    assert old["warnings"] == ["eventos_expirados"]


async def test_a_standby_that_is_behind_says_nothing_of_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    ahead = (await a_page(caller))["nextCursor"]
    await lose_what_came_after(caller, 0)
    monkeypatch.setattr(feed, "PAGE", feed.PAGE.replace("pg_is_in_recovery()", "true"))

    assert await a_page(caller, cursor=ahead) == {
        "items": [],
        "nextCursor": ahead,
        "hasMore": False,
    }


# The version before ------------------------------------------------------------------------------


async def written_before(caller: Caller, n: int, *, xact: int, seq: int) -> None:
    """An event as the version before wrote it."""
    await db.execute(
        "INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at, xact, seq) "
        "VALUES ($1, $2, $3, 'sms.delivered', $4, now(), now(), $5, $6)",
        new_id("evt"),
        caller.organization_id,
        caller.env,
        {"n": n},
        xact,
        seq,
    )


async def carry_over() -> None:
    """What the migration does with what was written before it began to queue."""
    steps = importlib.import_module("core.migrations.0021_event_feed_positions")
    async with transaction():
        for sql in steps.CARRY_OVER:
            await db.execute(sql)


async def test_events_and_cursors_of_the_version_before_are_carried_over() -> None:
    caller, other = await a_caller(), await a_caller()
    for n, xact in enumerate((7, 5, 5, 9)):
        await written_before(caller, n, xact=xact, seq=n)
    await written_before(other, 50, xact=6, seq=9)
    await db.execute("TRUNCATE webhook_feed_queue")  # there was no trigger then
    await written_before(caller, 4, xact=8, seq=20)
    await carry_over()
    await an_event(caller, n=5)

    assert numbers(await everything(caller)) == [1, 2, 0, 3, 4, 5]
    assert numbers(await everything(other)) == [50]
    hour = int(now().timestamp()) // 3600
    for told_until, expected in {
        (0, 0): [1, 2, 0, 3, 4, 5],
        (5, 1): [2, 0, 3, 4, 5],
        (5, feed.MAX_POSITION): [0, 3, 4, 5],
        (7, feed.MAX_POSITION): [3, 4, 5],
        (8, feed.MAX_POSITION): [3, 4, 5],  # 4 again: it was written while the versions changed
        (9, feed.MAX_POSITION): [4, 5],
        (99, feed.MAX_POSITION): [4, 5],
    }.items():
        assert numbers(await everything(caller, cursor_of((*told_until, hour)))) == expected, (
            told_until
        )


async def test_what_a_process_of_the_version_before_still_writes_is_told() -> None:
    caller = await a_caller()
    await an_event(caller, n=1)
    await written_before(caller, 2, xact=5, seq=1)
    await an_event(caller, n=3)

    assert numbers(await everything(caller)) == [1, 2, 3]
