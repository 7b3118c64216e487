"""What single mutations promise: keys that repeat, secrets shown once, lines that fail alone."""

from datetime import timedelta
from typing import Any

import pytest

from core import sms, webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from tests.factories.cards import demanding, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.sms import a_new_sms, a_send
from tests.support.graphql import ask, bare, data_of, refused

pytestmark = pytest.mark.usefixtures("clean_slate")

SEND = """mutation($input: SendSmsInput!, $key: String!) {
    sendSms(input: $input, idempotencyKey: $key) {
        id status to segments billing { coins } replayed message { id body contact { name } } } }"""
TEXT = {"to": "+5511987650005", "body": "Hello", "route": "PREMIUM"}


async def how_many(caller: Caller, table: str) -> int:
    """Rows of the caller's organization."""
    count: int = await db.fetchval(
        f"SELECT count(*) FROM {table} WHERE organization_id = $1",
        caller.organization_id,
    )
    return count


# SMS ----------------------------------------------------------------------------------------------


async def test_an_sms_is_sent_once_for_each_key() -> None:
    caller = await a_caller("test")

    first = (await data_of(caller, SEND, input=TEXT, key="a"))["sendSms"]
    again = (await data_of(caller, SEND, input=TEXT, key="a"))["sendSms"]

    assert again == {**first, "replayed": True}
    assert not first["replayed"]
    assert await how_many(caller, "messages") == 1


async def test_a_key_with_another_input_is_a_conflict_and_sends_nothing() -> None:
    caller = await a_caller("test")
    await data_of(caller, SEND, input=TEXT, key="a")

    error = await refused(caller, SEND, input={**TEXT, "body": "Another"}, key="a")

    assert error["extensions"]["code"] == "CONFLICT"
    assert error["extensions"]["meta"]["code"] == "CHAVE_REUTILIZADA"
    assert await how_many(caller, "messages") == 1


async def test_both_doors_share_the_keys() -> None:
    caller = await a_caller("test")
    over_rest = await sms.send_message(caller, a_new_sms(), idempotency_key="a")

    shown = (await data_of(caller, SEND, input=TEXT, key="a"))["sendSms"]

    assert (shown["id"], shown["replayed"]) == (over_rest["id"], True)
    assert await how_many(caller, "messages") == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there"])
async def test_a_key_has_the_form_that_rest_demands(key: str) -> None:
    caller = await a_caller("test")

    error = await refused(caller, SEND, input=TEXT, key=key)

    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert [one["header"] for one in error["extensions"]["errors"]] == ["Idempotency-Key"]
    assert await how_many(caller, "messages") == 0


async def test_a_send_without_a_key_is_refused_before_anything_is_done() -> None:
    caller = await a_caller("test")

    error = await refused(
        caller, 'mutation { sendSms(input: {to: "x", body: "x", route: OTP}) { id } }'
    )

    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert await how_many(caller, "messages") == 0


async def test_whoever_may_send_and_not_read_gets_the_answer_and_not_the_message() -> None:
    caller = bare(await a_caller("test"), Scope.SMS_SEND)

    content = await ask(caller, SEND, input=TEXT, key="a")

    sent = content["data"]["sendSms"]
    assert (sent["to"], sent["message"]) == ("+5511*****0005", None)
    (error,) = content["errors"]
    assert error["extensions"]["meta"] == {"escopoExigido": "sms:read"}


async def test_a_preview_is_a_query_and_sends_nothing() -> None:
    caller = await a_caller("test")

    shown = await data_of(
        caller, '{ smsPreview(input: {body: "Olá", route: PREMIUM}) { encoding segments } }'
    )

    assert shown == {"smsPreview": {"encoding": "GSM_7", "segments": 1}}
    assert await how_many(caller, "messages") == 0


async def test_a_reply_in_the_sandbox_is_the_message_that_came_in() -> None:
    caller = await a_caller("test")
    sent = (await data_of(caller, SEND, input=TEXT, key="a"))["sendSms"]
    document = """mutation($id: ID!) {
        sendSandboxReply(input: {inReplyTo: $id, body: "SIM"}) { from body direction inReplyTo } }"""

    shown = await data_of(caller, document, id=sent["id"])

    reply = {"from": TEXT["to"], "body": "SIM", "direction": "INBOUND", "inReplyTo": sent["id"]}
    assert shown == {"sendSandboxReply": reply}


# Lines and cards that fail alone ------------------------------------------------------------------


