"""Reading the links of a message and how often they were opened."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.db import Row
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.short_links.shorten import short_url

READ_SCOPES = {"sms": Scope.SMS_READ, "rcs": Scope.RCS_READ, "email": Scope.EMAIL_READ}
"""The channels whose messages carry short links, and who may read them."""


async def list_links(caller: Caller, message_id: str) -> dict[str, Any]:
    """The links of one message in the order of its text: `{items}`, empty when it carries none.
    Raises NotFound.
    """
    if not any(map(caller.may, READ_SCOPES.values())):
        caller.require(Scope.SMS_READ)
    rows = await db.fetch(LIST, caller.organization_id, caller.env, message_id)
    if not rows or rows[0]["channel"] not in READ_SCOPES:
        raise NotFound
    caller.require(READ_SCOPES[rows[0]["channel"]])
    base_url = current().base_url
    return {"items": [_record(row, base_url) for row in rows if row["code"] is not None]}


def _record(row: Row, base_url: str) -> dict[str, object]:
    record = {
        "shortUrl": short_url(base_url, row["code"]),
        "url": row["url"],
        "clicks": row["clicks"],
        "botClicks": row["bot_clicks"],
    }
    if row["last_clicked_at"] is not None:
        record["lastClickedAt"] = wire_time(row["last_clicked_at"])
    return record


LIST = """
SELECT m.channel, l.code, l.url, l.clicks, l.bot_clicks, l.last_clicked_at
FROM messages m
LEFT JOIN short_links l ON l.message_id = m.id AND l.organization_id = m.organization_id AND l.env = m.env
WHERE m.organization_id = $1 AND m.env = $2 AND m.id = $3
ORDER BY l.position
"""
