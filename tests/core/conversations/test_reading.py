"""Reading conversational messages: masks, filters, pages, and whose they are."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import conversations
from core.conversations.events import publish_moves
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.ids import new_id
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller, Scope
from core.messaging import fetch_messages
from tests.factories.conversations import ANA, a_conversation, a_message, a_window, let_leave
from tests.factories.numbers import an_instagram_account
from tests.factories.organizations import a_caller
from tests.support.statements import statements
from tests.support.told import events

pytestmark = pytest.mark.usefixtures("clean_slate")


async def pages(caller: Caller, **filter: Any) -> WrittenPage[conversations.ConversationPage]:
    return await conversations.list_messages(
        caller, conversations.MessageFilter.model_validate(filter)
    )


async def ids(caller: Caller, **filter: Any) -> list[str]:
    return [item["id"] for item in (await pages(caller, **filter))["items"]]


async def backdate(id: str, days: int) -> None:
    await db.execute(
        "UPDATE messages SET created_at = created_at - $2::interval WHERE id = $1",
        id,
        timedelta(days),
    )


async def test_a_list_holds_both_channels_newest_first_and_no_other_channel() -> None:
    caller = await a_caller()
    number, account = await a_conversation(caller), await an_instagram_account(caller)
    await a_window(caller, account.id, "17841400000000001")
    instagram: dict[str, Any] = {
        "numberId": ...,
        "instagramAccountId": account.id,
        "to": "17841400000000001",
    }
    sent = [
        (await a_message(caller, number.id, **fields))["id"]
        for fields in ({}, instagram, {}, instagram)
    ]
    for place, id in enumerate(sent):
        await backdate(id, 10 - place)
    await db.execute(
        "INSERT INTO messages SELECT (jsonb_populate_record(null::messages, to_jsonb(m) || $2)).* FROM messages m "
        "WHERE id = $1",
        sent[0],
        {"id": new_id("msg"), "channel": "sms"},
    )
    page = await pages(caller)
    assert ([item["id"] for item in page["items"]], page["total"]) == (sent[::-1], 4)
    assert [item["channel"] for item in page["items"]] == ["instagram", "whatsapp"] * 2


async def test_pages_by_skip_and_by_cursor_hold_each_message_once() -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    sent = [(await a_message(caller, number.id))["id"] for _ in range(7)]
    by_skip = [id for skip in (0, 3, 6) for id in await ids(caller, limit=3, skip=skip)]
    by_cursor: list[str] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await pages(caller, limit=3, **cursor)
        by_cursor += [item["id"] for item in page["items"]]
        assert page["total"] == 7
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert by_skip == by_cursor
    assert sorted(by_cursor) == sorted(sent)


async def test_a_page_holds_50_and_at_most_200() -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    first = (await a_message(caller, number.id))["id"]
    await db.execute(
        "INSERT INTO messages SELECT (jsonb_populate_record(null::messages, to_jsonb(m) || "
        "jsonb_build_object('id', 'msg_' || n))).* FROM messages m, generate_series(1, 210) AS n WHERE m.id = $1",
        first,
    )
    assert [
        len(await ids(caller, **filter)) for filter in ({}, {"limit": 200}, {"limit": 5000})
    ] == [50, 200, 200]


async def test_each_filter_narrows_and_an_unknown_value_matches_nothing() -> None:
    caller = await a_caller()
    number, other = await a_conversation(caller), await a_conversation(caller)
    session = Caller(
        caller.organization_id, caller.env, caller.scopes, None, caller.account_id, kind="session"
    )
    one = (await a_message(session, number.id, campaignId="natal"))["id"]
    two = (await a_message(caller, other.id))["id"]
    await backdate(two, 5)
    await let_leave()
    await db.execute(
        "UPDATE messages SET batch_id = 'btc_x', contact_id = 'cnt_x', status = 'read' WHERE id = $1",
        one,
    )
    three_days_ago = (datetime.now(UTC) - timedelta(days=3)).isoformat()
    for filter in (
        {"status": "read"},
        {"numberId": number.id},
        {"contactId": "cnt_x"},
        {"campaignId": "natal"},
        {"batchId": "btc_x"},
        {"sentByAccountId": caller.account_id},
        {"from": three_days_ago},
    ):
        page = await pages(caller, **filter)
        assert ([item["id"] for item in page["items"]], page["total"]) == ([one], 1), filter
    assert await ids(caller, to=three_days_ago) == [two]
    for name in ("status", "numberId", "contactId", "campaignId", "batchId", "sentByAccountId"):
        assert await pages(caller, **{name: "nothing"}) == {"items": [], "total": 0}


@pytest.mark.parametrize("column", ["contact_id", "campaign_id"])
async def test_a_filter_shows_no_message_of_another_channel(column: str) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    id = (await a_message(caller, number.id))["id"]
    await db.execute(f"UPDATE messages SET {column} = 'x' WHERE id = $1", id)
    await db.execute(
        "INSERT INTO messages SELECT (jsonb_populate_record(null::messages, to_jsonb(m) || $2)).* FROM messages m "
        "WHERE id = $1",
        id,
        {"id": new_id("msg"), "channel": "sms"},
    )
    page = await pages(caller, **{"contactId" if column == "contact_id" else "campaignId": "x"})
    assert ([item["id"] for item in page["items"]], page["total"]) == ([id], 1)


@pytest.mark.parametrize(
    "filter", ["numberId", "contactId", "campaignId", "batchId", "sentByAccountId"]
)
async def test_a_filtered_page_is_read_in_the_order_of_one_index(filter: str) -> None:
    """A branch for each channel would look for Instagram messages through all that a number ever
    sent.
    """
    caller = await a_caller()
    number = await a_conversation(caller)
    id = (await a_message(caller, number.id))["id"]
    await db.execute(
        "UPDATE messages SET contact_id = 'x', campaign_id = 'x', batch_id = 'x', sent_by_account_id = 'x' "
        "WHERE id = $1",
        id,
    )
    async with statements() as run:
        assert await ids(caller, **{filter: number.id if filter == "numberId" else "x"}) == [id]
    assert not [statement for statement in run if "UNION ALL" in statement]


async def test_a_time_or_a_cursor_that_cannot_be_read_gives_an_empty_page() -> None:
    caller = await a_caller()
    await a_message(caller, (await a_conversation(caller)).id)
    for name in ("from", "to", "cursor"):
        assert await pages(caller, **{name: "yesterday"}) == {
            "items": [],
            "total": 0,
            "warnings": [f"{name}_invalido"],
        }


async def test_the_recipient_is_masked_without_pii_full() -> None:
    caller = await a_caller()
    sent = await a_message(caller, (await a_conversation(caller)).id)
    reader = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    assert (await conversations.get_message(caller, sent["id"]))["to"] == ANA
    assert (await conversations.get_message(reader, sent["id"]))["to"] == "+5511*****0301"
    assert [item["to"] for item in (await pages(reader))["items"]] == ["+5511*****0301"]


async def test_nobody_reads_what_is_anothers() -> None:
    caller, stranger = await a_caller(), await a_caller()
    sent = await a_message(caller, (await a_conversation(caller)).id)
    other_side = await a_caller("live", organization_id=caller.organization_id)
    for who in (stranger, other_side):
        with pytest.raises(NotFound):
            await conversations.get_message(who, sent["id"])
        assert await pages(who) == {"items": [], "total": 0}


async def test_every_field_of_the_record_has_its_column() -> None:
    caller = await a_caller()
    sent = await a_message(caller, (await a_conversation(caller)).id)
    columns = {
        "replaced_by": "msg_new",
        "last_error": "Last.",
        "original_error": "First.",
        "upstream_code": "131026",
        "link_origin": {"fonte": "meta", "codigo": "x"},
        "media": {
            "mimeType": "image/png",
            "size": 3,
            "storedAt": "2026-11-21T03:08:12.376Z",
            "key": "k",
            "filename": "f",
        },
        "reprocessed": True,
        "provider_reference": "wamid.1",
        "priority": "bulk",
    }
    for name, value in columns.items():
        await db.execute(f"UPDATE messages SET {name} = $2 WHERE id = $1", sent["id"], value)
    record: dict[str, Any] = {**await conversations.get_message(caller, sent["id"])}
    assert {name: record[name] for name in record.keys() - sent.keys()} == {
        "replacedBy": "msg_new",
        "lastError": "Last.",
        "originalError": "First.",
        "upstreamCode": "131026",
        "origemDoLink": {"fonte": "meta", "codigo": "x"},
        "mediaStorage": {
            "mimeType": "image/png",
            "size": 3,
            "storedAt": "2026-11-21T03:08:12.376Z",
        },
        "reprocessed": True,
        "metaMessageId": "wamid.1",
    }
    assert record["priority"] == "bulk"


async def test_nothing_is_told_of_what_others_wrote_as_if_we_had_sent_it() -> None:
    caller = await a_caller()
    sent = await a_message(caller, (await a_conversation(caller)).id)
    await db.execute(
        "UPDATE messages SET direction = 'inbound', status = 'read' WHERE id = $1", sent["id"]
    )
    rows = await fetch_messages("SELECT * FROM messages WHERE id = $1", sent["id"])
    await publish_moves(rows, at=datetime.now(UTC))
    assert await events(caller.organization_id, "message") == []
