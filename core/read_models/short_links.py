"""The short links of messages, read field by field: whoever reads a message reads its links."""

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.read_models.query_compiler import Entity, Field, Order, OrderKey, column, time
from core.short_links.shorten import short_url


def _visible(where: Where, caller: Caller) -> None:
    """They hang on a message, which the caller may read."""


def _address(code: str) -> str:
    return short_url(current().base_url, code)


AS_WRITTEN = Order("as written", (OrderKey("{t}.position", "smallint"),))

SHORT_LINK = Entity(
    name="ShortLink",
    table="short_links",
    alias="sl",
    scope=Scope.SMS_READ,
    prefix="",
    fields={
        "shortUrl": Field("{t}.code", make=_address),
        "url": column("url"),
        "clicks": column("clicks"),
        "botClicks": column("bot_clicks"),
        "lastClickedAt": time("last_clicked_at"),
    },
    orders={"": AS_WRITTEN},
    visible=_visible,
)
