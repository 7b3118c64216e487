"""Messages with short links for tests."""

import itertools
from typing import Any

from core import messaging, short_links, sms
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.short_links import LinksOfMessage, PlannedLink

_keys = itertools.count(1)


async def some_links(
    caller: Caller, text: str, **changes: Any
) -> tuple[str, tuple[PlannedLink, ...]]:
    """Send the text with its addresses shortened; answers the message's id and its links."""
    shortened = short_links.plan_links(text, "http://svc.test")
    new = sms.NewSms.model_validate(
        {"to": "+5511987650099", "body": shortened.text, "route": "premium", **changes}
    )
    record = await sms.send_message(caller, new, idempotency_key=f"short-link-{next(_keys)}")
    sent = LinksOfMessage(
        record["id"], caller.organization_id, caller.env, messaging.Channel.SMS, shortened.links
    )
    await short_links.store_links([sent], at=now())
    return record["id"], shortened.links


async def a_link(
    caller: Caller, url: str = "https://shop.example.com/a", **changes: Any
) -> tuple[str, PlannedLink]:
    """The same for one address."""
    message_id, (link,) = await some_links(caller, url, **changes)
    return message_id, link
