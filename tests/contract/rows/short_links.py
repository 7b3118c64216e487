"""Decisions: short links (the interface tells of them in trackLinks)."""

from core import short_links
from core.foundation.clock import now
from tests.contract.table import Endpoint, Event
from tests.contract.world import World
from tests.factories.short_links import a_link

ENDPOINTS = [
    Endpoint(
        address="GET /v2/links",
        scope="sms:read",
        errors="401 403 404 422",
        parameters="messageId!",
        query={"messageId": "<sms>"},
        unknown_is=404,
    )
]


async def somebody_clicks(world: World) -> None:
    _, link = await a_link(world.caller, metadata={"pedido": "A-1042"})
    await short_links.follow_link(link.code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now())


EVENTS = [
    Event(
        name="sms.clicked",
        data="messageId url clickedAt first bot userAgent env metadata contactId? campaignId?",
        cause=somebody_clicks,
    )
]
