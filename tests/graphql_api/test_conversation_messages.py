"""Messages of conversations through the gateway: their values are those of REST, and every list
knows them.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.conversations.record import message_record, names_of
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel, Status
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import (
    a_whole_conversation,
    stored_conversation,
    stored_message,
    stored_reply,
)
from tests.factories.templates import a_template
from tests.support.graphql import as_rest, bare, data_of, every_field, refused

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ONLY_HERE = ("env", "reason", "failure", "from")


async def rest_record(caller: Caller, id: str) -> dict[str, Any]:
    row = await db.fetchrow("SELECT * FROM messages WHERE id = $1", id)
    assert row is not None
    names = await names_of(caller.organization_id, [row])
    return {**message_record(row, masked=not caller.sees_personal_data, names=names)}


async def shown(caller: Caller, id: str) -> dict[str, Any]:
    selection = f"... on ConversationMessage {{ {every_field('ConversationMessage')} }}"
    data = await data_of(caller, f'{{ message(id: "{id}") {{ {selection} }} }}')
    record = as_rest("ConversationMessage", data["message"])
    return {
        name: value for name, value in record.items() if value is not None and name not in ONLY_HERE
    }


async def ids(caller: Caller, filter: str) -> list[str]:
    data = await data_of(
        caller, f"{{ messages(first: 50, filter: {filter}) {{ totalCount nodes {{ id }} }} }}"
    )
    found = [node["id"] for node in data["messages"]["nodes"]]
    assert data["messages"]["totalCount"] == len(found)
    return found


@pytest.mark.parametrize("sees", [(), (Scope.PII_FULL,)], ids=["masked", "pii:full"])
async def test_every_field_is_the_one_of_rest(sees: tuple[Scope, ...]) -> None:
    owner = await a_caller()
    caller = bare(owner, Scope.MESSAGES_READ, *sees)
    whole = await stored_conversation(
        owner, AT, **a_whole_conversation(AT), sent_by_account_id=owner.account_id
    )
    plain = await stored_conversation(
        owner, AT, status=Status.QUEUED, content=None, priority=None, force=None
    )
    wrote = await stored_reply(
        owner,
        AT,
        channel=Channel.INSTAGRAM,
        type="text",
        content={"text": "Oi"},
        recipient="17841400000000042",
    )
    for id in (whole, plain, wrote):
        assert await shown(caller, id) == await rest_record(caller, id)
    columns = await rest_record(caller, whole)
    assert {"sentByName", "mediaStorage", "origemDoLink", "upstreamCode"} <= columns.keys()
    assert ("metaMessageId" in columns) is bool(sees)


async def test_a_message_is_one_of_the_organization_and_of_the_scope() -> None:
    caller = await a_caller()
    id = await stored_conversation(caller, AT)
    query = f'{{ message(id: "{id}") {{ id }} }}'
    assert await data_of(caller, query) == {"message": {"id": id}}
    assert await data_of(bare(caller, Scope.SMS_READ), query) == {"message": None}
    assert await data_of(await a_caller(), query) == {"message": None}
    assert (await refused(bare(caller, Scope.AUDIT_READ), query))["extensions"][
        "code"
    ] == "FORBIDDEN"


async def test_the_number_and_the_template_hang_on_the_message() -> None:
    caller = await a_caller()
    template = await a_template(caller)
    id = await stored_conversation(
        caller, AT, number_id=template["numberId"], template_id=template["id"]
    )
    selection = "... on ConversationMessage { number { id } template { id name } }"
    query = f'{{ message(id: "{id}") {{ {selection} }} }}'
    assert await data_of(caller, query) == {
        "message": {
            "number": {"id": template["numberId"]},
            "template": {"id": template["id"], "name": template["name"]},
        }
    }


async def test_lists_are_narrowed_by_channel_number_batch_and_template() -> None:
    caller = await a_caller()
    number, batch, template = new_id("num"), new_id("btc"), new_id("tpl")
    await stored_message(caller, AT)
    instagram = await stored_conversation(caller, AT, channel=Channel.INSTAGRAM)
    bare_one = await stored_conversation(caller, AT + MINUTE)
    of_number = await stored_conversation(caller, AT + 2 * MINUTE, number_id=number)
    of_template = await stored_conversation(
        caller, AT + 3 * MINUTE, number_id=number, batch_id=batch, template_id=template
    )
    assert await ids(caller, "{channel: [WHATSAPP, INSTAGRAM]}") == [
        of_template,
        of_number,
        bare_one,
        instagram,
    ]
    assert await ids(caller, "{channel: [INSTAGRAM]}") == [instagram]
    assert await ids(caller, f'{{numberId: "{number}"}}') == [of_template, of_number]
    assert await ids(caller, f'{{batchId: "{batch}"}}') == [of_template]
    assert await ids(caller, f'{{templateId: "{template}"}}') == [of_template]
    assert await ids(caller, f'{{templateId: "{template}", channel: [SMS]}}') == []
    assert await ids(await a_caller(), f'{{numberId: "{number}"}}') == []


async def test_whoever_wrote_a_conversation_is_found_by_the_person() -> None:
    caller = await a_caller()
    sent = await stored_conversation(caller, AT)
    wrote = await stored_reply(caller, AT + MINUTE, channel=Channel.WHATSAPP, type="text")
    await stored_reply(caller, AT + MINUTE)  # by SMS: it was sent to nobody
    person = "17841400000000042"
    there = await stored_conversation(caller, AT, channel=Channel.INSTAGRAM, recipient=person)
    assert await ids(caller, '{to: "(11) 98765-0005"}') == [wrote, sent]
    assert await ids(caller, f'{{to: "{person}"}}') == [there]


async def test_a_contact_shows_its_conversations_and_the_last_message_that_may_be_read() -> None:
    caller = await a_caller()
    contact = await stored_contact(caller)
    sms = await stored_message(caller, AT, contact_id=contact)
    chat = await stored_conversation(caller, AT + MINUTE, contact_id=contact, number_id="num_1")
    query = f"""{{ contact(id: "{contact}") {{ lastMessage {{ id }}
        messages(first: 5) {{ nodes {{ id ... on ConversationMessage {{ payload numberId }} }} }}
        timeline(first: 5) {{ nodes {{ ... on MessageEntry {{ id body type numberId }} }} }} }} }}"""
    seen = (await data_of(caller, query))["contact"]
    assert seen["lastMessage"] == {"id": chat}
    assert seen["messages"]["nodes"] == [
        {"id": chat, "payload": {"text": "Seu pedido saiu"}, "numberId": "num_1"},
        {"id": sms},
    ]
    assert seen["timeline"]["nodes"] == [
        {"id": chat, "body": "Seu pedido saiu", "type": "TEXT", "numberId": "num_1"},
        {"id": sms, "body": None, "type": None, "numberId": None},
    ]
    # Of channels that a caller may not read nothing is told, nor do they stand before what may be
    # read.
    blind = replace(caller, scopes=frozenset({Scope.CONTACTS_READ, Scope.SMS_READ}))
    seen = (await data_of(blind, query))["contact"]
    assert seen["lastMessage"] == {"id": sms}
    assert [node["id"] for node in seen["messages"]["nodes"]] == [sms]
    assert [node["id"] for node in seen["timeline"]["nodes"]] == [sms]


async def test_a_company_lists_the_conversations_of_its_contacts() -> None:
    caller = await a_caller()
    company = (
        await data_of(caller, 'mutation { createCompany(input: {nome: "Padaria"}) { id } }')
    )["createCompany"]
    contact = await stored_contact(caller, company_id=company["id"])
    chat = await stored_conversation(caller, AT, contact_id=contact)
    data = await data_of(
        caller,
        f'{{ company(id: "{company["id"]}") {{ messages(first: 5) {{ nodes {{ id }} }} }} }}',
    )
    assert data["company"]["messages"]["nodes"] == [{"id": chat}]


async def test_figures_are_grouped_by_number_with_empty_buckets() -> None:
    caller = await a_caller()
    one, other = sorted((new_id("num"), new_id("num")))
    await stored_conversation(caller, AT, number_id=one, coins=400)
    await stored_conversation(caller, AT, number_id=one, status=Status.READ)
    await stored_conversation(
        caller, AT + timedelta(days=1), number_id=other, status=Status.FAILED, sent_at=None
    )
    await stored_reply(caller, AT, channel=Channel.WHATSAPP, number_id=other)
    await stored_message(caller, AT)
    data = await data_of(
        caller,
        """{ messageStats(from: "2026-01-20T00:00:00Z", to: "2026-01-22T00:00:00Z", groupBy: [NUMBER],
             filter: {channel: [WHATSAPP]}) {
               totals { sent delivered read failed received coins }
               points { at numberId sent delivered read failed received } } }""",
    )
    points = [tuple(point.values())[1:] for point in data["messageStats"]["points"]]
    assert points == [
        (one, 2, 2, 1, 0, 0),
        (other, 0, 0, 0, 0, 1),
        (one, 0, 0, 0, 0, 0),
        (other, 0, 0, 0, 1, 0),
    ]
    assert tuple(data["messageStats"]["totals"].values()) == (2, 2, 1, 1, 1, 400)