async def test_a_faulty_line_of_an_import_keeps_no_other_out() -> None:
    caller = await a_caller("test")
    lines: list[Any] = [{"phone": "+5511987654321"}, {"phone": "nobody"}, {"name": "Ana"}]
    document = """mutation($input: ImportContactsInput!) {
        importContacts(input: $input) { criados atualizados erros { linha campo codigo } } }"""

    shown = await data_of(caller, document, input={"contatos": lines, "seExistir": "ERRO"})

    told = shown["importContacts"]
    assert (told["criados"], told["atualizados"]) == (1, 0)
    assert [one["linha"] for one in told["erros"]] == [2, 3]
    assert await how_many(caller, "contacts") == 1


async def test_a_card_that_cannot_move_keeps_no_other_out() -> None:
    caller = await a_caller("test")
    deals = await some_deals(caller, etapas=demanding("valor"))
    ready, lacking = await deals.card(valor=10), await deals.card()
    document = """mutation($input: MoveCardsInput!) {
        moveCards(input: $input) { movidos erros { cardId codigo } } }"""
    to = {"cardIds": [lacking["id"], ready["id"]], "etapaId": deals.stages["Proposta"]}

    shown = await data_of(caller, document, input=to)

    refusal = {"cardId": lacking["id"], "codigo": "CAMPOS_OBRIGATORIOS_AUSENTES"}
    assert shown == {"moveCards": {"movidos": 1, "erros": [refusal]}}
    assert await deals.column("Proposta") == [ready["id"]]


async def test_a_move_with_an_old_version_is_a_conflict_and_moves_nothing() -> None:
    deals = await some_deals(await a_caller("test"))
    card = await deals.card()
    await deals.change(card["id"], titulo="Outro")
    document = """mutation($id: ID!, $stage: ID!) {
        moveCard(id: $id, input: {etapaId: $stage, versao: 1}) { id } }"""

    error = await refused(deals.caller, document, id=card["id"], stage=deals.stages["Proposta"])

    assert error["extensions"]["code"] == "CONFLICT"
    assert error["extensions"]["meta"] == {"code": "VERSAO_DESATUALIZADA", "versaoAtual": 2}
    assert await deals.column("Proposta") == []


async def test_a_won_card_shows_its_stage_and_how_it_came_there() -> None:
    deals = await some_deals(await a_caller("test"))
    card = await deals.card(valor=12.5)
    document = """mutation($id: ID!) {
        winCard(id: $id) { status valor etapa { nome } historico(first: 1) { nodes { tipo } } } }"""

    shown = await data_of(deals.caller, document, id=card["id"])

    assert shown["winCard"] == {
        "status": "GANHO",
        "valor": 12.5,
        "etapa": {"nome": "Ganho"},
        "historico": {"nodes": [{"tipo": "GANHO"}]},
    }


async def test_a_stage_gives_its_deals_to_another_one_before_it_goes() -> None:
    deals = await some_deals(await a_caller("test"))
    card = await deals.card()
    document = """mutation($pipeline: ID!, $id: ID!, $input: DeleteStageInput) {
        deleteStage(pipelineId: $pipeline, id: $id, input: $input) { id } }"""
    which = {"pipeline": deals.id, "id": deals.stages["Novo"]}

    error = await refused(deals.caller, document, **which)
    assert error["extensions"]["code"] == "CONFLICT"
    await data_of(deals.caller, document, **which, input={"moverPara": deals.stages["Proposta"]})
    assert await deals.column("Proposta") == [card["id"]]


async def test_members_of_a_list_are_told_with_the_list() -> None:
    caller = await a_caller("test")
    made = await data_of(caller, 'mutation { createList(input: {name: "VIP"}) { id size } }')
    document = """mutation($id: ID!, $input: AddListMembersInput!) {
        addListMembers(id: $id, input: $input) {
            matched added notFoundCount notFound { phones } list { name size } } }"""
    members = {"contactIds": [(await a_contact(caller))["id"]], "phones": ["+5511900000001"]}

    shown = await data_of(caller, document, id=made["createList"]["id"], input=members)

    assert shown["addListMembers"] == {
        "matched": 1,
        "added": 1,
        "notFoundCount": 1,
        "notFound": {"phones": ["+5511900000001"]},
        "list": {"name": "VIP", "size": 1},
    }


async def test_a_segment_is_looked_at_before_it_is_stored() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, tags=["vip"])
    filters = [{"field": "tag", "operator": "IS", "value": "vip"}]
    look = "query($input: SegmentPreviewInput!) { segmentPreview(input: $input) { count sample partial } }"
    store = """mutation($input: CreateSegmentInput!) {
        createSegment(input: $input) { name filters { field operator value } contacts(first: 5) { nodes { id } } } }"""

    shown = await data_of(caller, look, input={"filters": filters})
    assert shown == {"segmentPreview": {"count": 1, "sample": [contact["id"]], "partial": False}}
    assert await how_many(caller, "segments") == 0

    stored = await data_of(caller, store, input={"name": "VIPs", "filters": filters})
    assert stored["createSegment"] == {
        "name": "VIPs",
        "filters": filters,
        "contacts": {"nodes": [{"id": contact["id"]}]},
    }


