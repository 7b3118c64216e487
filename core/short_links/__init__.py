"""Short links in messages: made from the addresses of a text, followed by recipients, counted for
the sender.
"""

from core.short_links.bots import is_bot
from core.short_links.follow import follow_link
from core.short_links.forget import delete_links, forget_urls
from core.short_links.inputs import LinkFilter
from core.short_links.models import ShortLink
from core.short_links.queries import LinkPage, ShortLinkRecord, list_links
from core.short_links.shorten import (
    LinksOfMessage,
    PlannedLink,
    ShortenedText,
    links_beside,
    plan_link,
    plan_links,
    store_links,
)
from core.short_links.urls_in_text import find_urls

__all__ = [
    "LinkFilter",
    "LinkPage",
    "LinksOfMessage",
    "PlannedLink",
    "ShortLink",
    "ShortLinkRecord",
    "ShortenedText",
    "delete_links",
    "find_urls",
    "follow_link",
    "forget_urls",
    "is_bot",
    "links_beside",
    "list_links",
    "plan_link",
    "plan_links",
    "store_links",
]
