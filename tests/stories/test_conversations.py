"""A shop talks with its customers: in the sandbox without any platform, and live by one, with
everything around it.
"""

import base64
from collections import Counter
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.factories.media import PNG
from tests.fakes.graph import says
from tests.support.books import check_wallets
from tests.support.conversing import (
    LINE,
    PRICE,
    WABA,
    Conversing,
    a_template,
    conversing_by,
    reference_of,
)
from tests.support.customer import Answer, Credential, Customer
from tests.support.live_service import live_credential
from tests.support.receiver import Receiver, signed_by
from tests.support.service import Service
from tests.support.waiting import eventually

__all__ = ["live_credential"]

TOLD = (
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "message.received",
    "template.approved",
)
ANA, BIA, CAIO, DIVA = "+5511987650005", "+5511987651234", "+5511987654321", "+5511987650006"
METADATA = {"pedido": "A-1042", "itens": 3, "expresso": True}


@pytest.fixture
async def conversing(live_credential: Credential, service: Service) -> AsyncIterator[Conversing]:
    async with conversing_by(service, live_credential) as conversing:
        yield conversing


async def test_a_shop_converses_in_the_sandbox_and_live(
    conversing: Conversing, receiver: Receiver
) -> None:
    service = conversing.service
    running = await service.up()
    conversing.moved_to(running.apis[0])
    await in_the_sandbox(service, running.customer, receiver)
    receiver.arrivals.clear()
    await live(conversing, receiver)
    await check_wallets(await service.books())


# The sandbox --------------------------------------------------------------------------------------


async def in_the_sandbox(service: Service, shop: Customer, receiver: Receiver) -> None:
    subscription = await shop.subscribe(receiver, TOLD)
    before = await balance(shop)
    made = await service.svc(
        "number",
        "create",
        "--org",
        shop.credential.organization_id,
        "--env",
        "test",
        "--phone",
        "+5511911110000",
    )
    number = made["numberId"]

    file = done(await shop.call("POST", f"/numbers/{number}/media", a_picture()))
    assert (file["kind"], file["mimeType"], file["size"]) == ("image", "image/png", len(PNG))
    written = done(await shop.call("POST", "/v2/templates", a_template(number)))
    done(await shop.call("POST", f"/v2/templates/{written['id']}/submit"), 200)
    (approved,) = await arrived(receiver, "template.approved")
    assert approved["data"]["templateId"] == written["id"]
    listed = done(await shop.call("GET", "/v2/templates?status=approved"), 200)
    assert [one["id"] for one in listed["items"]] == [written["id"]]

    early = await shop.call("POST", "/messages", a_text(number, ANA))
    assert (early.status, early.body["meta"]["code"]) == (422, "JANELA_FECHADA")
    for phone in (ANA, BIA):
        received = {"numberId": number, "from": phone, "type": "text", "payload": {"text": "Oi 👋"}}
        done(await shop.call("POST", "/v2/sandbox/messages/inbound", received))
    written_to = await arrived(receiver, "message.received", 2)
    assert {event["data"]["from"] for event in written_to} == {ANA, BIA}

    picture = {"kind": "image", "media": {"id": file["mediaId"], "caption": "Sua nota"}}
    offer = {
        "type": "template",
        "templateId": written["id"],
        "templateVars": ["Caio"],
        "campaignId": "natal",
    }
    sent = {
        "text": done(
            await shop.call("POST", "/messages", a_text(number, ANA) | {"metadata": METADATA})
        ),
        "media": done(
            await shop.call(
                "POST",
                "/messages",
                {"numberId": number, "to": BIA, "type": "media", "payload": picture},
            )
        ),
        "template": done(
            await shop.call("POST", "/messages", {"numberId": number, "to": CAIO, **offer})
        ),
        "unknown": done(
            await shop.call("POST", "/messages", {"numberId": number, "to": DIVA, **offer})
        ),
    }
    assert {one["status"] for one in sent.values()} == {"queued"}
    assert [one["billing"]["coins"] for one in sent.values()] == [0, 0, PRICE, PRICE]
    await arrived(receiver, "message.delivered", 3)
    (read,) = await arrived(receiver, "message.read")
    (failed,) = await arrived(receiver, "message.failed")

    assert all(signed_by(subscription.secret, arrival) for arrival in receiver.arrivals)
    assert read["data"]["id"] == sent["text"]["id"]
    assert read["data"]["metadata"] == METADATA
    assert read["env"] == read["data"]["env"] == "test"
    assert failed["data"]["id"] == sent["unknown"]["id"]
    told_of = [event for event in receiver.events() if event["type"].startswith("message.")]
    steps = Counter((event["type"], event["data"]["id"]) for event in told_of)
    assert set(steps.values()) == {1}
    for kind, chain in CHAINS.items():
        told = {type for type, id in steps if id == sent[kind]["id"]}
        assert told == {f"message.{step}" for step in chain}

    statuses = {kind: chain[-1] for kind, chain in CHAINS.items()}
    page = done(await shop.call("GET", f"/messages?numberId={number}"), 200)
    assert page["total"] == 6
    shown = {one["id"]: one for one in page["items"]}
    assert {kind: shown[sent[kind]["id"]]["status"] for kind in sent} == statuses
    rows = await exported(shop)
    assert {id: row["status"] for id, row in rows.items()} == {
        id: one["status"] for id, one in shown.items()
    }
    assert rows[sent["text"]["id"]]["metadata"] == METADATA
    assert rows[sent["template"]["id"]]["campaignId"] == "natal"
    # What the platform took is paid, whatever became of it.
    await seen_in_graphql(shop, number, shown, coins=2 * PRICE)
    assert await balance(shop) == before - 2 * PRICE


