"""Interface: Message export row; Endpoints, GET /v2/exports/whatsapp; Limits, Export."""

from datetime import timedelta

from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.messaging import Channel
from tests.contract.table import Answer, Endpoint, Page, Refusal
from tests.contract.world import World
from tests.factories.contacts import a_contact
from tests.factories.stored_messages import stored_message

EXPORT = "GET /v2/exports/whatsapp"
TODAY = {
    "from": (now() - timedelta(days=1)).isoformat(),
    "to": (now() + timedelta(days=1)).isoformat(),
}


async def a_stored_whatsapp(caller: Caller) -> str:
    """A conversational message that was sent."""
    return await stored_message(
        caller, now(), channel=Channel.WHATSAPP, type="text", content={"text": "Olá"}
    )


async def to_a_contact(world: World) -> None:
    """A message to somebody whom the caller's own system knows as well."""
    contact = await a_contact(world.caller, externalId="crm-1042")
    await stored_message(
        world.caller,
        now(),
        channel=Channel.WHATSAPP,
        contact_id=contact["id"],
        campaign_id="outono",
        metadata={"pedido": "A-1042"},
    )


RECORDS = {"exported message": a_stored_whatsapp}

ENDPOINTS = [
    Endpoint(
        address=EXPORT,
        scope="messages:read",
        errors="400 401 403 422",
        parameters="from!* to!* cursor limit*",
        query=TODAY,
        never="400",
    )
]

REFUSALS = [
    Refusal(
        status=422,
        address=EXPORT,
        query={"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00.001Z"},
        wrong={"?to": "too_large"},
    ),
    Refusal(
        status=422,
        address=EXPORT,
        query={"from": "2026-01-02", "to": "2026-01-01"},
        wrong={"?to": "too_small"},
    ),
]

ANSWERS = [
    Answer(
        address=EXPORT,
        query={"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"},
        tells={"items": []},
    ),
    Answer(
        address=EXPORT,
        before=to_a_contact,
        tells={
            "nextCursor": None,
            "items/0/channel": "whatsapp",
            "items/0/campaignId": "outono",
            "items/0/contactExternalId": "crm-1042",
            "items/0/metadata": {"pedido": "A-1042"},
        },
    ),
]

PAGES = [
    Page(
        address=EXPORT,
        fill=lambda world, count: world.rows("exported message", count, table="messages"),
        default=500,
        ceiling=1_000,
        above="refused",
        skips=False,
        query=TODAY,
    ),
]
