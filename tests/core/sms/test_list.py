"""Reading SMS: filters, order, pages, and who sees what."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import sms
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.records import WrittenPage
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact

pytestmark = pytest.mark.usefixtures("clean_slate")


async def listed(caller: Caller, **query: Any) -> WrittenPage[sms.SmsPage]:
    return await sms.list_messages(caller, sms.SmsFilter.model_validate(query))


async def ids(caller: Caller, **query: Any) -> list[str]:
    return [item["id"] for item in (await listed(caller, **query))["items"]]


async def sent_at(caller: Caller, at: datetime, **fields: Any) -> str:
    """A message created at this moment; its id."""
    id: str = (await a_send(caller, **fields))["id"]
    await db.execute("UPDATE messages SET created_at = $2 WHERE id = $1", id, at)
    return id


async def pages(caller: Caller, **query: Any) -> AsyncIterator[WrittenPage[sms.SmsPage]]:
    """The pages behind each other's cursors."""
    page = await listed(caller, **query)
    yield page
    while "nextCursor" in page:
        page = await listed(caller, **query, cursor=page["nextCursor"])
        yield page


async def test_messages_are_listed_newest_first() -> None:
    caller, at = await a_caller(), now()
    second = await sent_at(caller, at - timedelta(seconds=1))
    third = await sent_at(caller, at - timedelta(seconds=2))
    first = await sent_at(caller, at)

    page = await listed(caller)

    assert [item["id"] for item in page["items"]] == [first, second, third]
    assert page["total"] == 3
    assert "nextCursor" not in page
    assert page["items"][0]["createdAt"] == wire_time(at)


async def test_an_item_is_what_the_single_read_answers() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")
    sent = await a_send(
        caller, to="+5511987650006", metadata={"n": 1}, contactId="cnt_1", campaignId="c"
    )
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    (item,) = (await listed(caller))["items"]

    assert item == await sms.get_message(caller, sent["id"])


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"text": 'ç "quoted" \\ / \u2028 😀 \n', "empty": "", "null": "null"},
        {
            "most": 2**53 - 1,
            "least": 1 - 2**53,
            "zero": 0,
            "float": -1.5e-7,
            "large": 1e300,
            "whole": 1.0,
        },
        {"yes": True, "no": False},
    ],
    ids=["none", "texts", "numbers", "booleans"],
)
async def test_metadata_comes_back_as_it_was_sent(metadata: dict[str, Any]) -> None:
    caller = await a_caller()
    sent = await a_send(caller, metadata=metadata, key="k")

    (item,) = (await listed(caller))["items"]
    read = await sms.get_message(caller, sent["id"])
    again = await a_send(caller, metadata=metadata, key="k")

    assert [one["metadata"] for one in (sent, item, read, again)] == [metadata] * 4


@pytest.mark.parametrize(
    "status", ["queued", "sending", "sent", "delivered", "failed", "undelivered"]
)
async def test_the_status_filter_takes_each_status(status: str) -> None:
    caller = await a_caller()
    by_status = {}
    for one in ("queued", "sending", "sent", "delivered", "failed", "undelivered"):
        by_status[one] = (await a_send(caller))["id"]
        await db.execute("UPDATE messages SET status = $2 WHERE id = $1", by_status[one], one)

    page = await listed(caller, status=status)

    assert [item["id"] for item in page["items"]] == [by_status[status]]
    assert page["total"] == 1


