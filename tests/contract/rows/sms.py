"""Interface: Endpoints, SMS."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from core import organizations, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller, Limits
from core.providers import registry
from core.providers.contracts import Failed, OutOfCredit, Throttled, Unknown
from tests.contract.rows.contacts import a_landline, wrong_recipients
from tests.contract.table import Answer, Before, Endpoint, Event, Refusal
from tests.contract.world import World, correlated
from tests.factories.contacts import a_denial
from tests.factories.live import a_reply
from tests.factories.messages import a_message
from tests.factories.sms import a_send, leave_coins


async def a_stored_reply(caller: Caller) -> str:
    """A reply to a message of the caller's."""
    message = await a_message(caller)
    if caller.env == "test":
        reply = await sms.reply_in_sandbox(
            caller, sms.SandboxReply(in_reply_to=message, body="SIM")
        )
        return str(reply["id"])
    await db.execute("UPDATE messages SET provider = 'gateway' WHERE id = $1", message)
    arrived = a_reply(message)
    await sms.receive_replies(caller.organization_id, "gateway", [arrived], at=arrived.received_at)
    id: str = await db.fetchval("SELECT id FROM messages WHERE in_reply_to = $1", message)
    return id


async def a_queued_sms(caller: Caller) -> str:
    """A message of the caller's that waits; a live one as if a provider had been there."""
    if caller.env == "live":
        live = await a_message(caller)
        await db.execute("UPDATE messages SET status = 'queued', coins = 0 WHERE id = $1", live)
        return live
    id: str = (await a_send(caller, scheduledAt=now() + timedelta(days=1)))["id"]
    return id


RECORDS = {"sms": a_message, "sms reply": a_stored_reply, "queued sms": a_queued_sms}

ENDPOINTS = [
    Endpoint(
        address="GET /v2/sms/messages",
        scope="sms:read",
        errors="401 403 422",
        parameters="status* region* contactId campaignId phone* from* to* limit* skip* cursor",
    ),
    Endpoint(
        address="POST /v2/sms/messages",
        scope="sms:send",
        status=201,
        errors="400 401 402 403 409 412 422 429 502 503",
        key="required",
        fields="to! body! senderId route! contactId campaignId metadata quoteId trackLinks scheduledAt",
        body={"to": "+5511987650005", "body": "Olá", "route": "premium"},
    ),
    Endpoint(
        address="POST /v2/sms/preview",
        scope="sms:send",
        errors="400 401 403 412 422",
        fields="body! route",
        body={"body": "Olá", "route": "premium"},
    ),
    Endpoint(
        address="GET /v2/sms/messages/{id}",
        scope="sms:read",
        errors="401 403 404",
        ids={"id": "<sms>"},
    ),
    Endpoint(
        address="POST /v2/sms/messages/{id}/cancel",
        scope="sms:send",
        errors="401 403 404 409",
        ids={"id": "<queued sms>"},
    ),
    Endpoint(
        address="GET /v2/sms/replies",
        scope="sms:read",
        errors="401 403 422",
        parameters="inReplyTo from* to* limit* skip* cursor",
    ),
    Endpoint(
        address="GET /v2/sms/replies/{id}",
        scope="sms:read",
        errors="401 403 404",
        ids={"id": "<sms reply>"},
    ),
    Endpoint(
        address="POST /v2/sandbox/sms/replies",
        scope="sms:send",
        status=201,
        errors="400 401 403 404 422",
        fields="inReplyTo! body!",
        body={"inReplyTo": "<sms>", "body": "SIM"},
        unknown_is=404,
    ),
]

SEND, CANCEL = "POST /v2/sms/messages", "POST /v2/sms/messages/{id}/cancel"
LATER = (now() + timedelta(days=364)).isoformat()


async def no_money(world: World) -> None:
    await leave_coins(world.caller, 799)


async def a_send_with_key_k(world: World) -> None:
    await a_send(world.caller, key="k")


async def an_opt_out(world: World) -> None:
    await a_denial(world.caller, "+5511987650005")


async def the_ceiling_is_met(world: World) -> None:
    await organizations.set_limits(world.caller.organization_id, world.caller.env, sms_per_second=1)
    await a_send(replace(world.caller, limits=Limits(sms_per_second=1)))


async def it_has_left(world: World) -> None:
    id = await world.record("queued sms")
    await db.execute("DELETE FROM waiting_messages WHERE message_id = $1", id)
    await db.execute("UPDATE messages SET status = 'sent' WHERE id = $1", id)


async def no_provider(world: World) -> None:
    await registry.close_providers()


def provider_says(answer: object) -> Before:
    """The next live send meets this."""

    async def will(world: World) -> None:
        world.provider.will(answer)  # type: ignore[arg-type]

    return will


