"""Interface: Conversational channel, messages; decisions: POST /messages, force, cancel, sandbox
endings.
"""

from datetime import timedelta
from typing import Any

from core import conversations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import Status
from core.numbers import Number
from tests.contract.rows.conversation_batches import the_desk
from tests.contract.table import Answer, Before, Endpoint, Event, Page, Refusal
from tests.contract.world import ANY_METADATA, World
from tests.factories.batches import a_bulk
from tests.factories.contacts import a_contact
from tests.factories.conversations import ANA, a_conversation, a_message, a_window, deny, let_leave
from tests.factories.media import PNG, a_file
from tests.factories.numbers import an_instagram_account
from tests.factories.sms import leave_coins
from tests.factories.stored_messages import stored_conversation
from tests.factories.templates import a_flow


async def a_talking_number(caller: Caller) -> str:
    """A number to which Ana wrote an hour ago."""
    return (await a_conversation(caller)).id


async def a_waiting_message(caller: Caller) -> str:
    """A text for tomorrow; in production one that nobody takes."""
    if caller.env == "test":
        at = (now() + timedelta(hours=20)).isoformat()
        return str((await a_message(caller, await a_talking_number(caller), scheduledAt=at))["id"])
    return await stored_conversation(caller, now(), status=Status.QUEUED)


async def a_conversation_message(caller: Caller) -> str:
    """A text that was delivered."""
    return await stored_conversation(caller, now())


RECORDS = {
    "talking number": a_talking_number,
    "waiting message": a_waiting_message,
    "conversation message": a_conversation_message,
}

LIST, SEND, FORCE = "GET /messages", "POST /messages", "POST /messages/force"
READ, CANCEL = "GET /messages/{id}", "POST /messages/{id}/cancel"

BODY: dict[str, Any] = {
    "numberId": "<talking number>",
    "to": ANA,
    "type": "text",
    "payload": {"text": "Olá"},
}
FIELDS = (
    "numberId instagramAccountId to contactId type! payload templateId templateVars[] priority scheduledAt campaignId "
    "metadata quoteId replyTo"
)
ERRORS = "400 401 402 403 404 409 422 503"

ENDPOINTS = [
    Endpoint(
        address=LIST,
        scope="messages:read",
        errors="401 403",
        parameters="status numberId contactId campaignId batchId sentByAccountId from to limit* skip* cursor",
    ),
    Endpoint(
        address=SEND,
        scope="messages:send",
        status=201,
        errors=ERRORS,
        key="optional",
        fields=FIELDS,
        one_of="numberId to",
        body=BODY,
    ),
    Endpoint(
        address=FORCE,
        scope="messages:force",
        status=201,
        errors=ERRORS,
        key="optional",
        fields=f"{FIELDS} motivo!",
        one_of="numberId to",
        body={**BODY, "motivo": "Aviso de segurança"},
    ),
    Endpoint(
        address=READ,
        scope="messages:read",
        errors="401 403 404",
        ids={"id": "<conversation message>"},
    ),
    Endpoint(
        address=CANCEL,
        scope="messages:send",
        errors="401 403 404 409",
        ids={"id": "<waiting message>"},
    ),
]

TEMPLATE: dict[str, Any] = {
    "numberId": "<desk number>",
    "type": "template",
    "payload": ...,
    "templateId": "<desk template>",
    "templateVars": ["Ana"],
}
DOCUMENT = {
    "type": "media",
    "payload": {"kind": "document", "media": {"id": "med_000000000000000000000"}},
}


async def she_never_wrote(world: World) -> None:
    await db.execute(
        "DELETE FROM conversation_pairs WHERE sender_id = $1", await world.record("talking number")
    )


async def the_number_is_away(world: World) -> None:
    await Number.filter(id=await world.record("talking number")).update(status="disconnected")


async def the_template_is_paused(world: World) -> None:
    await world.record("desk number")
    await db.execute(
        "UPDATE templates SET status = 'paused' WHERE id = $1", await world.record("desk template")
    )


async def the_header_shows_a_file(world: World) -> None:
    await db.execute(
        """UPDATE templates SET components = components || '[{"type": "HEADER", "payload": {"format": "IMAGE"}}]'
           WHERE id = $1""",
        await world.record("desk template"),
    )


async def no_money(world: World) -> None:
    await world.record("desk template")
    await leave_coins(world.caller, 399)


async def ana_said_no(world: World) -> None:
    await deny(world.caller)


