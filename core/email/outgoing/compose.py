"""Composing an outgoing e-mail: tracking, unsubscribe link, MIME, encryption."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from core.email.addresses import Sender, read_sender
from core.email.inputs import NewEmail
from core.email.outgoing.links import Links
from core.email.outgoing.mime import MimeParts, to_mime, with_pixel
from core.email.outgoing.seal import seal
from core.email.outgoing.tokens import address_for
from core.foundation.settings import current
from core.short_links import PlannedLink

MAX_INLINE_CHARACTERS = 100_000
"""Characters from which writing and sealing an e-mail would hold up the other requests: it is done
beside the loop.
"""


@dataclass(slots=True)
class ComposedEmail:
    """The sealed e-mail and the links in it."""

    sealed: str
    links: tuple[PlannedLink, ...]


async def compose(
    new: NewEmail, sender: Sender, *, id: str, identity: bytes, at: datetime
) -> ComposedEmail:
    """The e-mail of the message `id`. `identity` is the hash of its recipient."""
    if is_large(new):
        return await asyncio.to_thread(_compose, new, sender, id, identity, at)
    return _compose(new, sender, id, identity, at)


def is_large(new: NewEmail) -> bool:
    """Whether writing it takes long."""
    files = sum(one.size for one in new.attachments or ())
    return len(new.html or "") + len(new.text or "") + files >= MAX_INLINE_CHARACTERS


def _compose(
    new: NewEmail, sender: Sender, id: str, identity: bytes, at: datetime
) -> ComposedEmail:
    base_url = current().base_url
    links = Links(base_url)
    html, text = new.html, new.text
    if new.track_links:
        html = None if html is None else links.in_html(html)
        text = None if text is None else links.in_text(text)
    if new.track_opens and html is not None:
        html = with_pixel(html, address_for("o", id, identity, base_url))
    parts = MimeParts(
        id=id,
        sender=sender,
        recipient=new.to,
        subject=new.subject,
        html=html,
        text=text,
        reply_to=read_sender(new.reply_to) if new.reply_to else None,
        headers=[(header.key, header.value) for header in new.headers or ()],
        attachments=new.attachments or (),
        unsubscribe=address_for("u", id, identity, base_url) if new.is_marketing else None,
        at=at,
    )
    return ComposedEmail(seal(id, to_mime(parts, base_url=base_url)), links.planned)