async def test_an_event_that_comes_again_is_told_as_a_duplicate() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, name="Maria")
    document = """mutation($input: RecordCustomerEventInput!) {
        recordCustomerEvent(input: $input) { id duplicate contact { name } } }"""
    event = {
        "name": "purchase",
        "eventId": "1",
        "contact": {"contactId": contact["id"]},
        "value": 9.9,
    }

    first = (await data_of(caller, document, input=event))["recordCustomerEvent"]
    again = (await data_of(caller, document, input=event))["recordCustomerEvent"]

    assert first == {"id": first["id"], "duplicate": False, "contact": {"name": "Maria"}}
    assert again == {**first, "duplicate": True}
    assert await how_many(caller, "customer_events") == 1


# Secrets ------------------------------------------------------------------------------------------


async def test_the_secret_of_a_webhook_is_shown_when_it_is_made_and_when_it_is_rotated() -> None:
    caller = await a_caller("test")
    create = """mutation($input: CreateWebhookInput!) {
        createWebhook(input: $input) { webhook { id events status } reveal { id secret secretVersion } } }"""
    new = {"url": "https://hooks.example.com/svc", "events": ["SMS_DELIVERED"]}

    made = (await data_of(caller, create, input=new))["createWebhook"]

    id = made["webhook"]["id"]
    assert made["webhook"] == {"id": id, "events": ["SMS_DELIVERED"], "status": "ACTIVE"}
    assert made["reveal"]["secret"].startswith("whsec_")
    rotate = "mutation($id: ID!) { rotateWebhookSecret(id: $id) { secret secretVersion webhook { secretVersion } } }"
    rotated = (await data_of(caller, rotate, id=id))["rotateWebhookSecret"]
    assert rotated["secret"] != made["reveal"]["secret"]
    assert rotated["secretVersion"] == rotated["webhook"]["secretVersion"] == 2
    stored = await webhooks.get_subscription(caller, id)
    assert made["reveal"]["secret"] not in str(stored)
    assert rotated["secret"] not in str(stored)


async def test_a_webhook_is_paused_and_its_headers_are_kept_by_their_mask() -> None:
    caller = await a_caller("test")
    create = (
        "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }"
    )
    update = """mutation($id: ID!, $input: UpdateWebhookInput!) {
        updateWebhook(id: $id, input: $input) { status headers { key value } } }"""
    headers = [{"key": "X-Token", "value": "SEGREDO"}]
    new = {"url": "https://hooks.example.com/svc", "events": ["SMS_DELIVERED"], "headers": headers}
    id = (await data_of(caller, create, input=new))["createWebhook"]["webhook"]["id"]
    masked = [{"key": "X-Token", "value": "***"}]

    shown = await data_of(caller, update, id=id, input={"status": "PAUSED", "headers": masked})

    assert shown == {"updateWebhook": {"status": "PAUSED", "headers": masked}}


async def test_buttons_of_a_card_are_typed_and_so_is_what_a_carrier_reports() -> None:
    caller = await a_caller()
    send = """mutation ($input: SendRcsInput!) { sendRcs(input: $input, idempotencyKey: "k") {
        content { card { suggestions { type text url phone postback } } }
    } }"""
    buttons = [
        {"type": "OPEN_URL", "text": "Ver", "url": "https://example.com"},
        {"type": "REPLY", "text": "Sim", "postback": "sim"},
    ]
    card = {"title": "Pedido", "description": "Chega hoje", "suggestions": buttons}
    new = {"to": "+5511987650001", "route": "EASY_RCS", "content": {"card": card}}

    told = await data_of(caller, send, input=new)

    empty = {"url": None, "phone": None, "postback": None}
    shown = told["sendRcs"]["content"]["card"]["suggestions"]
    assert shown == [{**empty, **button} for button in buttons]
    wrong = {**card, "suggestions": [{"type": "OPEN_URL", "text": "Ver"}]}
    error = await refused(caller, send, input={**new, "content": {"card": wrong}})
    assert [one["pointer"] for one in error["extensions"]["errors"]] == [
        "/content/card/suggestions/0/url"
    ]

    sent = await a_send(caller)
    await sms.apply_due_reports(at=now() + timedelta(minutes=1))
    query = "query ($id: ID!) { message(id: $id) { ... on SmsMessage { providerReceipt { type to status received channel } } } }"
    receipt = (await data_of(caller, query, id=sent["id"]))["message"]["providerReceipt"]
    assert (receipt["type"], receipt["to"]) == ("API_MESSAGE", sent["to"])
    masked = await data_of(bare(caller, Scope.SMS_READ), query, id=sent["id"])
    assert "*" in masked["message"]["providerReceipt"]["to"]
