"""What subscribers are told, over a real server and a client that is not ours."""

from datetime import timedelta
from typing import Any

import pytest
from gql import gql
from gql.transport.exceptions import TransportQueryError

from core import sms, webhooks
from core.foundation.clock import now
from core.foundation.security.caller import KEY_SCOPES, Scope, system_caller
from tests.factories.cards import some_deals
from tests.factories.contacts import a_contact
from tests.factories.conversations_inbound import an_inbound
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.graphql_api.subscriptions.conftest import Serving, hear, say
from tests.support.waiting import eventually

CHANGED = """subscription($filter: MessageFilter) { messageChanged(filter: $filter) {
  id status channel to reason ... on SmsMessage { route } } }"""
PUBLISHED = "subscription($types: [EventType!]) { eventPublished(types: $types) { id type createdAt env data } }"
MOVED = """subscription($pipelineId: ID) { cardMoved(pipelineId: $pipelineId) {
  tipo de { nome } para { nome } pipelineId cardId card { id etapaId } } }"""

IN_CONVERSATION = """subscription($filter: MessageFilter) { messageChanged(filter: $filter) {
  id to ... on ConversationMessage { payload } } }"""

ALL = KEY_SCOPES
MASKED = KEY_SCOPES - {Scope.PII_FULL}


async def reports_come() -> None:
    """The sandbox says how its messages ended."""
    await sms.apply_due_reports(at=now() + timedelta(minutes=1))


async def test_a_message_is_told_when_it_is_sent_and_when_it_has_ended(server: Serving) -> None:
    caller = await a_caller("test")
    told = await server.subscribe(
        await a_key("test", scopes=MASKED, organization_id=caller.organization_id), CHANGED
    )
    sent = await a_send(caller, to="+5511987650006")
    expected = {"id": sent["id"], "channel": "SMS", "to": "+5511*****0006", "route": "PREMIUM"}

    assert await told.next() == {"messageChanged": {**expected, "status": "SENT", "reason": None}}
    await reports_come()
    undelivered = {**expected, "status": "UNDELIVERED", "reason": "carrier_rejected"}
    assert await told.next() == {"messageChanged": undelivered}


async def test_who_sees_personal_data_is_told_it(server: Serving) -> None:
    caller = await a_caller("test")
    told = await server.subscribe(
        await a_key("test", scopes=ALL, organization_id=caller.organization_id), CHANGED
    )
    await a_send(caller, to="+5511987650005")

    assert (await told.next())["messageChanged"]["to"] == "+5511987650005"