async def test_the_other_filters_take_what_they_name() -> None:
    caller, at = await a_caller(), now()
    await stored_contact(caller, id="cnt_1")
    plain = await sent_at(caller, at)
    abroad = await sent_at(caller, at - timedelta(hours=1), to="+14155552671")
    contact = await sent_at(caller, at - timedelta(hours=2), contactId="cnt_1")
    campaign = await sent_at(caller, at - timedelta(hours=3), campaignId="autumn")
    other = await sent_at(caller, at - timedelta(hours=4), to="+5521987654321")

    assert await ids(caller, region="INTL") == [abroad]
    assert await ids(caller, region="BR") == [plain, contact, campaign, other]
    assert await ids(caller, contactId="cnt_1") == [contact]
    assert await ids(caller, campaignId="autumn") == [campaign]
    assert await ids(caller, phone="+5521987654321") == [other]
    assert await ids(caller, phone="(21) 98765-4321") == [other]
    assert await ids(caller, phone="+5521987654322") == []
    assert await ids(caller, contactId="cnt_2") == []
    assert await ids(caller, region="BR", contactId="cnt_1", campaignId="autumn") == []


async def test_from_and_to_include_their_own_moment() -> None:
    caller, at = await a_caller(), now()
    newest, middle, oldest = [
        await sent_at(caller, at - timedelta(hours=hours)) for hours in range(3)
    ]

    assert await ids(caller, **{"from": wire_exact(at - timedelta(hours=1))}) == [newest, middle]
    assert await ids(caller, to=wire_exact(at - timedelta(hours=1))) == [middle, oldest]
    assert await ids(caller, **{"from": wire_exact(at), "to": wire_exact(at)}) == [newest]
    for_ever = {"from": "0001-01-01T00:00:00Z", "to": "9999-12-31T23:59:59.999Z"}
    assert await ids(caller, **for_ever) == [newest, middle, oldest]
    assert await ids(caller, **{"from": wire_exact(at + timedelta(microseconds=1))}) == []


def wire_exact(at: datetime) -> str:
    return at.isoformat()


async def test_a_moment_without_a_zone_is_utc() -> None:
    caller = await a_caller()
    at = now()
    id = await sent_at(caller, at)

    assert await ids(caller, **{"from": at.replace(tzinfo=None).isoformat()}) == [id]
    assert (
        await ids(caller, **{"from": (at + timedelta(seconds=1)).replace(tzinfo=None).isoformat()})
        == []
    )


async def test_the_limit_is_50_by_default_and_cut_to_200() -> None:
    caller = await a_caller()
    id = (await a_send(caller))["id"]
    await db.execute(
        """
        INSERT INTO messages (id, organization_id, env, channel, direction, status, route, recipient, provider, coins,
                              created_at, updated_at)
        SELECT 'msg_' || lpad(n::text, 21, '0'), organization_id, env, channel, direction, status, route, recipient,
               provider, coins, created_at - make_interval(secs => n), updated_at
        FROM messages CROSS JOIN generate_series(1, 204) AS n WHERE id = $1
        """,
        id,
    )

    default, most, one = (
        await listed(caller),
        await listed(caller, limit=10**9),
        await listed(caller, limit=1),
    )

    assert [len(page["items"]) for page in (default, most, one)] == [50, 200, 1]
    assert {page["total"] for page in (default, most, one)} == {205}
    assert all("nextCursor" in page for page in (default, most, one))


async def test_skip_leaves_out_the_newest() -> None:
    caller, at = await a_caller(), now()
    all_ids = [await sent_at(caller, at - timedelta(seconds=place)) for place in range(4)]

    assert await ids(caller, skip=1, limit=2) == all_ids[1:3]
    assert await ids(caller, skip=4) == []
    assert await ids(caller, skip=2**53 - 1) == []
    assert (await listed(caller, skip=4))["total"] == 4


async def test_a_cursor_leaves_no_gap_and_repeats_nothing_among_messages_of_one_moment() -> None:
    caller, at = await a_caller(), now()
    all_ids = {await sent_at(caller, at) for _ in range(7)}

    seen = [item["id"] async for page in pages(caller, limit=3) for item in page["items"]]

    assert len(seen) == len(set(seen)) == 7
    assert set(seen) == all_ids


