"""Decisions: Conversational channel (bulk, bulk-resend, batches), States (archived), Events
(campaign.completed).
"""

from datetime import timedelta
from typing import Any

from core import conversations, sms
from core.conversations.batches.store import NewBatch, store_batch
from core.conversations.models import BatchKind
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import Channel, Status
from core.numbers import Number
from tests.contract.table import Answer, Endpoint, Event, Limit, Refusal, Wrong
from tests.contract.world import World
from tests.factories.batches import ANA, BIA, Desk, a_bulk, a_desk, failed, messages_of
from tests.factories.contacts import a_denial
from tests.factories.sms import a_send, leave_coins
from tests.factories.stored_messages import stored_message

NO_ONE = "msg_000000000000000000000"


async def the_desk(caller: Caller) -> Desk:
    """The number and the template of the caller's batches, made once."""
    row = await db.fetchrow(
        "SELECT number_id, id FROM templates WHERE organization_id = $1 AND env = $2 AND status = 'approved' "
        "AND components::text LIKE '%até já%' LIMIT 1",
        caller.organization_id,
        caller.env,
    )
    return Desk(caller, row["number_id"], row["id"]) if row else await a_desk(caller)


async def a_desk_number(caller: Caller) -> str:
    """The number."""
    return (await the_desk(caller)).number_id


async def a_desk_template(caller: Caller) -> str:
    """Its template."""
    return (await the_desk(caller)).template_id


async def a_batch(caller: Caller) -> str:
    """A batch of one message; of none in production, where nobody takes it."""
    if caller.env == "test":
        return str((await a_bulk(await the_desk(caller)))["batchId"])
    id = new_id("btc")
    batch = NewBatch(id, BatchKind.BULK, None, None, None, accepted=0, refused=0, coins=0)
    await store_batch(caller, batch, at=now())
    return id


async def a_failed_message(caller: Caller) -> str:
    """A template that was throttled; in production a text."""
    if caller.env == "test":
        (row,) = await messages_of(await a_batch(caller))
        await failed([row["id"]])
        return str(row["id"])
    return await stored_message(
        caller,
        now(),
        channel=Channel.WHATSAPP,
        status=Status.FAILED,
        reason="throttled",
        sent_at=None,
        type="text",
        content={"text": "Oi"},
        number_id=(await the_desk(caller)).number_id,
    )


async def a_finished_message(caller: Caller) -> str:
    """A text that was delivered."""
    return await stored_message(
        caller, now(), channel=Channel.WHATSAPP, type="text", content={"text": "Oi"}
    )


RECORDS = {
    "desk number": a_desk_number,
    "desk template": a_desk_template,
    "batch": a_batch,
    "failed message": a_failed_message,
    "finished message": a_finished_message,
}

BULK, RESEND, ARCHIVE = (
    "POST /messages/bulk",
    "POST /messages/bulk-resend",
    "POST /messages/{id}/archive",
)
READ, CANCEL = "GET /batches/{id}", "POST /batches/{id}/cancel"
LATER = "2999-01-01T12:00:00Z"

ENDPOINTS = [
    Endpoint(
        address=BULK,
        scope="messages:send",
        status=202,
        errors="400 401 402 403 404 409 422 503",
        key="optional",
        fields="numberId! templateId! recipients[]! payload priority scheduledAt campaignId quoteId",
        body={
            "numberId": "<desk number>",
            "templateId": "<desk template>",
            "recipients": [
                {"to": ANA, "templateVars": ["Ana"]},
                {"to": BIA, "templateVars": ["Bia"]},
            ],
        },
        body_limit=8_000_000,
    ),
    Endpoint(
        address=RESEND,
        scope="messages:send",
        status=202,
        errors="400 401 402 403 422 503",
        fields="messageIds[] filtro templateId templateVars[] simular",
        body={"messageIds": ["<failed message>"]},
    ),
    Endpoint(address=READ, scope="messages:read", errors="401 403 404", ids={"id": "<batch>"}),
    Endpoint(address=CANCEL, scope="messages:send", errors="401 403 404", ids={"id": "<batch>"}),
    Endpoint(
        address=ARCHIVE,
        scope="messages:send",
        errors="401 403 404 409",
        ids={"id": "<finished message>"},
    ),
]


async def no_money(world: World) -> None:
    await world.record("desk number")
    await leave_coins(world.caller, 799)


async def no_money_for_one(world: World) -> None:
    await world.record("failed message")
    await leave_coins(world.caller, 399)


async def a_bulk_with_key_k(world: World) -> None:
    await a_bulk(await the_desk(world.caller), key="k")


