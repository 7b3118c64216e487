"""Interface: Endpoints, RCS."""

from datetime import timedelta
from typing import Any

from core import rcs, short_links, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging import Channel
from core.providers import registry
from core.providers.contracts import Failed, OutOfCredit, Throttled, Unknown
from tests.contract.rows.contacts import a_landline, wrong_recipients
from tests.contract.table import Answer, Before, Endpoint, Event, Refusal
from tests.contract.world import World, correlated
from tests.factories.contacts import a_denial
from tests.factories.messages import a_message
from tests.factories.rcs import CARD, FALLBACK, an_rcs
from tests.factories.sms import leave_coins

LISTED, SEND = "GET /v2/rcs/messages", "POST /v2/rcs/messages"


async def a_stored_rcs(caller: Caller) -> str:
    """An RCS message that was sent."""
    return await a_message(caller, channel=Channel.RCS)


async def a_queued_rcs(caller: Caller) -> str:
    """A message of the caller's that waits; a live one as if a provider had been there."""
    if caller.env == "live":
        live = await a_stored_rcs(caller)
        await db.execute("UPDATE messages SET status = 'queued', coins = 0 WHERE id = $1", live)
        return live
    id: str = (await an_rcs(caller, scheduledAt=now() + timedelta(days=1)))["id"]
    return id


async def it_has_left(world: World) -> None:
    id = await world.record("queued rcs")
    await db.execute("DELETE FROM waiting_messages WHERE message_id = $1", id)
    await db.execute("UPDATE messages SET status = 'sent' WHERE id = $1", id)


RECORDS = {"rcs": a_stored_rcs, "queued rcs": a_queued_rcs}
CANCEL = "POST /v2/rcs/messages/{id}/cancel"
LATER = (now() + timedelta(days=364)).isoformat()

ENDPOINTS = [
    Endpoint(
        address=LISTED,
        scope="rcs:read",
        errors="401 403",
        parameters="status channel campaignId limit* cursor",
    ),
    Endpoint(
        address=SEND,
        scope="rcs:send",
        status=201,
        errors="400 401 402 403 409 412 422 502 503",
        key="required",
        fields="to! content! route! fallback contactId campaignId metadata quoteId trackLinks scheduledAt",
        body={"to": "+5511987650001", "content": {"text": "Olá"}, "route": "easy_rcs"},
    ),
    Endpoint(
        address="GET /v2/rcs/messages/{id}",
        scope="rcs:read",
        errors="401 403 404",
        ids={"id": "<rcs>"},
    ),
    Endpoint(
        address=CANCEL,
        scope="rcs:send",
        errors="401 403 404 409",
        ids={"id": "<queued rcs>"},
    ),
]


async def no_money(world: World) -> None:
    await leave_coins(world.caller, 1_199)


async def a_send_with_key_k(world: World) -> None:
    await an_rcs(world.caller, key="k")


async def an_opt_out(world: World) -> None:
    await a_denial(world.caller, "+5511987650001", channel="rcs")


async def no_price(world: World) -> None:
    await wallet.set_prices(world.caller.organization_id, {"rcs": {"easy_otp_rcs": 1}})


async def no_provider(world: World) -> None:
    await registry.close_providers()


def provider_says(answer: object) -> Before:
    """The next live send meets this."""

    async def will(world: World) -> None:
        registry.register(world.provider, "rcs")
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
        status=402,
        address=SEND,
        before=no_money,
        meta={"saldoCoins": 1_199, "necessarioCoins": 1_200},
        writes=True,
    ),
    Refusal(
        status=409,
        address=SEND,
        before=a_send_with_key_k,
        headers={"Idempotency-Key": "k"},
        change={"content": {"text": "Tchau"}},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(status=409, address=CANCEL, before=it_has_left, meta={"code": "NAO_CANCELAVEL"}),
    Refusal(status=412, address=SEND, before=no_price, meta={"code": "ROTA_SEM_PRECO"}),
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
        change={"to": "+5511*****0001"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/to": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"content": {"text": "http://a.co " + "x" * 148}, "trackLinks": True},
        wrong={"/content/text": "too_long"},
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
    Refusal(
        status=503,
        address=SEND,
        env="live",
        before=provider_says(Throttled(5)),
        meta={"messageId": ...},
        retry_after=True,
        writes=True,
    ),
    Refusal(status=503, address=SEND, env="live", before=no_provider),
]


def an_end(ending: str, **changes: Any) -> Before:
    """A sandbox send to a number with this ending, until all its reports came in."""

    async def sent_and_reported(world: World) -> None:
        await an_rcs(
            world.caller,
            to=f"+551198765{ending}",
            **await correlated(world),
            **changes,
        )
        # Reported now and not later: what is told of it is due at once.
        for _ in range(2):
            await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
            await rcs.apply_due_reports(at=now())

    return sent_and_reported


async def a_click(world: World) -> None:
    sent = await an_rcs(
        world.caller,
        content={"text": "https://example.com/a"},
        trackLinks=True,
        **await correlated(world),
    )
    [link] = (await short_links.list_links(world.caller, sent["id"]))["items"]
    await short_links.follow_link(
        link["shortUrl"].rsplit("/", 1)[-1],
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
        method="GET",
        at=now(),
    )


ABOUT = "env metadata contactId campaignId"

EVENTS = [
    Event(name="rcs.delivered", data=f"id to route status channel {ABOUT}", cause=an_end("0001")),
    Event(name="rcs.read", data=f"id to route status channel {ABOUT}", cause=an_end("0005")),
    Event(
        name="rcs.failed", data=f"id to route status failureReason {ABOUT}", cause=an_end("0006")
    ),
    Event(
        name="rcs.clicked",
        data=f"messageId url clickedAt first bot userAgent {ABOUT}",
        cause=a_click,
    ),
]

ANSWERS = [
    Answer(address=SEND, tells={"env": "test", "status": "sent", "content/text": "Olá"}),
    Answer(address=SEND, change={"scheduledAt": LATER}, tells={"status": "queued"}),
    Answer(address=CANCEL, tells={"status": "failed", "failureReason": "canceled"}),
    Answer(
        address=SEND,
        change={"content": {"card": CARD}},
        tells={"content/card/title": CARD["title"]},
    ),
    Answer(
        address=LISTED, before=an_end("0006", fallback=FALLBACK), tells={"items/0/channel": "sms"}
    ),
    Answer(address=LISTED, query={"status": "lido"}, before=an_end("0001"), tells={"items": []}),
    Answer(
        address=LISTED, query={"limit": "zero"}, tells={"warnings": ["limit_ignorado_invalido"]}
    ),
    Answer(address=LISTED, query={"cursor": "x"}, before=an_end("0001"), tells={"items": []}),
    # Held until the way is known: the dearer of both.
    Answer(
        address="GET /v2/wallet",
        before=an_end("0099", fallback=FALLBACK),
        tells={"disponivelCoins": 10_000_000 - 1_200, "reservadoCoins": 1_200},
    ),
    Answer(
        address="GET /v2/wallet",
        before=an_end("0006", fallback=FALLBACK),
        tells={"disponivelCoins": 10_000_000 - 800, "reservadoCoins": 0},
    ),
]
