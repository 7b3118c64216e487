"""Conversations of a person who is erased, or told what is known."""

from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import media, numbers, privacy, wallet
from core.contacts import Contact
from core.conversations.inbound.apply import MAX_ATTEMPTS
from core.conversations.models import ConversationPair, ConversationType, PlatformNotice
from core.conversations.queue.retry_policy import MAX_ATTEMPTS as MAX_SEND_ATTEMPTS
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest
from core.foundation import files
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.messaging import Channel, Message, Status
from core.messaging.models import WaitingMessage
from core.webhooks import WebhookEvent
from tests.core.privacy.conftest import PERSONAL, PHONE, Person, found_in
from tests.factories.conversations import a_message
from tests.factories.conversations_inbound import an_inbound
from tests.factories.media import a_file
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import a_whole_conversation, stored_conversation
from tests.support.sql_tables import put_row, rows_of

ON_INSTAGRAM = "17841400000000042"
SECRET = "my secret order"


async def a_draft(person: Person, number: numbers.Number, **fields: Any) -> str:
    """A free text to the person, who wrote before: it waits to be sent."""
    draft = ConversationRequest(
        number_id=number.id, type=ConversationType.TEXT, payload={"text": SECRET}, **fields
    )
    (taken,) = await accept_messages(person.caller, [draft], at=now())
    assert isinstance(taken, AcceptedMessage)
    return taken.id


async def test_nothing_in_a_conversation_names_the_person_any_more(person: Person) -> None:
    caller = person.caller
    number = await a_number(caller)
    account = await an_instagram_account(caller)
    received = await an_inbound(
        caller, number, **{"from": PHONE}, payload={"text": SECRET}, profileName="Zulmira R."
    )
    await a_draft(person, number, to=PHONE)
    await stored_conversation(
        caller,
        now(),
        **{**a_whole_conversation(now()), "template_vars": [SECRET], "media": None},
        recipient=PHONE,
        contact_id=person.id,
    )
    await stored_conversation(
        caller, now(), channel=Channel.INSTAGRAM, instagram_account_id=account.id, recipient=ON_INSTAGRAM,
        contact_id=person.id,
    )  # fmt: skip
    await an_inbound(
        caller,
        None,
        instagramAccountId=account.id,
        **{"from": ON_INSTAGRAM},
        payload={"text": SECRET},
    )
    needles = (*PERSONAL, SECRET, "Zulmira R.", ON_INSTAGRAM, "wamid.1", "radio", person.id)

    await privacy.erase_contact(caller, person.id)

    but = ("webhook_events", "idempotency_keys", "audit_entries")
    assert await found_in(needles, but=but) == {}
    row = await Message.get(id=received["id"])
    assert (row.recipient, row.content, row.status, row.number_id) == (
        "4321",
        {},
        Status.DELIVERED,
        number.id,
    )
    assert await rows_of(ConversationPair).count() == 0


async def test_what_waits_is_called_off_and_costs_nothing(person: Person) -> None:
    number = await a_number(person.caller)
    await an_inbound(person.caller, number, **{"from": PHONE})
    id = await a_draft(person, number, to=PHONE)
    owner = (person.caller.organization_id, person.caller.env)
    await wallet.lock_balances({owner})
    await wallet.book([wallet.hold(owner, id, 400)], at=now())
    await db.execute("UPDATE messages SET coins = 400 WHERE id = $1", id)
    held = await db.fetchrow(
        "SELECT available, held FROM wallets WHERE organization_id = $1 AND env = $2", *owner
    )
    assert held is not None

    await privacy.erase_contact(person.caller, person.id)

    after = await db.fetchrow(
        "SELECT available, held FROM wallets WHERE organization_id = $1 AND env = $2", *owner
    )
    assert after is not None
    assert (after["available"], after["held"]) == (held["available"] + 400, held["held"] - 400)
    assert await WaitingMessage.all().count() == 0
    row = await Message.get(id=id)
    assert (row.status, row.reason, row.last_error, row.coins) == (
        Status.FAILED,
        "canceled",
        "cancelada",
        0,
    )
    assert await WebhookEvent.filter(type="message.failed").count() == 1


async def test_what_is_just_being_handed_over_is_not_tried_again(person: Person) -> None:
    id = await stored_conversation(person.caller, now(), recipient=PHONE, status=Status.SENDING)
    other = await stored_conversation(
        person.caller, now(), recipient="+5511987650006", status=Status.SENDING
    )

    await privacy.erase_contact(person.caller, person.id)

    assert (await Message.get(id=id)).attempts == MAX_SEND_ATTEMPTS
    assert (await Message.get(id=other)).attempts == 1


