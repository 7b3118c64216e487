"""Decisions: Sandbox on every channel, inbound; Conversational channel, inbound and receipts."""

from typing import Any

from tests.contract.table import Answer, Before, Endpoint, Event, Limit, Refusal
from tests.contract.world import World
from tests.factories.conversations_inbound import WRITER, an_inbound
from tests.factories.numbers import an_instagram_account

INBOUND = "POST /v2/sandbox/messages/inbound"
REFERRAL = {
    "source_type": "ad",
    "source_id": "120208",
    "source_url": "https://fb.me/x",
    "ctwa_clid": "ARAk",
}

ENDPOINTS = [
    Endpoint(
        address=INBOUND,
        scope="messages:send",
        status=201,
        errors="400 401 403 404 422",
        one_of="numberId",
        fields="numberId instagramAccountId from! type! payload! profileName referral",
        body={"numberId": "<number>", "from": WRITER, "type": "text", "payload": {"text": "Oi"}},
        unknown_is=404,
    )
]

REFUSALS = [
    Refusal(status=404, address=INBOUND, env="live"),
    Refusal(status=422, address=INBOUND, change={"numberId": ...}, wrong={"/numberId": "required"}),
    Refusal(
        status=422,
        address=INBOUND,
        change={"instagramAccountId": "iga_x", "from": "1"},
        wrong={"/numberId": "required"},
    ),
    Refusal(status=422, address=INBOUND, change={"from": "123"}, wrong={"/from": "invalid_phone"}),
    Refusal(
        status=422,
        address=INBOUND,
        change={"from": "+5511*****0001"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/from": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        address=INBOUND,
        change={"type": "media", "payload": {"kind": "image"}},
        wrong={"/payload/media": "required"},
    ),
    Refusal(
        status=422,
        address=INBOUND,
        change={"type": "interactive", "payload": {}},
        wrong={"/payload/kind": "required"},
    ),
]


def somebody_writes(**fields: Any) -> Before:
    async def write(world: World) -> None:
        await an_inbound(world.caller, **fields)

    return write


async def somebody_writes_on_instagram(world: World) -> None:
    account = await an_instagram_account(world.caller)
    fields: dict[str, Any] = {"instagramAccountId": account.id, "from": "17841400000000001"}
    await an_inbound(world.caller, **fields)


EVENTS = [
    Event(
        name="message.received",
        data="id env channel numberId from type payload contactId origemDoLink receivedAt",
        cause=somebody_writes(referral=REFERRAL),
    ),
    Event(
        name="instagram.message.received",
        data="id env channel instagramAccountId from type payload receivedAt",
        cause=somebody_writes_on_instagram,
    ),
]

LIMITS = [
    Limit(
        address=INBOUND,
        field="/payload",
        takes=[{"text": "x"}, {"text": "x" * 4096}, {"text": "x", "n": 2**53 - 1}],
        refuses=[
            ({"text": ""}, "wrong_format", "/text"),
            ({"text": "x" * 4097}, "wrong_format", "/text"),
            ({"text": "x", "n": 2**53}, "too_large"),
            ({"text": "x", "n": [float("inf")]}, "not_finite"),
            ({"text": "x", "more": "x" * 20_000}, "too_large"),
            ({"text": "a\x00"}, "nul", "/text"),
        ],
    ),
    Limit(
        address=INBOUND,
        field="/profileName",
        takes=["x", "x" * 200],
        refuses=[("", "too_short"), ("x" * 201, "too_long"), ("a\x00", "nul")],
    ),
    Limit(
        address=INBOUND,
        field="/numberId",
        refuses=[("", "too_short"), ("x" * 31, "too_long"), ("a\x00", "nul")],
    ),
    Limit(
        address=INBOUND,
        field="/instagramAccountId",
        change={"numberId": None, "from": "1"},
        refuses=[("", "too_short"), ("x" * 31, "too_long"), ("a\x00", "nul")],
    ),
    Limit(address=INBOUND, field="/type", takes=["text"], refuses=[("template", "not_allowed")]),
    Limit(
        address=INBOUND,
        field="/referral",
        takes=[{}, REFERRAL],
        refuses=[({"n": 2**53}, "too_large")],
    ),
    Limit(
        address=INBOUND,
        field="/from",
        takes=["+5511987650001", "(11) 98765-0001", "+551187650001"],
        refuses=[("", "too_short"), ("x" * 41, "too_long")],
    ),
]

ANSWERS = [
    Answer(
        address=INBOUND,
        change={"referral": REFERRAL},
        tells={
            "channel": "whatsapp",
            "direction": "inbound",
            "status": "delivered",
            "to": WRITER,
            "priority": "normal",
            "force": False,
            "attempts": 0,
            "payload": {"text": "Oi"},
            "origemDoLink": {"fonte": "meta", "anuncio": "120208", "codigo": "ARAk"},
        },
    )
]