REFUSALS = [
    *wrong_recipients(SEND),
    *a_landline(SEND),
    Refusal(
        status=400,
        address=SEND,
        headers={"Idempotency-Key": ...},
        wrong={"#Idempotency-Key": "required"},
    ),
    Refusal(
        status=400,
        address=SEND,
        headers={"Idempotency-Key": "tab\there"},
        wrong={"#Idempotency-Key": "wrong_format"},
    ),
    Refusal(
        status=402,
        address=SEND,
        before=no_money,
        meta={"saldoCoins": 799, "necessarioCoins": 800},
        writes=True,
    ),
    Refusal(status=404, address="POST /v2/sandbox/sms/replies", env="live"),
    Refusal(
        status=409,
        address=SEND,
        before=a_send_with_key_k,
        headers={"Idempotency-Key": "k"},
        change={"body": "Tchau"},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(
        status=409,
        meta={"code": "IDEMPOTENCIA_EM_ANDAMENTO"},
        proven_by="tests/core/sms/test_send_races.py::test_more_waiters_than_there_is_room_for_are_told_to_come_back",
    ),
    Refusal(status=409, address=CANCEL, before=it_has_left, meta={"code": "NAO_CANCELAVEL"}),
    Refusal(
        status=412,
        address=SEND,
        change={"route": "la_dedicada"},
        meta={"code": "ROTA_SOB_CONSULTA"},
    ),
    Refusal(
        status=412,
        address="POST /v2/sms/preview",
        change={"route": "la_dedicada"},
        meta={"code": "ROTA_SOB_CONSULTA"},
    ),
    Refusal(
        status=422,
        address=SEND,
        before=an_opt_out,
        meta={"motivo": "opt_out"},
        wrong={"/to": "opt_out"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"to": "+5511*****0005"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/to": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        address="GET /v2/sms/messages",
        query={"phone": "+5511*****0005"},
        wrong={"?phone": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        wrong={"?contactId": "not_utf8"},
        proven_by="tests/contract/test_endpoints.py::test_a_parameter_that_is_no_text_is_named",
    ),
    Refusal(
        status=429,
        address=SEND,
        before=the_ceiling_is_met,
        meta={"code": "TETO_DE_SMS"},
        retry_after=True,
    ),
    Refusal(
        status=429,
        address=SEND,
        env="live",
        before=provider_says(Throttled(5)),
        meta={"code": "LIMITE_DO_PROVEDOR", "messageId": ...},
        retry_after=True,
        writes=True,
    ),
    Refusal(
        status=502,
        address=SEND,
        env="live",
        before=provider_says(Failed()),
        meta={"messageId": ...},
        writes=True,
    ),
    Refusal(
        status=502,
        address=SEND,
        env="live",
        before=provider_says(Unknown()),
        meta={"code": "RESULTADO_DESCONHECIDO", "messageId": ...},
        writes=True,
    ),
    Refusal(
        status=503,
        address=SEND,
        change={"to": "+5511987650114"},
        meta={"messageId": ...},
        writes=True,
    ),
    Refusal(
        status=503,
        address=SEND,
        env="live",
        before=provider_says(OutOfCredit()),
        meta={"messageId": ...},
        writes=True,
    ),
    Refusal(status=503, address=SEND, env="live", before=no_provider),
]


def an_end(ending: str) -> Before:
    """A sandbox send to a number with this ending, until its report came in."""

    async def sent_and_reported(world: World) -> None:
        await a_send(world.caller, to=f"+551198765{ending}", **await correlated(world))
        # Reported now and not later: what is told of it is due at once.
        await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
        await sms.apply_due_reports(at=now())

    return sent_and_reported


async def a_reply_arrives(world: World) -> None:
    await world.make("sms reply", world.caller)


async def somebody_answers(world: World) -> None:
    sent = await a_send(world.caller, **await correlated(world))
    await sms.reply_in_sandbox(world.caller, sms.SandboxReply(in_reply_to=sent["id"], body="SIM"))


ABOUT = "env metadata contactId campaignId"
OUTCOME = f"id to route status segments sentAt providerReceipt {ABOUT}"

EVENTS = [
    Event(name="sms.delivered", data=f"{OUTCOME} deliveredAt", cause=an_end("0005")),
    Event(name="sms.undelivered", data=f"{OUTCOME} failedAt reason", cause=an_end("0006")),
    Event(name="sms.failed", data=f"{OUTCOME} failedAt reason", cause=an_end("0008")),
    Event(
        name="sms.received",
        data=f"id inReplyTo route from body receivedAt {ABOUT}",
        cause=somebody_answers,
    ),
]


def counted(text: str, encoding: str, length: int, segments: int, **more: Any) -> Answer:
    """How a text is counted; one segment on premium costs 800 coins."""
    tells = {
        "encoding": encoding,
        "length": length,
        "segments": segments,
        "billing/coins": 800 * segments,
        **more,
    }
    return Answer(address="POST /v2/sms/preview", change={"body": text}, tells=tells)


ANSWERS = [
    counted("a" * 160, "GSM-7", 160, 1),
    counted("a" * 161, "GSM-7", 161, 2),
    counted("a" * 304, "GSM-7", 304, 2),
    counted("a" * 305, "GSM-7", 305, 3),
    counted("ж" * 70, "UCS-2", 70, 1),
    counted("ж" * 71, "UCS-2", 71, 2),
    counted("ж" * 134, "UCS-2", 134, 2),
    counted("ж" * 135, "UCS-2", 135, 3),
    counted("€", "GSM-7", 2, 1),
    counted("🎉", "UCS-2", 2, 1),
    counted("Promoção “já” é à ü", "GSM-7", 19, 1, body='Promocao "ja" é à ü'),
    counted("Promoção 🎉", "UCS-2", 11, 1, body="Promoção 🎉"),
    Answer(address="POST /v2/sms/preview", change={"route": "otp"}, tells={"billing/coins": 950}),
    Answer(
        address=SEND,
        tells={
            "env": "test",
            "status": "sent",
            "provider": "svc-sandbox",
            "replayed": False,
            "billing/coins": 800,
        },
    ),
    Answer(
        address=SEND, env="live", tells={"env": "live", "status": "sent", "provider": "gateway"}
    ),
    Answer(
        address=SEND,
        change={"scheduledAt": LATER},
        tells={"status": "queued", "billing/coins": 800, "replayed": False},
    ),
    Answer(address=CANCEL, tells={"status": "failed", "reason": "canceled"}),
    # A reply is charged once, 0.02 BRL.
    Answer(
        address="GET /v2/wallet",
        before=a_reply_arrives,
        tells={"disponivelCoins": 10_000_000 - 200},
    ),
]