async def test_the_answer_of_a_scheduled_send_names_nobody_any_more_and_the_key_still_holds(
    person: Person,
) -> None:
    number = await a_number(person.caller)
    await an_inbound(person.caller, number, **{"from": PHONE})
    body = {
        "to": PHONE,
        "payload": {"text": SECRET},
        "scheduledAt": (now() + timedelta(days=300)).isoformat(),
    }
    sent = await a_message(person.caller, number.id, key="1", **body)

    await privacy.erase_contact(person.caller, person.id)

    answer = await db.fetchval(
        "SELECT answer::text FROM idempotency_keys WHERE subject_id = $1", sent["id"]
    )
    assert not [needle for needle in (*PERSONAL, SECRET, person.id) if needle in answer]
    again = await a_message(person.caller, number.id, key="1", **body)
    assert (again["id"], again["replayed"], again["to"], again["payload"]) == (
        sent["id"],
        True,
        "4321",
        {},
    )


async def test_conversations_of_others_are_left_alone(person: Person) -> None:
    caller = person.caller
    number = await a_number(caller)
    theirs = await an_inbound(caller, number, **{"from": "+5511987650006"}, payload={"text": "Oi"})
    # It carries the person and went to somebody else.
    await stored_conversation(
        caller,
        now(),
        recipient="+5511987650006",
        contact_id=person.id,
        number_id=number.id,
        content={"text": "Oi"},
    )
    stranger = await a_caller()
    elsewhere = await an_inbound(stranger, None, **{"from": PHONE}, payload={"text": "Oi"})

    await privacy.erase_contact(caller, person.id)

    for id, phone in ((theirs["id"], "+5511987650006"), (elsewhere["id"], PHONE)):
        row = await Message.get(id=id)
        assert (row.recipient, row.content) == (phone, {"text": "Oi"})
    assert await rows_of(ConversationPair).count() == 2
    assert await Contact.filter(phone="+5511987650006").count() == 1


async def test_files_go_with_the_messages_that_held_them(person: Person) -> None:
    number = await a_number(person.caller)
    file = await a_file(person.caller, number_id=number.id)
    copy = {
        "mimeType": "application/pdf",
        "size": file.size,
        "storedAt": "x",
        "key": file.blob_key,
        "filename": "a",
    }
    id = await stored_conversation(
        person.caller,
        now(),
        recipient=PHONE,
        number_id=number.id,
        type="media",
        media=copy,
        content={"kind": "document"},
    )

    await privacy.erase_contact(person.caller, person.id)

    assert (await Message.get(id=id)).media is None
    assert (await media.MediaFile.get(id=file.id)).blob_key is None
    assert await db.fetchval("SELECT count(*) FROM unheld_blobs") == 0
    with pytest.raises(files.NoSuchBlob):
        assert file.blob_key is not None
        async with files.blob_store().read(file.blob_key):
            pass


async def test_what_the_platform_told_and_nobody_could_apply_is_gone(person: Person) -> None:
    kept = []
    for attempts, phone in ((MAX_ATTEMPTS, PHONE), (0, PHONE), (MAX_ATTEMPTS, "+5511987650006")):
        notice = await put_row(
            PlatformNotice,
            **owned_by(person.caller),
            field="messages",
            body={"value": {"messages": [{"from": phone.removeprefix("+")}]}},
            attempts=attempts,
            received_at=now(),
            due_at=now() + timedelta(days=1),
        )
        kept.append(notice.id)

    await privacy.erase_contact(person.caller, person.id)

    assert {notice.id for notice in await rows_of(PlatformNotice)} == set(kept[1:])


async def test_a_person_is_told_the_conversations_too(person: Person) -> None:
    caller = person.caller
    number = await a_number(caller)
    received = await an_inbound(caller, number, **{"from": PHONE}, payload={"text": SECRET})
    sent = await stored_conversation(
        caller, now(), **a_whole_conversation(now()), recipient=PHONE, contact_id=person.id
    )

    exported = await privacy.export_contact(person.session, person.id)

    told = {message["id"]: message for message in exported["mensagens"]}
    assert {
        "tipo": "text",
        "conteudo": {"text": SECRET},
        "texto": SECRET,
        "com": number.id,
    }.items() <= told[received["id"]].items()
    assert {"variaveis", "origemDoLink", "arquivo", "lidaEm"} <= told[sent].keys()
    assert "key" not in told[sent]["arquivo"]
    (window,) = exported["conversas"]
    assert window["com"] == number.id
    assert PHONE in orjson.dumps(exported).decode()
