"""What somebody writes to a number or an account, by way of the sandbox."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import contacts
from core.conversations import inbound
from core.conversations.addresses import identity_of
from core.conversations.inbound.receive import ReceivedMessage, receive
from core.conversations.windows import find_pairs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.numbers import InstagramAccount, Number
from core.providers.platform import InboundMessage
from tests.factories.contacts import a_contact, a_denial
from tests.factories.conversations_inbound import WRITER, a_new_inbound, an_inbound
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller
from tests.support.told import audited, events


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def number(caller: Caller) -> Number:
    return await a_number(caller)


def told(account: Number | InstagramAccount, **fields: Any) -> ReceivedMessage:
    """A text that the platform tells of."""
    facts = {
        "reference": new_id("wamid"),
        "sender": WRITER,
        "payload": {"text": "Olá"},
        "at": now(),
        **fields,
    }
    return ReceivedMessage(account, InboundMessage(platform_id="", type="text", **facts))


async def the_contact(caller: Caller, phone: str = WRITER) -> dict[str, Any]:
    rows = await contacts.list_contacts(caller, contacts.ContactFilter())
    (found,) = [one for one in rows["items"] if one["phone"] == phone]
    return dict(found)


async def window(
    caller: Caller, sender: str, address: str = WRITER, channel: str = "whatsapp"
) -> Any:
    key = (sender, identity_of(channel, caller.organization_id, address))
    return (await find_pairs(caller.organization_id, caller.env, [key])).get(key)


# The message --------------------------------------------------------------------------------------


async def test_a_received_message_is_answered_as_it_is_listed(
    caller: Caller, number: Number
) -> None:
    record = await an_inbound(caller, number, payload={"text": "Quero saber do pedido"})
    contact = await the_contact(caller)
    assert {
        name: record[name] for name in ("channel", "direction", "type", "status", "to", "numberId")
    } == {
        "channel": "whatsapp",
        "direction": "inbound",
        "type": "text",
        "status": "delivered",
        "to": WRITER,
        "numberId": number.id,
    }
    assert record["payload"] == {"text": "Quero saber do pedido"}
    assert record["contactId"] == contact["id"]
    assert record["deliveredAt"] == record["createdAt"]
    assert (record["priority"], record["force"], record["attempts"]) == ("normal", False, 0)
    assert record["metaMessageId"].startswith("sbx_")


async def test_whoever_may_not_see_phones_gets_a_masked_sender(
    caller: Caller, number: Number
) -> None:
    blind = replace(caller, scopes=caller.scopes - {Scope.PII_FULL})
    assert (await an_inbound(blind, number))["to"] == "+5511*****0001"
    assert await db.fetchval("SELECT recipient FROM messages") == WRITER


async def test_message_received_tells_of_it(caller: Caller, number: Number) -> None:
    referral = {"source_type": "ad", "source_id": "120208", "ctwa_clid": "ARAk"}
    record = await an_inbound(caller, number, referral=referral)
    (event,) = await events(caller.organization_id, "message.")
    assert event["type"] == "message.received"
    assert event["data"] == {
        "id": record["id"],
        "env": "test",
        "channel": "whatsapp",
        "numberId": number.id,
        "from": WRITER,
        "type": "text",
        "payload": {"text": "Olá"},
        "contactId": record["contactId"],
        "origemDoLink": {"fonte": "meta", "anuncio": "120208", "codigo": "ARAk"},
        "receivedAt": record["deliveredAt"],
    }
    assert record["origemDoLink"] == event["data"]["origemDoLink"]


async def test_an_event_holds_at_most_20_kilobytes(caller: Caller, number: Number) -> None:
    form = {"kind": "flow_reply", "response": {f"field{n}": "ã" * 900 for n in range(10)}}
    await an_inbound(caller, number, type="interactive", payload=form)
    long = told(number, payload={"text": "ã" * 30_000})
    await receive(caller, "svc-sandbox", [long], at=now())
    whole, cut = sorted(
        (event["data"] for event in await events(caller.organization_id, "message.")), key=len
    )
    assert whole["payload"] == form
    assert cut["truncated"] is True
    assert len(orjson.dumps(cut)) <= 20_000
    assert cut["payload"]["text"] == "ã" * 4_000


async def test_nothing_is_charged_for_what_others_write(caller: Caller, number: Number) -> None:
    before = await db.fetch("SELECT * FROM wallet_transfers")
    await an_inbound(caller, number)
    assert await db.fetch("SELECT * FROM wallet_transfers") == before


# The person ---------------------------------------------------------------------------------------


async def test_who_writes_becomes_a_contact(caller: Caller, number: Number) -> None:
    record = await an_inbound(caller, number, profileName="Ana ✨")
    contact = await the_contact(caller)
    assert contact["source"] == "webhook"
    assert contact["whatsappProfileName"] == "Ana ✨"
    assert contact["lastInteractionAt"] == record["deliveredAt"]
    assert "name" not in contact
    assert contact["optIn"]["status"] == "unknown"
    (event,) = await events(caller.organization_id, "contact.")
    assert (event["type"], event["data"]["id"], event["data"]["source"]) == (
        "contact.created",
        contact["id"],
        "webhook",
    )


async def test_a_known_contact_is_met_again_under_either_form_of_the_phone(
    caller: Caller, number: Number
) -> None:
    known = await a_contact(caller, phone=WRITER)
    record = await an_inbound(caller, number, **{"from": "+551187650001", "profileName": "Ana"})
    assert record["contactId"] == known["id"]
    assert record["to"] == "+551187650001"
    assert (await the_contact(caller))["whatsappProfileName"] == "Ana"
    assert len(await events(caller.organization_id, "contact.created")) == 1


async def test_a_profile_name_never_replaces_the_operators_name(
    caller: Caller, number: Number
) -> None:
    await a_contact(caller, phone=WRITER, name="Ana Souza")
    await an_inbound(caller, number, profileName="aninha")
    contact = await the_contact(caller)
    assert (contact["name"], contact["whatsappProfileName"]) == ("Ana Souza", "aninha")


async def test_a_message_without_a_profile_name_keeps_the_one_that_is_known(
    caller: Caller, number: Number
) -> None:
    await an_inbound(caller, number, profileName="Ana")
    await an_inbound(caller, number)
    assert (await the_contact(caller))["whatsappProfileName"] == "Ana"


async def test_who_said_no_and_writes_stays_denied(caller: Caller, number: Number) -> None:
    await a_denial(caller, WRITER)
    await an_inbound(caller, number)
    assert (await the_contact(caller))["optIn"]["status"] == "denied"
    assert await audited(caller.organization_id, "contact.consent_changed")


async def test_what_is_no_phone_is_stored_without_a_contact(caller: Caller, number: Number) -> None:
    (row,) = await receive(caller, "meta", [told(number, sender="+10000")], at=now())
    assert row["contact_id"] is None
    assert not (await contacts.list_contacts(caller, contacts.ContactFilter()))["items"]


# The window ---------------------------------------------------------------------------------------


async def test_writing_opens_the_window_of_the_pair_and_of_no_other(
    caller: Caller, number: Number
) -> None:
    other = await a_number(caller)
    record = await an_inbound(caller, number)
    pair = await window(caller, number.id)
    assert pair.platform_address == WRITER.removeprefix("+")
    assert await db.fetchval("SELECT contact_id FROM conversation_pairs") == record["contactId"]
    assert await window(caller, other.id) is None


async def test_an_older_message_that_comes_late_does_not_close_the_window(
    caller: Caller, number: Number
) -> None:
    at = now()
    for age in (timedelta(hours=1), timedelta(hours=5)):
        await receive(caller, "meta", [told(number, at=at - age)], at=at)
    pair = await window(caller, number.id)
    assert pair.last_inbound_at == at - timedelta(hours=1)


async def test_a_clock_ahead_of_ours_opens_no_longer_window(caller: Caller, number: Number) -> None:
    at = now()
    (row,) = await receive(caller, "meta", [told(number, at=at + timedelta(days=3))], at=at)
    assert row["delivered_at"] == at
    assert (await window(caller, number.id)).last_inbound_at == at


# Once ---------------------------------------------------------------------------------------------


async def test_what_is_told_twice_is_stored_once(caller: Caller, number: Number) -> None:
    received_message, at = told(number, profile_name="Ana"), now()
    assert len(await receive(caller, "meta", [received_message, received_message], at=at)) == 1
    again = replace(
        received_message,
        inbound=replace(received_message.inbound, profile_name="Bia", at=at + timedelta(hours=1)),
    )
    assert await receive(caller, "meta", [again], at=at + timedelta(hours=2)) == []
    assert await db.fetchval("SELECT count(*) FROM messages") == 1
    assert len(await events(caller.organization_id, "message.received")) == 1
    assert (await the_contact(caller))["whatsappProfileName"] == "Ana"
    assert (await window(caller, number.id)).last_inbound_at == received_message.inbound.at


async def test_an_answer_knows_the_message_that_it_answers(caller: Caller, number: Number) -> None:
    (first,) = await receive(caller, "meta", [told(number, reference="wamid.first")], at=now())
    (answer,) = await receive(caller, "meta", [told(number, reply_to="wamid.first")], at=now())
    (other,) = await receive(
        await a_caller(), "meta", [told(number, reply_to="wamid.first")], at=now()
    )
    assert answer["in_reply_to"] == first["id"]
    assert other["in_reply_to"] is None


# Files --------------------------------------------------------------------------------------------


async def test_a_received_file_waits_to_be_fetched(caller: Caller, number: Number) -> None:
    await an_inbound(
        caller, number, type="media", payload={"kind": "image", "media": {"id": "1042"}}
    )
    await an_inbound(caller, number)
    rows = await db.fetch("SELECT type, settle_at IS NOT NULL AS waits FROM messages ORDER BY type")
    assert [tuple(row.values()) for row in rows] == [("media", True), ("text", False)]


# Instagram ----------------------------------------------------------------------------------------


async def test_an_instagram_account_receives_under_its_own_event(caller: Caller) -> None:
    account = await an_instagram_account(caller)
    fields: dict[str, Any] = {"instagramAccountId": account.id, "from": "17841400000000001"}
    record = await an_inbound(caller, **fields)
    assert (record["channel"], record["to"]) == ("instagram", "17841400000000001")
    assert record["instagramAccountId"] == account.id
    assert not {"numberId", "contactId"} & record.keys()
    (event,) = await events(caller.organization_id, "instagram.")
    assert event["type"] == "instagram.message.received"
    assert event["data"]["instagramAccountId"] == account.id
    assert not await events(caller.organization_id, "message.")
    assert await window(caller, account.id, "17841400000000001", "instagram")
    assert not (await contacts.list_contacts(caller, contacts.ContactFilter()))["items"]


# Refusals -----------------------------------------------------------------------------------------


async def nothing_came(caller: Caller) -> bool:
    counts = [
        await db.fetchval(f"SELECT count(*) FROM {table}")
        for table in ("messages", "contacts", "webhook_events")
    ]
    return not any(counts)


async def test_only_a_test_key_receives_at_will(clean_slate: None) -> None:
    live = await a_caller("live")
    with pytest.raises(NotFound):
        await inbound.receive_in_sandbox(live, a_new_inbound(numberId=(await a_number(live)).id))
    assert await nothing_came(live)


async def test_it_takes_the_scope_of_sending(caller: Caller, number: Number) -> None:
    with pytest.raises(Forbidden):
        await an_inbound(replace(caller, scopes=KEY_SCOPES - {Scope.MESSAGES_SEND}), number)
    assert await nothing_came(caller)


async def test_a_number_of_somebody_else_does_not_exist(caller: Caller) -> None:
    strange = await a_number(await a_caller())
    strange_account = await an_instagram_account(await a_caller())
    lines: tuple[dict[str, Any], ...] = (
        {"numberId": strange.id},
        {"numberId": "x"},
        {"instagramAccountId": strange_account.id, "from": "1"},
        {"instagramAccountId": strange.id, "from": "1"},
    )
    for sender in lines:
        with pytest.raises(NotFound):
            await an_inbound(caller, **sender)
    assert await nothing_came(caller)


@pytest.mark.parametrize(
    ("fields", "where", "code"),
    [
        ({"numberId": "n", "instagramAccountId": "i", "from": "1"}, "/numberId", "required"),
        ({}, "/numberId", "required"),
        ({"numberId": "n", "from": "12"}, "/from", "invalid_phone"),
        ({"numberId": "n", "from": "+5511*****0001"}, "/from", "VALOR_MASCARADO"),
        ({"instagramAccountId": "i", "from": "ana"}, "/from", "wrong_format"),
        ({"numberId": "n", "type": "template"}, "/type", "not_allowed"),
        ({"numberId": "n", "payload": {}}, "/payload/text", "wrong_format"),
        ({"numberId": "n", "payload": {"text": "x" * 4097}}, "/payload/text", "wrong_format"),
        ({"numberId": "n", "payload": {"text": "x", "n": 2**53}}, "/payload", "too_large"),
        (
            {"numberId": "n", "payload": {"text": "x", "more": "x" * 20_000}},
            "/payload",
            "too_large",
        ),
        (
            {"numberId": "n", "type": "media", "payload": {"kind": "gif", "media": {}}},
            "/payload/kind",
            "not_allowed",
        ),
        (
            {"numberId": "n", "type": "media", "payload": {"kind": "image"}},
            "/payload/media",
            "required",
        ),
        (
            {"numberId": "n", "type": "interactive", "payload": {"kind": 1}},
            "/payload/kind",
            "required",
        ),
        ({"numberId": "n", "profileName": " "}, "/profileName", "too_short"),
        ({"numberId": "n", "referral": "x"}, "/referral", "wrong_type"),
    ],
)
def test_a_body_is_refused_with_the_name_of_what_is_wrong(
    fields: dict[str, Any], where: str, code: str
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        a_new_inbound(**fields)
    assert [(error.where, error.code) for error in refusal.value.errors] == [(where, code)]


def test_a_payload_may_have_ten_levels() -> None:
    def nested(levels: int) -> dict[str, Any]:
        return {"text": "x"} if levels == 1 else {"text": "x", "in": nested(levels - 1)}

    assert a_new_inbound(numberId="n", payload=nested(10)).payload == nested(10)
    with pytest.raises(ValidationFailed):
        a_new_inbound(numberId="n", payload=nested(11))
