"""Pages of a timeline: every entry once, in one order, whatever arrives between them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.database import db
from core.foundation.database.pages import cursor_after
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller
from core.read_models.query_compiler import PageParts, SelectedRelation, Selection
from core.read_models.timeline import (
    Kind,
    TimelinePage,
    count_timelines,
    load_timelines,
    read_timelines,
)
from core.read_models.timeline.record import consent_id
from tests.factories.cards import some_deals
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message
from tests.factories.timelines import (
    put_on_card,
    stored_click,
    stored_consent,
    stored_deal,
    stored_event,
    stored_push,
)

AT = datetime(2026, 1, 20, 12, 0, 0, 123456, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

Keys = list[tuple[str, str]]


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def contact(caller: Caller) -> str:
    """With three entries of each kind at each of three moments, a microsecond apart."""
    contact = await stored_contact(caller)
    deals = await some_deals(caller)
    for place in range(9):
        at = AT + (place % 3) * MICROSECOND
        await stored_message(caller, at, contact_id=contact)
        await stored_click(caller, contact, at)
        await stored_push(caller, contact, at)
        await stored_event(caller, contact, at)
        await stored_consent(caller, contact, at)
        await put_on_card(caller, await stored_deal(deals, at), contact)
    return contact


ENTRIES = 9 * 7  # with the messages that the links were in


async def page_of(caller: Caller, contact: str, **arguments: Any) -> TimelinePage:
    return (await read_timelines(caller, [contact], **arguments))[contact]


def keys(page: TimelinePage) -> Keys:
    return [(str(node["kind"]), str(node["id"])) for node in page["nodes"]]


async def forward(
    caller: Caller, contact: str, first: int, **arguments: Any
) -> AsyncIterator[TimelinePage]:
    after = None
    while True:
        page = await page_of(caller, contact, first=first, after=after, **arguments)
        yield page
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


async def test_ties_stand_by_kind_and_then_by_id(caller: Caller, contact: str) -> None:
    numbers = await db.fetch("SELECT id FROM contact_consents WHERE contact_id = $1", contact)
    recorded = {consent_id(str(row["id"])): f"{row['id']:0>19}" for row in numbers}
    found = [
        (node["at"], kind, recorded.get(str(id), id))
        for node in (await page_of(caller, contact, first=100))["nodes"]
        for kind, id in [(node["kind"], node["id"])]
    ]

    times = [
        await db.fetchval("SELECT created_at FROM messages WHERE id = $1", id)
        for _, kind, id in found
        if kind == "message"
    ]
    assert len(found) == ENTRIES
    assert times == sorted(times, reverse=True)
    # The moments show the same millisecond: within each, eighteen entries in the order of their
    # keys.
    for start in (0, 18, 36):
        moment = found[start : start + 18]
        assert moment == sorted(moment, reverse=True)
        assert {kind for _, kind, _ in moment} == set(Kind)


@pytest.mark.parametrize("first", [1, 2, 7, 18, 62, 63])
async def test_pages_together_are_the_one_big_page(
    caller: Caller, contact: str, first: int
) -> None:
    whole = await page_of(caller, contact, first=100)

    pages = [page async for page in forward(caller, contact, first)]

    assert [key for page in pages for key in keys(page)] == keys(whole)
    assert all(len(page["nodes"]) == first for page in pages[:-1])
    assert [page["pageInfo"]["hasPreviousPage"] for page in pages] == [False] + [True] * (
        len(pages) - 1
    )
    assert len(set(keys(whole))) == ENTRIES == (await count_timelines(caller, [contact]))[contact]


async def test_pages_of_some_kinds_together_are_all_of_these(caller: Caller, contact: str) -> None:
    kinds = [Kind.CONSENT, Kind.STAGE_MOVE]
    whole = await page_of(caller, contact, first=100)

    pages = [page async for page in forward(caller, contact, 4, kinds=kinds)]

    assert [key for page in pages for key in keys(page)] == [
        key for key in keys(whole) if key[0] in kinds
    ]
    assert await count_timelines(caller, [contact], kinds=kinds) == {contact: 18}


async def test_the_cursor_of_any_entry_leads_to_what_follows_it_and_to_what_precedes_it(
    caller: Caller, contact: str
) -> None:
    whole = await page_of(caller, contact, first=100)
    all_keys = keys(whole)

    for place, edge in enumerate(whole["edges"]):
        assert (
            keys(await page_of(caller, contact, first=100, after=edge["cursor"]))
            == all_keys[place + 1 :]
        )
        assert (
            keys(await page_of(caller, contact, first=100, before=edge["cursor"]))
            == all_keys[:place]
        )


@pytest.mark.parametrize("last", [1, 7, 60])
async def test_pages_from_the_end_show_the_same_in_the_same_order(
    caller: Caller, contact: str, last: int
) -> None:
    whole = await page_of(caller, contact, first=100)

    found: Keys = []
    page = await page_of(caller, contact, last=last)
    assert not page["pageInfo"]["hasNextPage"]
    found = keys(page)
    while page["pageInfo"]["hasPreviousPage"]:
        page = await page_of(caller, contact, last=last, before=page["pageInfo"]["startCursor"])
        assert page["pageInfo"]["hasNextPage"]
        found = keys(page) + found

    assert found == keys(whole)


async def test_what_arrives_between_pages_moves_nothing(caller: Caller, contact: str) -> None:
    before = keys(await page_of(caller, contact, first=100))
    read: Keys = []

    async for page in forward(caller, contact, 5):
        read += keys(page)
        await stored_message(caller, AT + 10 * MICROSECOND, contact_id=contact)  # above all pages
        await stored_event(caller, contact, AT + 11 * MICROSECOND)

    assert read == before


async def test_what_arrives_further_down_is_met(caller: Caller, contact: str) -> None:
    first = await page_of(caller, contact, first=5)
    late = await stored_event(
        caller, contact, AT - MICROSECOND
    )  # it occurred before, and was told now

    rest = await page_of(caller, contact, first=100, after=first["pageInfo"]["endCursor"])

    assert ("customer_event", late) in keys(rest)
    assert len(keys(first)) + len(keys(rest)) == ENTRIES + 1


async def test_later_clicks_and_reports_do_not_move_an_entry(caller: Caller, contact: str) -> None:
    before = keys(await page_of(caller, contact, first=100))

    later = AT + timedelta(days=1)
    await db.execute("UPDATE short_links SET clicks = clicks + 1, last_clicked_at = $1", later)
    await db.execute(
        "UPDATE messages SET status = 'undelivered', failed_at = $1, updated_at = $1", later
    )

    assert keys(await page_of(caller, contact, first=100)) == before


async def test_the_entry_of_a_cursor_may_be_gone(caller: Caller, contact: str) -> None:
    whole = await page_of(caller, contact, first=100)
    place = next(
        place for place, key in enumerate(keys(whole)) if place > 4 and key[0] == "customer_event"
    )

    await db.execute(
        "UPDATE customer_events SET contact_id = NULL WHERE id = $1", whole["nodes"][place]["id"]
    )

    page = await page_of(caller, contact, first=100, after=whole["edges"][place]["cursor"])
    assert keys(page) == keys(whole)[place + 1 :]


async def test_consents_of_one_moment_stand_in_the_order_of_their_recording(caller: Caller) -> None:
    contact = await stored_contact(caller)
    ids = [str(10**place) for place in range(4)]
    for id in reversed(ids):
        await stored_consent(caller, contact, AT, id=int(id))

    assert [id for _, id in keys(await page_of(caller, contact, first=4))] == [
        consent_id(id) for id in reversed(ids)
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"first": 0},
        {"first": 101},
        {"last": -1},
        {"first": 1, "last": 1},
        {"first": 1, "after": "nonsense"},
        {"first": 1, "after": cursor_after(AT, "msg_1")},
    ],
)
async def test_a_page_that_cannot_be_is_refused(caller: Caller, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed):
        await page_of(caller, "cnt_1", **arguments)


async def test_what_hangs_on_a_contact_is_read_and_counted_as_asked(
    caller: Caller, contact: str
) -> None:
    other = await stored_contact(caller)

    async def loaded(parts: PageParts, **arguments: Any) -> Any:
        return await load_timelines(
            caller, [contact, other], SelectedRelation("timeline", arguments, Selection(), parts)
        )

    pages = await loaded(PageParts(nodes=True), first=2)
    assert [len(page["nodes"]) for page in pages.values()] == [2, 0]
    assert "totalCount" not in pages[contact]
    pages = await loaded(
        PageParts(nodes=True, total=True), first=2, filter={"kinds": [Kind.CONSENT]}
    )
    assert [(len(page["nodes"]), page["totalCount"]) for page in pages.values()] == [(2, 9), (0, 0)]
    assert await loaded(PageParts(total=True), first=2) == {
        contact: {"warnings": [], "totalCount": ENTRIES},
        other: {"warnings": [], "totalCount": 0},
    }
