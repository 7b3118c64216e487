"""Short links whose recipient is erased, or whose messages are gone."""

from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def forget_urls(caller: Caller, messages: Sequence[str]) -> int:
    """Take the address out of the links of these messages: it may carry a token of the person. Answers how many.

    Clicks stay counted; a link without an address leads nowhere.
    """
    return await db.execute(FORGET, caller.organization_id, caller.env, list(messages))


async def delete_links(messages: Sequence[str]) -> None:
    """Delete the links of messages that are gone."""
    await db.execute("DELETE FROM short_links WHERE message_id = ANY ($1)", list(messages))


FORGET = (
    "UPDATE short_links SET url = '' WHERE organization_id = $1 AND env = $2 AND "
    "message_id = ANY ($3)"
)
