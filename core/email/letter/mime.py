"""A letter as it is transmitted: MIME in ASCII, made by the standard library."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from urllib.parse import urlsplit

from core.email.addresses import Sender
from core.email.inputs import EmailAttachment

# What callers wrote into a header stays in the line it is: broken lines of long ids are misread by
# many.
POLICY = SMTP.clone(refold_source="none", cte_type="7bit")

_BODY_END = re.compile(r"</body\s{0,8}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a letter consists of."""

    id: str
    sender: Sender
    recipient: str
    subject: str
    html: str | None
    text: str | None
    reply_to: Sender | None
    headers: Sequence[tuple[str, str]]
    attachments: Sequence[EmailAttachment]
    unsubscribe: str | None
    at: datetime


def written(parts: Parts, *, base_url: str) -> str:
    """The letter, in ASCII with CRLF."""
    letter = EmailMessage(policy=POLICY)
    letter["From"] = _header_address(parts.sender)
    letter["To"] = HeaderAddress(addr_spec=parts.recipient)
    letter["Subject"] = parts.subject
    letter.set_raw("Date", format_datetime(parts.at))
    letter.set_raw("Message-ID", message_id_of(parts.id, base_url))
    if parts.reply_to is not None:
        letter["Reply-To"] = _header_address(parts.reply_to)
    if parts.unsubscribe is not None:
        # One click, by POST alone: a scanner that follows links unsubscribes nobody (RFC 8058).
        letter.set_raw("List-Unsubscribe", f"<{parts.unsubscribe}>")
        letter.set_raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    for name, value in parts.headers:
        if value.isascii():
            letter.set_raw(name, value)
        else:
            letter[name] = value
    _write_bodies(letter, parts)
    for file in parts.attachments:
        kind, _, subtype = file.type.partition("/")
        letter.add_attachment(
            base64.b64decode(file.content),
            maintype=kind,
            subtype=subtype,
            filename=file.name,
            cte="base64",
        )
    return letter.as_bytes().decode("ascii")


def message_id_of(id: str, base_url: str) -> str:
    """Ours in front, so that a report names the message whatever else it says; the same on every
    try.
    """
    return f"<{id}@{urlsplit(base_url).hostname or 'localhost'}>"


def with_pixel(markup: str, address: str) -> str:
    """The HTML with an image of one pixel at its end."""
    pixel = f'<img src="{address}" width="1" height="1" alt="" style="display:none">'
    ends = list(_BODY_END.finditer(markup))
    place = ends[-1].start() if ends else len(markup)
    return markup[:place] + pixel + markup[place:]


def _write_bodies(letter: EmailMessage, parts: Parts) -> None:
    """The text first: readers show the last kind that they know."""
    if parts.text is not None:
        letter.set_content(parts.text, charset="utf-8", cte="quoted-printable")
        if parts.html is not None:
            letter.add_alternative(
                parts.html, subtype="html", charset="utf-8", cte="quoted-printable"
            )
    elif parts.html is not None:
        letter.set_content(parts.html, subtype="html", charset="utf-8", cte="quoted-printable")


def _header_address(sender: Sender) -> HeaderAddress:
    return HeaderAddress(display_name=sender.name, addr_spec=sender.address)