CHAINS = {
    "text": ("sent", "delivered", "read"),
    "media": ("sent", "delivered"),
    "template": ("sent", "delivered"),
    "unknown": ("sent", "failed"),
}


# Live ---------------------------------------------------------------------------------------------


async def live(conversing: Conversing, receiver: Receiver) -> None:
    shop, platform = conversing.shop, conversing.platform
    subscription = await shop.subscribe(receiver, TOLD)
    before = await balance(shop)
    number = await a_live_number(conversing)
    template = await approved_by_the_platform(conversing, number, receiver)
    asked = await people_write(conversing, receiver)

    sent = await say_it_all(conversing, number, template, reply_to=asked)
    await arrived(receiver, "message.sent", 3)
    assert platform.taken == Counter([one["id"] for one in sent.values()])
    assert all(one.proven for one in platform.graph.seen)
    said = {kind: platform.bodies[one["id"]] for kind, one in sent.items()}
    assert said["text"]["text"] == {"body": "Saiu para entrega 🚚", "preview_url": False}
    assert said["text"]["context"] == {"message_id": "wamid.de.ana"}
    assert said["media"]["image"] == {"id": "2762702990552401", "caption": "Sua nota"}
    assert (said["template"]["template"]["name"], said["template"]["to"]) == (
        "pedido_enviado",
        CAIO,
    )
    assert said["template"]["template"]["language"]["code"] == "pt_BR"
    variables = said["template"]["template"]["components"][0]["parameters"]
    assert variables == [{"type": "text", "text": "Caio"}]

    await platform.report((sent["text"]["id"], "read"), (sent["text"]["id"], "delivered"))
    await platform.report((sent["media"]["id"], "delivered"), (sent["media"]["id"], "delivered"))
    await platform.report((sent["template"]["id"], "failed"), code=131049)
    await arrived(receiver, "message.read")
    (failed,) = await arrived(receiver, "message.failed")
    await arrived(receiver, "message.delivered")
    assert (failed["data"]["id"], failed["data"]["upstreamCode"]) == (
        sent["template"]["id"],
        "131049",
    )
    assert all(signed_by(subscription.secret, arrival) for arrival in receiver.arrivals)

    page = done(await shop.call("GET", f"/messages?numberId={number}"), 200)
    shown = {one["id"]: one for one in page["items"]}
    assert page["total"] == 5
    ends = {kind: shown[one["id"]] for kind, one in sent.items()}
    assert {kind: one["status"] for kind, one in ends.items()} == LIVE_ENDS
    assert {one["metaMessageId"] for one in ends.values()} == {
        reference_of(one["id"]) for one in ends.values()
    }
    rows = await exported(shop)
    assert {id: row["status"] for id, row in rows.items()} == {
        id: one["status"] for id, one in shown.items()
    }
    await seen_in_graphql(shop, number, shown, coins=PRICE)
    assert await balance(shop) == before - PRICE


