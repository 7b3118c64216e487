"""Reading the links of a message and how often they were opened."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.channels import AnyChannel
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.records import Doc, Instant, LargeInt, Made, PassedOver, Record, Uri, named
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.short_links.shorten import short_url

READ_SCOPES = {one.value: one.facts.read for one in AnyChannel if one.facts.shortens_links}
"""The channels whose messages carry short links, and who may read them."""


def _address(code: str) -> str:
    return short_url(current().base_url, code)


@named(rest="ShortLink", graphql="ShortLink")
class ShortLinkRecord(TypedDict):
    """A link of a message that was sent with `trackLinks`. `clicks` and `lastClickedAt` count people,
    `botClicks` scanners and previews.
    """

    shortUrl: Annotated[Uri, Made(_address, ("code",)), Doc("What stands in the text")]
    url: Annotated[Uri, Doc("Where it leads")]
    clicks: Annotated[LargeInt, Doc("How often people opened it")]
    botClicks: Annotated[LargeInt, Doc("How often scanners and previews opened it")]
    lastClickedAt: NotRequired[Annotated[Instant, Doc("When a person last opened it")]]


SHORT_LINK = Record(ShortLinkRecord)


class LinkPage(TypedDict):
    """The links of one message."""

    items: Annotated[list[ShortLinkRecord], Doc("Its links, in the order of its text")]
    warnings: NotRequired[PassedOver]


async def list_links(caller: Caller, message_id: str) -> LinkPage:
    """The links of one message in the order of its text; none when it carries none. Raises NotFound."""
    if not any(map(caller.may, READ_SCOPES.values())):
        caller.require(Scope.SMS_READ)
    rows = await db.fetch(LIST, caller.organization_id, caller.env, message_id)
    if not rows or rows[0]["channel"] not in READ_SCOPES:
        raise NotFound
    caller.require(READ_SCOPES[rows[0]["channel"]])
    return {"items": [SHORT_LINK.make_for(caller, row) for row in rows if row["code"] is not None]}


LIST = """
SELECT m.channel, l.code, l.url, l.clicks, l.bot_clicks, l.last_clicked_at
FROM messages m
LEFT JOIN short_links l ON l.message_id = m.id AND l.organization_id = m.organization_id AND l.env = m.env
WHERE m.organization_id = $1 AND m.env = $2 AND m.id = $3
ORDER BY l.position
"""
