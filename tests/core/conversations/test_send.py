"""Taking messages in: what is stored, held and told, and what is refused before any of it."""

from datetime import timedelta
from typing import Any

import pytest

from core import conversations, media, wallet
from core.conversations.errors import WindowClosed
from core.conversations.models import ConversationType
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.idempotency import KeyReusedWithAnotherBody
from core.media.models import NEVER_EXPIRES, MediaFile
from core.media.use import lock_files
from core.messaging import NoProvider
from core.numbers import Number
from core.templates.models import Template, TemplateCategory
from tests.factories.batches import a_desk, an_approved_template
from tests.factories.contacts import a_contact
from tests.factories.conversations import (
    ANA,
    a_conversation,
    a_forced_message,
    a_message,
    a_window,
    deny,
    let_leave,
    waiting_ids,
)
from tests.factories.conversations_inbound import an_inbound
from tests.factories.media import a_file
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller
from tests.factories.sms import leave_coins
from tests.support.money import balances_of, moved_for, the_message
from tests.support.statements import statements
from tests.support.told import audited, events

PRICE = 400
BIA = "+5511987650302"


async def nothing_stored(caller: Caller) -> bool:
    """No message, nobody waits, nothing is held, nothing told."""
    counts = await db.fetchrow(
        "SELECT (SELECT count(*) FROM messages WHERE organization_id = $1), "
        "(SELECT count(*) FROM waiting_messages WHERE organization_id = $1), "
        "(SELECT count(*) FROM idempotency_keys WHERE organization_id = $1)",
        caller.organization_id,
    )
    assert counts is not None
    return tuple(counts.values()) == (0, 0, 0) and (await balances_of(caller)).held == 0


async def a_template_send(
    caller: Caller, number_id: str, template_id: str, **fields: Any
) -> dict[str, Any]:
    return await a_message(
        caller,
        number_id,
        **{
            "type": "template",
            "payload": ...,
            "templateId": template_id,
            "templateVars": ["Ana"],
            **fields,
        },
    )