LIVE_ENDS = {"text": "read", "media": "delivered", "template": "failed"}


async def a_live_number(conversing: Conversing) -> str:
    owner = ("--org", conversing.shop.credential.organization_id, "--env", "live")
    place = ("--phone-number-id", LINE, "--waba-id", WABA)
    made = await conversing.service.svc(
        "number", "create", *owner, "--phone", "+5511911110000", *place
    )
    assert made["status"] == "connected"
    id: str = made["numberId"]
    return id


async def approved_by_the_platform(conversing: Conversing, number: str, receiver: Receiver) -> str:
    """A template that is handed in, and that the platform says yes to in its own time."""
    shop, platform = conversing.shop, conversing.platform
    platform.graph.at(
        "POST", f"{WABA}/message_templates", says({"id": "1689556908129832", "status": "PENDING"})
    )
    written = done(await shop.call("POST", "/v2/templates", a_template(number)))
    done(await shop.call("POST", f"/v2/templates/{written['id']}/submit"), 200)

    async def pending() -> bool:
        read = await shop.call("GET", f"/v2/templates/{written['id']}")
        return bool(read.body["status"] == "pending")

    await eventually(pending, "the platform has the template")
    decision = {
        "event": "APPROVED",
        "message_template_id": 1689556908129832,
        "message_template_name": "pedido_enviado",
        "message_template_language": "pt_BR",
        "reason": "NONE",
    }
    await platform.post("message_template_status_update", decision)
    (approved,) = await arrived(receiver, "template.approved")
    assert approved["data"]["templateId"] == written["id"]
    id: str = written["id"]
    return id


async def people_write(conversing: Conversing, receiver: Receiver) -> str:
    """Two people write, and become contacts; answers the id of Ana's message."""
    for _ in range(2):  # the platform tells everything at least once
        await conversing.platform.deliver(ANA, "Tem em outra cor?", reference="wamid.de.ana")
        await conversing.platform.deliver(
            BIA, "E a nota?", reference="wamid.de.bia", name="Bia Exemplo"
        )
    heard = {
        event["data"]["from"]: event["data"]
        for event in await arrived(receiver, "message.received", 2)
    }
    contact = done(await conversing.shop.call("GET", f"/contacts/{heard[ANA]['contactId']}"), 200)
    assert (contact["phone"], contact["source"], contact["whatsappProfileName"]) == (
        ANA,
        "webhook",
        "Ana Exemplo",
    )
    assert set(heard) == {ANA, BIA}
    id: str = heard[ANA]["id"]
    return id


async def say_it_all(
    conversing: Conversing, number: str, template: str, *, reply_to: str
) -> dict[str, dict[str, Any]]:
    """A text to Ana, a picture to Bia, and the template to Caio, who has not written."""
    shop = conversing.shop
    conversing.platform.graph.at("POST", f"{LINE}/media", says({"id": "2762702990552401"}))
    file = done(await shop.call("POST", f"/numbers/{number}/media", a_picture()))
    picture = {"kind": "image", "media": {"id": file["mediaId"], "caption": "Sua nota"}}
    offer = {"type": "template", "templateId": template, "templateVars": ["Caio"]}
    bodies = {
        "text": a_text(number, ANA) | {"replyTo": reply_to},
        "media": {"numberId": number, "to": BIA, "type": "media", "payload": picture},
        "template": {"numberId": number, "to": CAIO, **offer},
    }
    return {kind: done(await shop.call("POST", "/messages", body)) for kind, body in bodies.items()}


