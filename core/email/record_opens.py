"""Opened e-mails: their tracking pixel was fetched. Many at once become one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import webhooks
from core.cells import cell_with, use_cell
from core.email.events import event_of
from core.email.outgoing import read_token
from core.email.unsubscribe import WHOSE
from core.foundation.database.combining import Combiner
from core.foundation.database.rows import by_column
from core.foundation.database.transactions import transaction
from core.messaging import fetch_messages
from core.short_links import is_bot

PROXIES = ("googleimageproxy", "yahoomailproxy")
"""They fetch images when a person opens the e-mail, in the person's place."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An e-mail was opened, by a person or by a machine."""

    message_id: str
    bot: bool
    at: datetime


async def note_opening(
    token: str, *, user_agent: str, method: str, purpose: str, at: datetime
) -> None:
    """Publish email.opened for the e-mail of a token; one that is none of ours is passed over."""
    ticket = read_token("o", token)
    if ticket is not None:
        for_a_person = any(proxy in user_agent.lower() for proxy in PROXIES)
        bot = not for_a_person and is_bot(user_agent, method, purpose)
        with use_cell(await cell_with(WHOSE, ticket.message_id)):
            await _openings.submit(Opening(ticket.message_id, bot, at))


async def record_openings(openings: Sequence[Opening]) -> list[Exception | None]:
    """Publish openings in one transaction; an opened e-mail has been sent, whatever else is known
    of it.
    """
    if openings:
        async with transaction():
            found = await fetch_messages(
                "SELECT * FROM messages WHERE id = ANY ($1) AND channel = 'email'",
                [one.message_id for one in openings],
            )
            rows = by_column(found, "id")
            await webhooks.publish_many(
                [
                    event_of(rows[one.message_id], "email.opened", one.at, bot=one.bot)
                    for one in openings
                    if one.message_id in rows
                ],
                at=max(one.at for one in openings),
            )
    return [None for _ in openings]


_openings: Combiner[Opening, None] = Combiner(record_openings)