async def test_a_reader_who_pages_on_misses_nothing_while_messages_arrive() -> None:
    caller, at = await a_caller(), now()
    there_at_first = [await sent_at(caller, at - timedelta(seconds=place)) for place in range(6)]

    seen, totals = [], []
    async for page in pages(caller, limit=2):
        seen += [item["id"] for item in page["items"]]
        totals.append(page["total"])
        await sent_at(caller, at + timedelta(seconds=len(totals)))

    assert seen == there_at_first
    assert totals == [6, 7, 8]


async def test_the_last_page_has_no_cursor_even_when_it_is_full() -> None:
    caller = await a_caller()
    for _ in range(4):
        await a_send(caller)

    sizes = [(len(page["items"]), "nextCursor" in page) async for page in pages(caller, limit=2)]

    assert sizes == [(2, True), (2, False)]


async def test_a_cursor_keeps_to_the_filter_it_is_sent_with() -> None:
    caller, at = await a_caller(), now()
    mine = [
        await sent_at(caller, at - timedelta(seconds=place), campaignId="c") for place in (0, 2, 4)
    ]
    for place in (1, 3):
        await sent_at(caller, at - timedelta(seconds=place))

    seen = [
        item["id"]
        async for page in pages(caller, limit=1, campaignId="c")
        for item in page["items"]
    ]

    assert seen == mine


@pytest.mark.parametrize(
    "cursor", ["", "abc", "é", "e30", "W10", "WzEsMl0", "WyJhIiwiYiJd", "=", "\ud800"]
)
async def test_an_unreadable_cursor_is_refused_and_never_page_one(cursor: str) -> None:
    caller = await a_caller()
    await a_send(caller)

    with pytest.raises(ValidationFailed) as refused:
        await listed(caller, cursor=cursor)

    assert [(error.kind, error.where) for error in refused.value.errors] == [
        ("parameter", "cursor")
    ]


# Who sees what ------------------------------------------------------------------------------------


async def test_another_organization_sees_nothing_of_it() -> None:
    owner, stranger = await a_caller(), await a_caller()
    await stored_contact(owner, id="cnt_1")
    sent = await a_send(owner, contactId="cnt_1", campaignId="c")

    assert await listed(stranger) == {"items": [], "total": 0}
    assert await listed(stranger, contactId="cnt_1", campaignId="c", phone="+5511987650005") == {
        "items": [],
        "total": 0,
    }
    with pytest.raises(NotFound):
        await sms.get_message(stranger, sent["id"])


async def test_the_other_environment_sees_nothing_of_it() -> None:
    sandbox = await a_caller("test")
    live = await a_caller("live", organization_id=sandbox.organization_id)
    sent = await a_send(sandbox)

    assert await listed(live) == {"items": [], "total": 0}
    with pytest.raises(NotFound):
        await sms.get_message(live, sent["id"])


async def test_a_cursor_of_another_organization_opens_nothing() -> None:
    owner, stranger = await a_caller(), await a_caller()
    for _ in range(2):
        await a_send(owner)
    cursor = (await listed(owner, limit=1))["nextCursor"]

    assert await listed(stranger, cursor=cursor) == {"items": [], "total": 0}


@pytest.mark.parametrize(
    "id", ["", "msg_", "nope", "msg_" + "x" * 10_000, "msg_'; --", "é", "\x01"]
)
async def test_an_id_that_is_none_is_not_found(id: str) -> None:
    caller = await a_caller()

    with pytest.raises(NotFound):
        await sms.get_message(caller, id)


async def test_a_received_message_is_no_sent_one() -> None:
    caller = await a_caller()
    id = (await a_send(caller))["id"]
    await db.execute("UPDATE messages SET direction = 'inbound' WHERE id = $1", id)

    assert (await listed(caller))["total"] == 0
    with pytest.raises(NotFound):
        await sms.get_message(caller, id)


async def test_reading_needs_the_scope() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.SMS_READ})
    sent = await a_send(caller)

    with pytest.raises(Forbidden):
        await sms.get_message(caller, sent["id"])
    with pytest.raises(Forbidden):
        await listed(caller)
