"""Turning the addresses of a text into short links, and writing these down with their messages."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple

from core.foundation.database import db
from core.foundation.ids import random_base62
from core.short_links.models import CODE_LENGTH
from core.short_links.urls_in_text import replace_urls


class PlannedLink(NamedTuple):
    """A code that was drawn for an address, which nobody can follow before it is stored."""

    code: str
    url: str


class ShortenedText(NamedTuple):
    """A text as it leaves, and its links in the order of their first appearance."""

    text: str
    links: tuple[PlannedLink, ...]


@dataclass(frozen=True, slots=True)
class LinksOfMessage:
    """The links of one message, and whose they are."""

    message_id: str
    organization_id: str
    env: str
    channel: str
    links: tuple[PlannedLink, ...]


def short_url(base_url: str, code: str) -> str:
    """The address that stands in the text."""
    return f"{base_url}/l/{code}"


def plan_links(text: str, base_url: str) -> ShortenedText:
    """The text with a short link for each address; the same address twice gets the same link.

    Touches nothing but its arguments: the codes are good once `store_links` has committed them.
    """
    codes: dict[str, str] = {}

    def short(url: str) -> str:
        code = codes.get(url) or codes.setdefault(url, random_base62(CODE_LENGTH))
        return short_url(base_url, code)

    shortened = replace_urls(text, short)
    return ShortenedText(shortened, tuple(PlannedLink(code, url) for url, code in codes.items()))


def plan_link(url: str, base_url: str) -> tuple[str, PlannedLink]:
    """A short link for an address that stands by itself, as behind a button: the address it has,
    and its plan.
    """
    code = random_base62(CODE_LENGTH)
    return short_url(base_url, code), PlannedLink(code, url)


async def store_links(sent: Sequence[LinksOfMessage], *, at: datetime) -> None:
    """Insert the links of many messages in one statement, in the transaction of their messages.

    Two links that drew the same code fail the statement, so that no text ever leads to another
    one's address; a new attempt draws new codes.
    """
    rows = [
        (link.code, of.organization_id, of.env, of.message_id, of.channel, position, link.url)
        for of in sent
        for position, link in enumerate(of.links)
    ]
    await db.execute_for(rows, INSERT, *db.columns(rows, 7), at)


def links_beside(
    message_id: str,
    owner: tuple[str, str],
    channel: str,
    links: tuple[PlannedLink, ...],
    *,
    at: datetime,
) -> Callable[[], Awaitable[None]] | None:
    """What writes the links of a message that is accepted; None where it has none."""
    if not links:
        return None
    return partial(store_links, [LinksOfMessage(message_id, *owner, channel, links)], at=at)


INSERT = """
INSERT INTO short_links
    (code, organization_id, env, message_id, channel, position, url, clicks, bot_clicks, created_at)
SELECT l.*, 0, 0, $8
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[]) AS l
"""
