"""Decisions: short links (the interface tells of them in trackLinks)."""

from core import short_links
from core.foundation.clock import now
from tests.contract.table import Endpoint, Event
from tests.contract.world import World, correlated
from tests.factories.sms import a_send

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
    sent = await a_send(
        world.caller, body="https://example.com/a", trackLinks=True, **await correlated(world)
    )
    [link] = (await short_links.list_links(world.caller, sent["id"]))["items"]
    code = link["shortUrl"].rsplit("/", 1)[-1]
    await short_links.follow_link(code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now())


EVENTS = [
    Event(
        name="sms.clicked",
        data="messageId url clickedAt first bot userAgent env metadata contactId campaignId",
        cause=somebody_clicks,
    )
]