async def test_what_is_written_in_a_conversation_is_told_to_who_may_read_it(
    server: Serving,
) -> None:
    caller = await a_caller("test")
    number = await a_number(caller)
    key = await a_key(
        "test", scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    told = await server.subscribe(
        key, IN_CONVERSATION, filter={"numberId": number.id, "direction": "INBOUND"}
    )
    await a_send(caller)
    await an_inbound(caller, None)
    received = await an_inbound(caller, number, payload={"text": "Oi"})

    assert await told.next() == {
        "messageChanged": {"id": received["id"], "to": "+5511*****0001", "payload": {"text": "Oi"}}
    }


async def test_a_reply_is_told(server: Serving) -> None:
    caller = await a_caller("test")
    sent = await a_send(caller)
    key = await a_key("test", organization_id=caller.organization_id)
    told = await server.subscribe(
        key,
        "subscription { messageChanged(filter: {direction: INBOUND}) { direction ...R } } "
        "fragment R on SmsMessage { inReplyTo body }",
    )
    await sms.reply_in_sandbox(caller, sms.SandboxReply(in_reply_to=sent["id"], body="SIM"))

    expected = {"direction": "INBOUND", "inReplyTo": sent["id"], "body": "SIM"}
    assert await told.next() == {"messageChanged": expected}


@pytest.mark.parametrize(
    "filter",
    [
        {"status": ["FAILED"]},
        {"campaignId": "spring"},
        {"to": "+5511987650008"},
        {"channel": ["SMS"], "status": ["FAILED"]},
    ],
)
async def test_only_what_meets_the_filter_is_told(server: Serving, filter: dict[str, Any]) -> None:
    caller = await a_caller("test")
    key = await a_key("test", organization_id=caller.organization_id)
    told = await server.subscribe(key, CHANGED, filter=filter)
    await a_send(caller)
    wanted = await a_send(caller, to="+5511987650008", campaignId="spring")
    await reports_come()

    assert (await told.next())["messageChanged"]["id"] == wanted["id"]


async def test_nothing_of_another_organization_or_environment_is_told(server: Serving) -> None:
    mine, other = await a_caller("test"), await a_caller("test")
    key = await a_key("test", organization_id=mine.organization_id)
    messages = await server.subscribe(key, CHANGED)
    events = await server.subscribe(key, PUBLISHED, types=["WALLET_DEPLETED", "WALLET_LOW_BALANCE"])
    moves = await server.subscribe(key, MOVED)
    theirs = await some_deals(other)
    await theirs.move((await theirs.card())["id"], "Proposta")
    await a_send(other)
    live = system_caller(mine.organization_id, "live")
    for caller in (other, live):
        await webhooks.publish(caller, "wallet.depleted", {"whose": caller.env}, at=now())

    deals = await some_deals(mine)
    await deals.move((card := await deals.card())["id"], "Proposta")
    sent = await a_send(mine)
    await webhooks.publish(mine, "wallet.low_balance", {}, at=now())

    assert (await messages.next())["messageChanged"]["id"] == sent["id"]
    assert (await events.next())["eventPublished"]["type"] == "WALLET_LOW_BALANCE"
    assert (await moves.next())["cardMoved"]["cardId"] == card["id"]


@pytest.mark.parametrize(("scopes", "shown"), [(MASKED, "+5511*****0005"), (ALL, "+5511987650005")])
async def test_an_event_is_told_with_the_data_that_a_webhook_gets(
    server: Serving, scopes: frozenset[Scope], shown: str
) -> None:
    caller = await a_caller("test")
    key = await a_key("test", scopes=scopes, organization_id=caller.organization_id)
    told = await server.subscribe(key, PUBLISHED, types=["SMS_DELIVERED"])
    await webhooks.publish(caller, "sms.failed", {"id": "msg_1", "to": "+5511987650005"}, at=now())
    await webhooks.publish(
        caller, "sms.delivered", {"id": "msg_2", "to": "+5511987650005"}, at=now()
    )

    event = (await told.next())["eventPublished"]
    assert event["id"].startswith("evt_")
    assert (event["type"], event["env"], event["data"]) == (
        "SMS_DELIVERED",
        "TEST",
        {"id": "msg_2", "to": shown},
    )


async def test_a_card_is_told_where_it_comes_from_and_where_it_goes(server: Serving) -> None:
    caller = await a_caller("test")
    deals, elsewhere = await some_deals(caller), await some_deals(caller)
    key = await a_key("test", organization_id=caller.organization_id)
    told = await server.subscribe(key, MOVED, pipelineId=deals.id)
    arrivals = await server.subscribe(key, MOVED, pipelineId=elsewhere.id)
    card = await deals.card()
    await deals.move(card["id"], "Proposta")

    move = (await told.next())["cardMoved"]
    assert move == {
        "tipo": "MOVIDO",
        "de": {"nome": "Novo"},
        "para": {"nome": "Proposta"},
        "pipelineId": deals.id,
        "cardId": card["id"],
        "card": {"id": card["id"], "etapaId": deals.stages["Proposta"]},
    }
    await deals.transfer(card["id"], elsewhere)
    for stream in (told, arrivals):
        assert (await stream.next())["cardMoved"]["tipo"] == "TRANSFERIDO"
    assert not told.results
    assert not arrivals.results


@pytest.mark.parametrize(
    ("document", "scope"),
    [(CHANGED, Scope.SMS_READ), (PUBLISHED, Scope.WEBHOOKS_READ), (MOVED, Scope.CRM_READ)],
)
async def test_a_missing_scope_is_refused_before_anything_is_listened_to(
    server: Serving, document: str, scope: Scope
) -> None:
    key = await a_key("test", scopes=frozenset({Scope.AUDIT_READ}))
    with pytest.raises(TransportQueryError) as refused:
        await server.subscribe(key, document)

    (error,) = refused.value.errors or [{}]
    assert error["extensions"]["code"] == "FORBIDDEN"
    assert error["extensions"]["meta"] == {"escopoExigido": scope.value}
    assert not server.listening


@pytest.mark.parametrize(
    ("filter", "code"),
    [({"companyId": "emp_1"}, "FORBIDDEN"), ({"contactId": "\x00"}, "VALIDATION_ERROR")],
)
async def test_a_filter_is_refused_before_anything_is_listened_to(
    server: Serving, filter: dict[str, str], code: str
) -> None:
    key = await a_key("test", scopes=frozenset({Scope.SMS_READ}))
    with pytest.raises(TransportQueryError) as refused:
        await server.subscribe(key, CHANGED, filter=filter)

    assert (refused.value.errors or [{}])[0]["extensions"]["code"] == code
    assert not server.listening


async def test_a_pipeline_of_somebody_else_is_not_found(server: Serving) -> None:
    deals = await some_deals(await a_caller("test"))
    with pytest.raises(TransportQueryError) as refused:
        await server.subscribe(await a_key("test"), MOVED, pipelineId=deals.id)

    assert (refused.value.errors or [{}])[0]["extensions"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    "document",
    [
        "subscription {",
        "subscription { nothing }",
        "subscription { messageChanged { id } eventPublished { id } }",
    ],
)
async def test_a_document_that_may_not_run_is_refused(server: Serving, document: str) -> None:
    async with server.plain(key=await a_key("test")) as socket:
        await say(socket, type="subscribe", id="1", payload={"query": document})
        refused = await hear(socket)

    assert (refused["type"], refused["id"]) == ("error", "1")
    assert {error["extensions"]["code"] for error in refused["payload"]} == {"BAD_REQUEST"}


async def test_queries_come_over_the_socket_too(server: Serving) -> None:
    session = await server.session(await a_key("test"))
    assert await session.execute(gql("{ me { env } }")) == {"me": {"env": "TEST"}}


async def test_what_hangs_on_a_message_is_told_with_it_as_far_as_the_scopes_go(
    server: Serving,
) -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, name="Ana")
    document = "subscription { messageChanged { id contact { id name } } }"
    seeing = await server.subscribe(
        await a_key("test", organization_id=caller.organization_id), document
    )
    scopes = frozenset({Scope.SMS_READ})
    async with server.plain(
        key=await a_key("test", scopes=scopes, organization_id=caller.organization_id)
    ) as socket:
        await say(socket, type="subscribe", id="1", payload={"query": document})
        await eventually(lambda: server.listening == 2, "both listen")
        sent = await a_send(caller, contactId=contact["id"])
        blind = (await hear(socket))["payload"]

    told = {"id": sent["id"], "contact": {"id": contact["id"], "name": "Ana"}}
    assert await seeing.next() == {"messageChanged": told}
    assert blind["data"] == {"messageChanged": {"id": sent["id"], "contact": None}}
    (error,) = blind["errors"]
    assert (error["path"], error["extensions"]["code"]) == (
        ["messageChanged", "contact"],
        "FORBIDDEN",
    )


async def test_a_subscription_that_could_answer_too_much_is_refused(server: Serving) -> None:
    many = "{ nodes { contact { messages(first: 100) { nodes { contact { messages(first: 100) { nodes { id } } } } } } } }"
    document = "subscription { messageChanged { contact { messages(first: 100) " + many + " } } }"
    with pytest.raises(TransportQueryError) as refused:
        await server.subscribe(await a_key("test"), document)

    assert (refused.value.errors or [{}])[0]["extensions"]["code"] in (
        "VALIDATION_ERROR",
        "BAD_REQUEST",
    )
    assert not server.listening
