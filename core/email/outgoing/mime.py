"""An outgoing e-mail as MIME in ASCII, made by the standard library."""

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
class MimeParts:
    """What an e-mail consists of."""

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


def to_mime(parts: MimeParts, *, base_url: str) -> str:
    """The e-mail, in ASCII with CRLF."""
    outgoing = EmailMessage(policy=POLICY)
    outgoing["From"] = _header_address(parts.sender)
    outgoing["To"] = HeaderAddress(addr_spec=parts.recipient)
    outgoing["Subject"] = parts.subject
    outgoing.set_raw("Date", format_datetime(parts.at))
    outgoing.set_raw("Message-ID", message_id_of(parts.id, base_url))
    if parts.reply_to is not None:
        outgoing["Reply-To"] = _header_address(parts.reply_to)
    if parts.unsubscribe is not None:
        # One click, by POST alone: a scanner that follows links unsubscribes nobody (RFC 8058).
        outgoing.set_raw("List-Unsubscribe", f"<{parts.unsubscribe}>")
        outgoing.set_raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    for name, value in parts.headers:
        if value.isascii():
            outgoing.set_raw(name, value)
        else:
            outgoing[name] = value
    _write_bodies(outgoing, parts)
    for file in parts.attachments:
        kind, _, subtype = file.type.partition("/")
        outgoing.add_attachment(
            base64.b64decode(file.content),
            maintype=kind,
            subtype=subtype,
            filename=file.name,
            cte="base64",
        )
    return outgoing.as_bytes().decode("ascii")


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


def _write_bodies(outgoing: EmailMessage, parts: MimeParts) -> None:
    """The text first: readers show the last kind that they know."""
    if parts.text is not None:
        outgoing.set_content(parts.text, charset="utf-8", cte="quoted-printable")
        if parts.html is not None:
            outgoing.add_alternative(
                parts.html, subtype="html", charset="utf-8", cte="quoted-printable"
            )
    elif parts.html is not None:
        outgoing.set_content(parts.html, subtype="html", charset="utf-8", cte="quoted-printable")


def _header_address(sender: Sender) -> HeaderAddress:
    return HeaderAddress(display_name=sender.name, addr_spec=sender.address)