async def the_number_is_away(world: World) -> None:
    await Number.filter(id=await world.record("desk number")).update(status="disconnected")


async def the_template_is_paused(world: World) -> None:
    await db.execute(
        "UPDATE templates SET status = 'paused' WHERE id = $1", await world.record("desk template")
    )


async def it_is_on_its_way(world: World) -> None:
    await db.execute(
        "UPDATE messages SET status = 'sent' WHERE id = $1", await world.record("finished message")
    )


REFUSALS = [
    Refusal(
        status=402,
        address=BULK,
        before=no_money,
        meta={"saldoCoins": 799, "necessarioCoins": 800},
        writes=True,
    ),
    Refusal(
        status=402,
        address=RESEND,
        before=no_money_for_one,
        meta={"saldoCoins": 399, "necessarioCoins": 400},
        writes=True,
    ),
    Refusal(status=404, address=BULK, change={"numberId": "num_000000000000000000000"}),
    Refusal(
        status=409, address=BULK, before=the_number_is_away, meta={"code": "NUMERO_INDISPONIVEL"}
    ),
    Refusal(
        status=409,
        address=BULK,
        before=the_template_is_paused,
        meta={"code": "TEMPLATE_INDISPONIVEL"},
    ),
    Refusal(
        status=409,
        address=BULK,
        before=a_bulk_with_key_k,
        headers={"Idempotency-Key": "k"},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(
        status=409, address=ARCHIVE, before=it_is_on_its_way, meta={"code": "MENSAGEM_EM_ANDAMENTO"}
    ),
    Refusal(
        status=422,
        address=BULK,
        change={"templateId": "tpl_000000000000000000000"},
        wrong={"/templateId": "not_found"},
    ),
    Refusal(
        status=422, address=BULK, change={"recipients": [{}]}, wrong={"/recipients/0": "required"}
    ),
    Refusal(status=422, address=RESEND, change={"messageIds": ...}, wrong={"": "required"}),
    Refusal(
        status=422, address=RESEND, change={"filtro": {"erro": "130429"}}, wrong={"": "required"}
    ),
    Refusal(status=422, address=RESEND, change={"templateVars": ["Ana"]}, wrong={"": "required"}),
    Refusal(
        status=422,
        address=RESEND,
        change={"messageIds": ..., "filtro": {}},
        wrong={"/filtro": "required"},
    ),
    Refusal(status=503, address=BULK, env="live"),
    Refusal(status=503, address=RESEND, env="live"),
]


async def ana_said_no(world: World) -> None:
    await a_denial(world.caller, ANA)


def to(*recipients: dict[str, Any]) -> dict[str, Any]:
    return {"recipients": [{"templateVars": ["Ana"], **one} for one in recipients]}


async def it_was_replaced(world: World) -> None:
    await conversations.resend_messages(
        world.caller, conversations.Resend(message_ids=[await world.record("failed message")])
    )


async def it_is_old(world: World) -> None:
    await db.execute(
        "UPDATE messages SET created_at = $2 WHERE id = $1",
        await world.record("failed message"),
        now() - timedelta(days=7),
    )


async def its_reason_stays(world: World) -> None:
    await db.execute(
        "UPDATE messages SET reason = 'rejected' WHERE id = $1",
        await world.record("failed message"),
    )


async def it_is_a_text(world: World) -> None:
    """Of somebody who never wrote."""
    id = await world.record("failed message")
    await db.execute(
        """UPDATE messages SET type = 'text', template_id = NULL, template_vars = NULL, content = '{"text": "Oi"}'
           WHERE id = $1""",
        id,
    )


def left(motive: str) -> dict[str, Any]:
    return {"batchId": None, "reenviadas": 0, "ignoradas/0/motivo": motive, "coinsEstimados": 0}


ANSWERS = [
    Answer(address=BULK, tells={"aceitas": 2, "recusadas": [], "coinsEstimados": 800}),
    Answer(
        address=BULK,
        before=ana_said_no,
        tells={
            "aceitas": 1,
            "recusadas": [{"indice": 0, "codigo": "opt_out"}],
            "coinsEstimados": 400,
        },
    ),
    Answer(
        address=BULK,
        change=to({"to": ANA}, {"to": ANA}, {"to": "x"}, {"to": BIA, "templateVars": []}),
        tells={
            "aceitas": 1,
            "recusadas": [
                {"indice": 1, "codigo": "repetido"},
                {"indice": 2, "codigo": "invalid_phone"},
                {"indice": 3, "codigo": "VARIAVEIS_DIVERGENTES"},
            ],
        },
    ),
    Answer(
        address=READ, tells={"kind": "bulk", "aceitas": 1, "recusadas": 0, "porStatus/queued": 1}
    ),
    Answer(address=CANCEL, tells={"porStatus/queued": 0, "porStatus/failed": 1}),
    Answer(address=RESEND, tells={"reenviadas": 1, "ignoradas": [], "coinsEstimados": 400}),
    Answer(
        address=RESEND,
        change={"simular": True},
        tells={"batchId": None, "reenviadas": 1, "coinsEstimados": 400},
    ),
    Answer(address=RESEND, before=it_was_replaced, tells=left("ja_substituida")),
    Answer(address=RESEND, before=it_is_old, tells=left("antiga")),
    Answer(address=RESEND, before=its_reason_stays, tells=left("permanente")),
    Answer(address=RESEND, change={"messageIds": [NO_ONE]}, tells=left("permanente")),
    Answer(address=RESEND, before=it_is_a_text, tells=left("janela")),
    Answer(address=ARCHIVE, tells={"status": "archived"}),
]


async def a_campaign_ends(world: World) -> None:
    for place, ending in enumerate(("0005", "0006")):
        await a_send(
            world.caller, key=f"natal-{place}", to=f"+551198765{ending}", campaignId="natal-2026"
        )
    await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
    await sms.apply_due_reports(at=now())
    await db.execute(
        "UPDATE messages SET created_at = created_at - interval '16 minutes'"
    )  # they pass
    await conversations.complete_campaigns(at=now())


EVENTS = [
    Event(
        name="campaign.completed",
        data="env campaignId totals startedAt completedAt",
        cause=a_campaign_ends,
    )
]

TOO_MANY_PEOPLE = [{"to": f"+55119876{place:05d}"} for place in range(1001)]
KEYS_21 = {f"k{place}": 1 for place in range(21)}
LONG_CAMPAIGN: Wrong = ("c" * 81, "too_long")

LIMITS = [
    Limit(
        address=BULK,
        field="/recipients",
        takes=[[{"to": ANA, "templateVars": ["Ana"]}], TOO_MANY_PEOPLE[:1000]],
        refuses=[
            ([], "too_few"),
            (TOO_MANY_PEOPLE, "too_many"),
            ([{"to": ""}], "too_short", "/0/to"),
        ],
    ),
    Limit(
        address=BULK,
        field="/recipients",
        takes=[[{"to": ANA, "templateVars": ["x" * 1024]}]],
        refuses=[
            ([{"to": ANA, "templateVars": ["x" * 1025]}], "too_long", "/0/templateVars/0"),
            ([{"to": ANA, "templateVars": ["x"] * 101}], "too_many", "/0/templateVars"),
            ([{"to": ANA, "metadata": KEYS_21}], "too_many", "/0/metadata"),
        ],
    ),
    Limit(
        address=BULK,
        field="/priority",
        takes=["normal", "bulk", "critical"],
        refuses=[("urgent", "not_allowed")],
    ),
    Limit(
        address=BULK,
        field="/campaignId",
        takes=["c", "c" * 80],
        refuses=[("", "too_short"), LONG_CAMPAIGN],
    ),
    Limit(
        address=BULK,
        field="/scheduledAt",
        takes=["2020-01-01T00:00:00Z", (now() + timedelta(days=364)).isoformat()],
        refuses=[(LATER, "too_large"), ("tomorrow", "wrong_format")],
    ),
    Limit(
        address=RESEND,
        field="/messageIds",
        takes=[["m"], ["m"] * 1000],
        refuses=[([], "too_few"), (["m"] * 1001, "too_many"), ([""], "too_short", "/0")],
    ),
    Limit(
        address=RESEND,
        field="/filtro",
        change={"messageIds": None},
        takes=[{"erro": "x" * 200}, {"campaignId": "c" * 80}, {"from": LATER, "to": LATER}],
        refuses=[
            ({"erro": "x" * 201}, "too_long", "/erro"),
            ({"campaignId": "c" * 81}, "too_long", "/campaignId"),
            ({"from": "now"}, "wrong_format", "/from"),
        ],
    ),
    *(
        Limit(address=address, field=field, refuses=[("", "too_short"), ("x" * 31, "too_long")])
        for address, field in ((BULK, "/numberId"), (BULK, "/templateId"), (RESEND, "/templateId"))
    ),
    Limit(
        address=RESEND,
        field="/templateVars",
        change={"templateId": "<desk template>"},
        takes=[["x" * 1024]],
        refuses=[(["x"] * 101, "too_many"), (["x" * 1025], "too_long", "/0")],
    ),
]