async def a_send_with_key_k(world: World) -> None:
    await a_message(world.caller, await world.record("talking number"), key="k")


async def it_has_left(world: World) -> None:
    await db.execute(
        "DELETE FROM waiting_messages WHERE message_id = $1", await world.record("waiting message")
    )
    await db.execute(
        "UPDATE messages SET status = 'sent' WHERE id = $1", await world.record("waiting message")
    )


async def a_paused_flow(caller: Caller) -> str:
    flow = await a_flow(caller, (await the_desk(caller)).number_id, active=caller.env == "test")
    await db.execute("UPDATE flows SET status = 'paused' WHERE id = $1", flow["id"])
    return str(flow["id"])


async def a_desk_image(caller: Caller) -> str:
    if caller.env == "live":
        return new_id("med")  # nobody takes it there
    return str((await a_file(caller, PNG, number_id=(await the_desk(caller)).number_id)).id)


RECORDS |= {"paused desk flow": a_paused_flow, "desk image": a_desk_image}


def opening(flow: str) -> dict[str, Any]:
    payload = {"kind": "flow", "body": "Responda", "buttonText": "Abrir", "flowId": flow}
    return {"numberId": "<desk number>", "type": "interactive", "payload": payload}


REFUSALS = [
    *(
        row
        for address in (SEND, FORCE)
        for row in (
            Refusal(
                status=402,
                address=address,
                before=no_money,
                change=TEMPLATE,
                meta={"saldoCoins": 399, "necessarioCoins": 400},
                writes=True,
            ),
            Refusal(status=404, address=address, change={"numberId": "num_000000000000000000000"}),
            Refusal(
                status=409,
                address=address,
                before=the_number_is_away,
                meta={"code": "NUMERO_INDISPONIVEL"},
            ),
            Refusal(
                status=409,
                address=address,
                before=the_template_is_paused,
                change=TEMPLATE,
                meta={"code": "TEMPLATE_INDISPONIVEL"},
            ),
            Refusal(
                status=409,
                address=address,
                change=opening("<paused desk flow>"),
                meta={"code": "FLOW_INDISPONIVEL"},
            ),
            Refusal(
                status=422,
                address=address,
                before=she_never_wrote,
                meta={"code": "JANELA_FECHADA"},
                wrong={"/type": "JANELA_FECHADA"},
            ),
            Refusal(
                status=422,
                address=address,
                before=ana_said_no,
                change=TEMPLATE,
                meta={"motivo": "opt_out"},
                wrong={"/to": "opt_out"},
            ),
            *(
                Refusal(
                    status=422,
                    address=address,
                    change={**TEMPLATE, "templateVars": [unfit]},
                    meta={"code": "VARIAVEL_INVALIDA"},
                    wrong={"/templateVars/0": "VARIAVEL_INVALIDA"},
                )
                for unfit in ("", " ", "Ana\nSouza", "Ana\tSouza", "Ana     Souza")
            ),
            Refusal(
                status=422,
                address=address,
                change={**TEMPLATE, "templateVars": []},
                meta={"code": "VARIAVEIS_DIVERGENTES", "esperadas": 1, "recebidas": 0},
                wrong={"/templateVars": "VARIAVEIS_DIVERGENTES"},
            ),
            Refusal(
                status=422,
                address=address,
                before=the_header_shows_a_file,
                change=TEMPLATE,
                wrong={"/payload/media/id": "required"},
            ),
            Refusal(
                status=422,
                address=address,
                change={**TEMPLATE, "templateId": "tpl_000000000000000000000"},
                wrong={"/templateId": "not_found"},
            ),
            Refusal(
                status=422,
                address=address,
                change=DOCUMENT,
                wrong={"/payload/media/id": "not_found"},
            ),
            Refusal(
                status=422,
                address=address,
                change={
                    "numberId": "<desk number>",
                    "type": "media",
                    "payload": {"kind": "video", "media": {"id": "<desk image>"}},
                },
                wrong={"/payload/kind": "not_allowed"},
            ),
            Refusal(
                status=422,
                address=address,
                change=opening("flw_000000000000000000000"),
                wrong={"/payload/flowId": "not_found"},
            ),
            Refusal(
                status=422,
                address=address,
                change={"replyTo": "<waiting message>"},
                wrong={"/replyTo": "not_found"},
            ),
            Refusal(
                status=422,
                address=address,
                change={"contactId": "cnt_000000000000000000000"},
                meta={"code": "CONTATO_INEXISTENTE"},
                wrong={"/contactId": "CONTATO_INEXISTENTE"},
            ),
            Refusal(status=503, address=address, env="live"),
        )
    ),
    Refusal(
        status=409,
        address=SEND,
        before=a_send_with_key_k,
        headers={"Idempotency-Key": "k"},
        change={"payload": {"text": "Tchau"}},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(status=422, address=SEND, change={"numberId": ...}, wrong={"/numberId": "required"}),
    Refusal(status=422, address=SEND, change={"to": ...}, wrong={"/to": "required"}),
    Refusal(status=422, address=SEND, change={"payload": ...}, wrong={"/payload": "required"}),
    Refusal(
        status=422,
        address=SEND,
        change={"type": "template", "payload": ...},
        wrong={"/templateId": "required"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"templateVars": ["x"]},
        wrong={"/templateVars": "not_allowed"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"to": "+5511*****4321"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/to": "VALOR_MASCARADO"},
    ),
    Refusal(status=409, address=CANCEL, before=it_has_left, meta={"code": "NAO_CANCELAVEL"}),
]

ANSWERS = [
    Answer(
        address=SEND,
        tells={
            "status": "queued",
            "channel": "whatsapp",
            "attempts": 0,
            "billing/coins": 0,
            "replayed": False,
        },
    ),
    Answer(address=SEND, change=TEMPLATE, tells={"status": "queued", "billing/coins": 400}),
    Answer(address=SEND, before=a_send_with_key_k, tells={"replayed": False}),
    Answer(address=FORCE, tells={"force": True, "status": "queued"}),
    Answer(address=READ, tells={"status": "delivered", "payload/text": "Seu pedido saiu"}),
    Answer(address=CANCEL, tells={"status": "failed", "lastError": "cancelada"}),
    Answer(address=LIST, query={"status": "nothing"}, tells={"items": [], "total": 0}),
    Answer(
        address=LIST,
        query={"from": "yesterday"},
        tells={"items": [], "warnings": ["from_invalido"]},
    ),
    Answer(address=LIST, query={"limit": "x"}, tells={"warnings": ["limit_ignorado_invalido"]}),
]


async def report() -> None:
    """Let the sandbox tell now what it would tell in a few seconds."""
    await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
    await conversations.apply_due_reports(at=now())


def sent_to(ending: str) -> Before:
    """A template to a contact with a phone of that ending, and all that the sandbox tells of it."""

    async def send(world: World) -> None:
        to = f"+551198765{ending}"
        contact = await a_contact(world.caller, phone=to)
        recipient = {"to": to, "contactId": contact["id"], "metadata": ANY_METADATA}
        await a_bulk(await the_desk(world.caller), recipient, campaignId="natal")
        await let_leave()
        await report()
        await report()

    return send


def on_instagram(ending: str) -> Before:
    async def send(world: World) -> None:
        account, to = await an_instagram_account(world.caller), f"1784140000000{ending}"
        await a_window(world.caller, account.id, to)
        sender: dict[str, Any] = {"numberId": ..., "instagramAccountId": account.id}
        await a_message(
            world.caller, "", **sender, to=to, metadata=ANY_METADATA, campaignId="natal"
        )
        await let_leave()
        await report()

    return send


COMMON = "id channel to type status env createdAt metadata campaignId"
OF_A_NUMBER = f"{COMMON} numberId contactId templateId batchId"
EVENTS = [
    Event(name="message.sent", data=f"{OF_A_NUMBER} sentAt", cause=sent_to("0301")),
    Event(
        name="message.delivered", data=f"{OF_A_NUMBER} sentAt deliveredAt", cause=sent_to("0301")
    ),
    Event(
        name="message.read", data=f"{OF_A_NUMBER} sentAt deliveredAt readAt", cause=sent_to("0005")
    ),
    Event(
        name="message.failed",
        data=f"{OF_A_NUMBER} sentAt failedAt lastError upstreamCode",
        cause=sent_to("0006"),
    ),
    Event(
        name="instagram.message.sent",
        data=f"{COMMON} instagramAccountId sentAt",
        cause=on_instagram("0301"),
    ),
    Event(
        name="instagram.message.failed",
        data=f"{COMMON} instagramAccountId sentAt failedAt lastError upstreamCode",
        cause=on_instagram("0006"),
    ),
]


async def many_messages(world: World, count: int) -> None:
    await world.rows("conversation message", count, table="messages")


PAGES = [Page(address=LIST, fill=many_messages)]