# What both have in common -------------------------------------------------------------------------


def a_text(number_id: str, to: str) -> dict[str, Any]:
    return {
        "numberId": number_id,
        "to": to,
        "type": "text",
        "payload": {"text": "Saiu para entrega 🚚"},
    }


def a_picture() -> dict[str, Any]:
    return {
        "filename": "nota.png",
        "mimeType": "image/png",
        "dataBase64": base64.encodebytes(PNG).decode(),
    }


def done(answer: Answer, status: int = 201) -> dict[str, Any]:
    assert answer.status == status, answer
    body: dict[str, Any] = answer.body
    return body


async def arrived(receiver: Receiver, type: str, count: int = 1) -> list[dict[str, Any]]:
    """The events of a type, once there are so many."""
    await eventually(
        lambda: len(receiver.events(type)) >= count,
        lambda: f"{count} × {type}; {Counter(event['type'] for event in receiver.events())}",
    )
    return receiver.events(type)


async def balance(shop: Customer) -> int:
    wallet = done(await shop.call("GET", "/v2/wallet"), 200)
    coins: int = wallet["disponivelCoins"]
    return coins


async def exported(shop: Customer) -> dict[str, dict[str, Any]]:
    """All rows of the export, page by page."""
    now = datetime.fromisoformat(
        (await shop.call("GET", "/messages?limit=1")).body["items"][0]["createdAt"]
    )
    since, until = (
        (now + timedelta(hours=hours)).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
        for hours in (-1, 1)
    )
    path = f"/v2/exports/whatsapp?from={since}&to={until}&limit=2"
    rows: dict[str, dict[str, Any]] = {}
    page = done(await shop.call("GET", path), 200)
    while True:
        rows |= {row["id"]: row for row in page["items"]}
        if page["nextCursor"] is None:
            return rows
        page = done(await shop.call("GET", f"{path}&cursor={page['nextCursor']}"), 200)


async def seen_in_graphql(
    shop: Customer, number: str, shown: dict[str, dict[str, Any]], *, coins: int
) -> None:
    """The same messages as REST shows, and totals that are theirs."""
    answer = await shop.call(
        "POST", "/graphql", {"query": GRAPHQL, "variables": {"number": number}}
    )
    assert answer.status == 200
    assert "errors" not in answer.body, answer.body["errors"]
    data = answer.body["data"]
    nodes = {one["id"]: one for one in data["messages"]["nodes"]}
    assert data["messages"]["totalCount"] == len(shown)
    assert {id: (one["status"].lower(), one["direction"].lower()) for id, one in nodes.items()} == {
        id: (one["status"], one["direction"]) for id, one in shown.items()
    }
    assert {id: one["to"] for id, one in nodes.items()} == {
        id: one["to"] for id, one in shown.items()
    }
    outbound = [one for one in shown.values() if one["direction"] == "outbound"]
    assert data["messageStats"]["totals"] == {
        "sent": len(outbound),
        "delivered": sum("deliveredAt" in one for one in outbound),
        "read": sum(one["status"] == "read" for one in outbound),
        "failed": sum(one["status"] == "failed" for one in outbound),
        "received": len(shown) - len(outbound),
        "coins": coins,
    }


GRAPHQL = """query ($number: ID!) {
  messages(first: 50, filter: {numberId: $number}) {
    totalCount
    nodes { id status direction to ... on ConversationMessage { type payload } }
  }
  messageStats(filter: {numberId: $number}) { totals { sent delivered read failed received coins } }
}"""