async def test_a_text_is_queued_with_all_that_was_said(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    sent = await a_message(
        caller,
        number.id,
        payload={"text": "Olá", "previewUrl": True},
        priority="critical",
        campaignId="natal",
        metadata={"order": 7},
    )
    row = await the_message(sent["id"])
    assert sent == {
        "id": sent["id"],
        "organizationId": caller.organization_id,
        "channel": "whatsapp",
        "numberId": number.id,
        "to": ANA,
        "type": "text",
        "direction": "outbound",
        "priority": "critical",
        "status": "queued",
        "force": False,
        "payload": {"text": "Olá", "previewUrl": True},
        "attempts": 0,
        "campaignId": "natal",
        "metadata": {"order": 7},
        "createdAt": sent["createdAt"],
        "updatedAt": sent["createdAt"],
        "origem": {"tipo": "api"},
        "billing": {"coins": 0},
        "replayed": False,
    }
    assert (row["provider"], row["sent_by_account_id"], row["request_id"]) == (
        "svc-sandbox",
        None,
        "req_of_the_test",
    )
    assert await waiting_ids() == {sent["id"]}
    assert await events(caller.organization_id, "message") == []


async def test_without_pii_full_the_answer_is_masked(clean_slate: None) -> None:
    caller = await a_caller(scopes=frozenset({Scope.MESSAGES_SEND}))
    number = await a_conversation(await a_caller(organization_id=caller.organization_id))
    assert (await a_message(caller, number.id))["to"] == "+5511*****0301"


async def test_a_session_is_named_as_the_sender(clean_slate: None) -> None:
    key = await a_caller()
    number = await a_conversation(key)
    caller = Caller(key.organization_id, key.env, key.scopes, None, key.account_id, kind="session")
    sent = await a_message(caller, number.id)
    name = await db.fetchval("SELECT name FROM accounts WHERE id = $1", key.account_id)
    assert (sent["sentByAccountId"], sent["sentByName"]) == (key.account_id, name)
    assert (await conversations.get_message(caller, sent["id"]))["sentByName"] == name


async def test_each_scope_is_asked_for(clean_slate: None) -> None:
    caller = await a_caller(scopes=frozenset({Scope.MESSAGES_READ}))
    with pytest.raises(Forbidden):
        await a_message(caller, "num_x")
    with pytest.raises(Forbidden):
        await a_forced_message(await a_caller(scopes=frozenset({Scope.MESSAGES_SEND})), "num_x")
    with pytest.raises(Forbidden):
        await conversations.get_message(
            await a_caller(scopes=frozenset({Scope.MESSAGES_SEND})), "msg_x"
        )


async def test_a_contact_stands_for_its_phone_and_a_phone_for_its_contact(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    contact = await a_contact(caller, phone=ANA)
    by_contact = await a_message(caller, number.id, to=..., contactId=contact["id"])
    by_phone = await a_message(caller, number.id)
    assert [(one["to"], one["contactId"]) for one in (by_contact, by_phone)] == [
        (ANA, contact["id"])
    ] * 2


async def test_an_unknown_contact_is_refused(clean_slate: None) -> None:
    caller, stranger = await a_caller(), await a_caller()
    number = await a_conversation(caller)
    theirs = await a_contact(stranger, phone=ANA)
    for id in (theirs["id"], new_id("cnt")):
        with pytest.raises(ValidationFailed) as refusal:
            await a_message(caller, number.id, contactId=id)
        assert refusal.value.errors[0].where == "/contactId"
    assert await nothing_stored(caller)


async def test_another_organizations_number_is_not_found(clean_slate: None) -> None:
    caller, stranger = await a_caller(), await a_caller()
    theirs = await a_conversation(stranger)
    other_side = await a_number(await a_caller("live", organization_id=caller.organization_id))
    for id in (theirs.id, other_side.id, new_id("num")):
        with pytest.raises(NotFound):
            await a_message(caller, id)
    assert await nothing_stored(caller)


@pytest.mark.parametrize("status", ["available", "disconnected", "pending"])
async def test_a_number_that_is_not_connected_sends_nothing(clean_slate: None, status: str) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    await Number.filter(id=number.id).update(status=status)
    with pytest.raises(Conflict) as refusal:
        await a_message(caller, number.id)
    assert refusal.value.meta["code"] == "NUMERO_INDISPONIVEL"
    assert await nothing_stored(caller)


async def test_outside_the_window_only_a_template_may_be_sent(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_number(caller)
    with pytest.raises(ValidationFailed) as never:
        await a_message(caller, number.id)
    assert never.value.meta == {"code": "JANELA_FECHADA"}
    await a_window(caller, number.id, ago=timedelta(hours=25))
    with pytest.raises(ValidationFailed) as closed:
        await a_message(caller, number.id)
    assert closed.value.meta["code"] == "JANELA_FECHADA"
    assert closed.value.meta["fechouEm"] < now().isoformat()
    assert await nothing_stored(caller)
    await a_window(caller, number.id, ago=timedelta(hours=23, minutes=59))
    assert (await a_message(caller, number.id))["status"] == "queued"


async def test_a_window_is_of_one_number_and_one_person(clean_slate: None) -> None:
    caller = await a_caller()
    first, second = await a_conversation(caller), await a_number(caller)
    for number, to in ((first, BIA), (second, ANA)):
        with pytest.raises(ValidationFailed):
            await a_message(caller, number.id, to=to)


async def test_a_template_costs_400_outside_the_window_and_nothing_inside(
    clean_slate: None,
) -> None:
    desk = await a_desk(await a_caller())
    outside = await a_template_send(desk.caller, desk.number_id, desk.template_id)
    assert outside["billing"] == {"coins": PRICE}
    assert await moved_for(outside["id"]) == [("reserva", PRICE)]
    assert outside["payload"]["components"] == [
        {"type": "body", "parameters": [{"type": "text", "text": "Ana"}]}
    ]
    assert (outside["templateId"], outside["templateVars"]) == (desk.template_id, ["Ana"])
    await a_window(desk.caller, desk.number_id)
    inside = await a_template_send(desk.caller, desk.number_id, desk.template_id)
    assert inside["billing"] == {"coins": 0}
    late = await a_template_send(
        desk.caller,
        desk.number_id,
        desk.template_id,
        scheduledAt=(now() + timedelta(days=2)).isoformat(),
    )
    assert late["billing"] == {"coins": PRICE}  # the window will be over


async def test_an_own_price_table_counts(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await wallet.set_prices(desk.caller.organization_id, {"conversationTemplate": 123})
    assert (await a_template_send(desk.caller, desk.number_id, desk.template_id))["billing"] == {
        "coins": 123
    }


async def test_what_the_balance_does_not_cover_is_refused(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await leave_coins(desk.caller, PRICE - 1)
    with pytest.raises(wallet.InsufficientBalance) as refusal:
        await a_template_send(desk.caller, desk.number_id, desk.template_id, key="k")
    assert refusal.value.meta == {"saldoCoins": PRICE - 1, "necessarioCoins": PRICE}
    assert await nothing_stored(desk.caller)
    assert [
        event["type"] for event in await events(desk.caller.organization_id, "wallet.depleted")
    ] == ["wallet.depleted"]


async def test_of_many_the_first_are_taken_that_the_balance_covers(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await leave_coins(desk.caller, 2 * PRICE)
    requests = [
        ConversationRequest(
            number_id=desk.number_id,
            type=ConversationType.TEMPLATE,
            payload={},
            to=to,
            template_id=desk.template_id,
            **more,
        )
        for to, more in (
            (ANA, {"template_vars": ("Ana",)}),
            (ANA, {"template_vars": ()}),
            (BIA, {"template_vars": ("Bia",)}),
            (ANA, {"template_vars": ("Caio",)}),
        )
    ]
    outcomes = await conversations.accept_messages(desk.caller, requests, at=now())
    assert [type(one).__name__ for one in outcomes] == [
        "AcceptedMessage",
        "TemplateVariableMismatch",
        "AcceptedMessage",
        "InsufficientBalance",
    ]
    assert (await balances_of(desk.caller)).held == 2 * PRICE
    assert await waiting_ids() == {one.id for one in outcomes if isinstance(one, AcceptedMessage)}


@pytest.mark.parametrize("channel", ["todos", "whatsapp"])
async def test_marketing_is_not_sent_to_who_said_no(clean_slate: None, channel: str) -> None:
    desk = await a_desk(await a_caller())
    await deny(desk.caller, channel=channel)
    with pytest.raises(ValidationFailed) as refusal:
        await a_template_send(desk.caller, desk.number_id, desk.template_id)
    assert refusal.value.meta == {"motivo": "opt_out"}
    assert await nothing_stored(desk.caller)
    useful = await an_approved_template(
        desk.caller, desk.number_id, category=TemplateCategory.UTILITY
    )
    assert (await a_template_send(desk.caller, desk.number_id, useful))["status"] == "queued"


async def test_a_denial_of_another_channel_does_not_count(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await deny(desk.caller, channel="email")
    assert (await a_template_send(desk.caller, desk.number_id, desk.template_id))[
        "status"
    ] == "queued"


async def test_a_template_that_is_not_approved_is_refused(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await Template.filter(id=desk.template_id).update(status="paused")
    with pytest.raises(Conflict) as refusal:
        await a_template_send(desk.caller, desk.number_id, desk.template_id)
    assert refusal.value.meta["code"] == "TEMPLATE_INDISPONIVEL"
    assert await nothing_stored(desk.caller)


async def test_as_many_variables_as_placeholders(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    with pytest.raises(ValidationFailed) as refusal:
        await a_template_send(
            desk.caller, desk.number_id, desk.template_id, templateVars=["Ana", "Bia"]
        )
    assert refusal.value.meta == {"code": "VARIAVEIS_DIVERGENTES", "esperadas": 1, "recebidas": 2}
    assert await nothing_stored(desk.caller)


async def test_only_a_message_of_the_conversation_is_answered(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    other = await a_conversation(caller)
    first = await a_message(caller, number.id)
    with pytest.raises(ValidationFailed) as unknown:
        await a_message(caller, number.id, replyTo=first["id"])  # the platform does not know it yet
    assert unknown.value.errors[0].where == "/replyTo"
    await let_leave()
    assert (await a_message(caller, number.id, replyTo=first["id"]))["replyTo"] == first["id"]
    with pytest.raises(ValidationFailed):
        await a_message(caller, other.id, replyTo=first["id"])


async def test_a_person_is_answered_under_either_form_of_the_phone(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_number(caller)
    received = await an_inbound(caller, number, **{"from": ANA.replace("119", "11", 1)})
    assert (await a_message(caller, number.id, to=ANA, replyTo=received["id"]))[
        "replyTo"
    ] == received["id"]


async def test_what_a_flow_begins_with_is_an_object_that_can_be_kept(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    flow = {
        "kind": "flow",
        "body": "Responda",
        "buttonText": "Abrir",
        "flowId": new_id("flw"),
        "screen": "FIM",
    }
    with pytest.raises(ValidationFailed) as refusal:
        await a_message(
            caller, number.id, type="interactive", payload={**flow, "data": {"id": 2**63}}
        )
    assert refusal.value.errors[0].where == "/payload/data"
    assert await nothing_stored(caller)


async def test_a_file_that_cannot_be_sent_is_named_by_its_place(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    unknown = {"id": new_id("med")}
    buttons = {"kind": "buttons", "body": "Hoje?", "buttons": [{"id": "a", "title": "Sim"}]}
    for type, payload, place in (
        ("media", {"kind": "image", "media": unknown}, "/payload/media/id"),
        (
            "interactive",
            {**buttons, "header": {"kind": "image", "media": unknown}},
            "/payload/header/media/id",
        ),
    ):
        with pytest.raises(media.MediaNotUsable) as refusal:
            await a_message(caller, number.id, type=type, payload=payload)
        assert [error.where for error in refusal.value.errors] == [place]
    assert await nothing_stored(caller)


async def test_many_files_are_looked_up_as_one(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    files = [await a_file(caller, number_id=number.id) for _ in range(5)]
    elsewhere = await a_file(caller, number_id=(await a_number(caller)).id)

    def request(id: str) -> ConversationRequest:
        return ConversationRequest(
            number.id, ConversationType.MEDIA, {"kind": "document", "media": {"id": id}}, to=ANA
        )

    async with statements() as one:
        await accept_messages(caller, [request(files[0].id)], at=now())
    async with statements() as many:
        outcomes = await accept_messages(
            caller, [request(file.id) for file in [*files[1:], elsewhere]], at=now()
        )
    assert [isinstance(outcome, AcceptedMessage) for outcome in outcomes] == [True] * 4 + [False]
    assert len(many) == len(one)


async def test_a_file_stays_with_the_message_that_was_made_of_it_and_with_no_refused_one(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    file = await a_file(caller, number_id=number.id)
    said = {"kind": "document", "media": {"id": file.id}}
    with pytest.raises(WindowClosed):
        await a_message(caller, number.id, to="+5511987650009", type="media", payload=said)
    assert (await MediaFile.get(id=file.id)).expires_at == file.expires_at

    sent = await a_message(caller, number.id, type="media", payload=said)
    assert (await MediaFile.get(id=file.id)).expires_at == NEVER_EXPIRES
    assert sent["mediaStorage"]["size"] == file.size


async def test_a_file_that_goes_before_its_message_is_written_is_refused(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    file = await a_file(caller, number_id=number.id)

    async def expired(*_: object) -> set[str]:
        await MediaFile.filter(id=file.id).update(blob_key=None)
        return await lock_files(caller, {file.id})

    monkeypatch.setattr(media, "lock_files", expired)
    with pytest.raises(media.MediaNotUsable):
        await a_message(
            caller, number.id, type="media", payload={"kind": "document", "media": {"id": file.id}}
        )
    assert await nothing_stored(caller)


async def test_a_key_sends_once(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    first = await a_message(caller, number.id, key="one")
    again = await a_message(caller, number.id, key="one")
    assert again == {**first, "replayed": True}
    assert await waiting_ids() == {first["id"]}
    with pytest.raises(KeyReusedWithAnotherBody):
        await a_message(caller, number.id, key="one", payload={"text": "Adeus"})


async def test_a_refusal_leaves_its_key_free(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_number(caller)
    with pytest.raises(ValidationFailed):
        await a_message(caller, number.id, key="one")
    await a_window(caller, number.id)
    assert (await a_message(caller, number.id, key="one"))["replayed"] is False


async def test_the_key_of_a_scheduled_message_lives_a_day_longer_than_it_waits(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    at = now() + timedelta(days=30)
    await a_message(caller, number.id, key="one", scheduledAt=at.isoformat())
    expires = await db.fetchval("SELECT expires_at FROM idempotency_keys WHERE key = 'one'")
    assert expires == at + timedelta(hours=24)


async def test_a_live_send_without_a_platform_stores_nothing(clean_slate: None) -> None:
    caller = await a_caller("live")
    number = await a_conversation(caller)
    with pytest.raises(NoProvider):
        await a_message(caller, number.id)
    assert await nothing_stored(caller)


async def test_a_forced_message_is_marked_and_audited(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    sent = await a_forced_message(caller, number.id, motivo="Recall do produto")
    assert sent["force"] is True
    (entry,) = await audited(caller.organization_id, "message.forced")
    assert (entry["subject_id"], entry["facts"]) == (sent["id"], {"motivo": "Recall do produto"})


async def test_force_skips_neither_window_nor_opt_out_nor_balance(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    template = {
        "type": "template",
        "payload": ...,
        "templateId": desk.template_id,
        "templateVars": ["Ana"],
    }

    async def refused(**fields: Any) -> ServiceError:
        with pytest.raises(ServiceError) as refusal:
            await a_forced_message(desk.caller, desk.number_id, **fields)
        return refusal.value

    assert (await refused()).meta["code"] == "JANELA_FECHADA"
    await deny(desk.caller)
    assert (await refused(**template)).meta["motivo"] == "opt_out"
    await leave_coins(desk.caller, 1)
    assert isinstance(await refused(**template, to=BIA), wallet.InsufficientBalance)
    assert await nothing_stored(desk.caller)
    assert await audited(desk.caller.organization_id, "message") == []


async def test_an_instagram_account_sends_to_scoped_ids(clean_slate: None) -> None:
    caller = await a_caller()
    account = await an_instagram_account(caller)
    await a_window(caller, account.id, "17841400000000001")
    sent = await a_message(
        caller, "", numberId=..., instagramAccountId=account.id, to="17841400000000001"
    )
    assert (sent["channel"], sent["instagramAccountId"], sent["to"]) == (
        "instagram",
        account.id,
        "17841400000000001",
    )
    assert "numberId" not in sent


async def test_an_instagram_account_sends_what_its_channel_shows_whole(clean_slate: None) -> None:
    caller = await a_caller()
    account, file = await an_instagram_account(caller), await a_file(caller)
    await a_window(caller, account.id, "17841400000000001")
    buttons = {"kind": "buttons", "body": "x" * 1000, "buttons": [{"id": "a", "title": "Sim"}]}
    for type, payload in (
        ("text", {"text": "é" * 500}),
        ("media", {"kind": "document", "media": {"id": file.id, "filename": "nota.pdf"}}),
        ("interactive", buttons),
    ):
        to: dict[str, Any] = {
            "numberId": ...,
            "instagramAccountId": account.id,
            "to": "17841400000000001",
        }
        assert (await a_message(caller, "", type=type, payload=payload, **to))["payload"] == payload


async def test_an_account_is_no_number_and_a_number_no_account(clean_slate: None) -> None:
    caller = await a_caller()
    number, account = await a_conversation(caller), await an_instagram_account(caller)
    with pytest.raises(NotFound):
        await a_message(caller, account.id)
    with pytest.raises(NotFound):
        await a_message(
            caller, "", numberId=..., instagramAccountId=number.id, to="17841400000000001"
        )
    assert await nothing_stored(caller)
