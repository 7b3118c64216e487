"""An outgoing e-mail as MIME in ASCII, made by the standard library."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import SMTP
from email.quoprimime import body_encode
from email.utils import format_datetime
from urllib.parse import urlsplit

from core.email.addresses import Sender
from core.email.inputs import EmailAttachment

# What callers wrote into a header stays in the line it is: broken lines of long ids are misread by
# many.
POLICY = SMTP.clone(refold_source="none", cte_type="7bit")

SHORT = 66
"""Characters of a header that is one line, with its name."""

PLAIN_WORDS = re.compile(r"(?!.*=\?)[!-~]+( [!-~]+)*")
PLAIN_NAME = re.compile(r"[A-Za-z0-9]+( [A-Za-z0-9]+)*")
PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9_+-]+([.][A-Za-z0-9_+-]+)*@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+")

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
    _write_address(outgoing, "From", parts.sender)
    _write_address(outgoing, "To", Sender("", parts.recipient))
    if len(parts.subject) <= SHORT and PLAIN_WORDS.fullmatch(parts.subject):
        outgoing.set_raw("Subject", parts.subject)
    else:
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
    alone = _write_bodies(outgoing, parts)
    for file in parts.attachments:
        kind, _, subtype = file.type.partition("/")
        outgoing.add_attachment(
            base64.b64decode(file.content),
            maintype=kind,
            subtype=subtype,
            filename=file.name,
            cte="base64",
        )
    if alone is None or parts.attachments:
        return outgoing.as_bytes().decode("ascii")
    # What `as_bytes` writes of one body, in a tenth of its time.
    headers = "".join(POLICY.fold(name, value) for name, value in outgoing.raw_items())
    return headers + POLICY.linesep + alone.replace("\n", POLICY.linesep)


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


def _write_bodies(outgoing: EmailMessage, parts: MimeParts) -> str | None:
    """The text first: readers show the last kind that they know. Answers the body, where there is
    one alone.
    """
    bodies = [
        (body, subtype)
        for body, subtype in ((parts.text, "plain"), (parts.html, "html"))
        if body is not None
    ]
    alone = _write_body(outgoing, *bodies[0]) if len(bodies) == 1 else None
    outgoing.set_raw("MIME-Version", "1.0")
    if alone is None:
        outgoing.set_raw("Content-Type", "multipart/alternative")
        for body, subtype in bodies:
            part = EmailMessage(policy=POLICY)
            _write_body(part, body, subtype)
            outgoing.attach(part)
    return alone


def _write_body(part: EmailMessage, body: str, subtype: str) -> str:
    """What `set_content` writes (answered as it is written), without reading each header back: that takes longer than all else."""
    part.set_raw("Content-Type", f'text/{subtype}; charset="utf-8"')
    part.set_raw("Content-Transfer-Encoding", "quoted-printable")
    lines = b"".join(line + b"\n" for line in body.encode().splitlines())
    written: str = body_encode(lines.decode("latin-1"), POLICY.max_line_length or 0)
    part.set_payload(written)
    return written


def _write_address(outgoing: EmailMessage, name: str, who: Sender) -> None:
    """As it stands, where nothing in it has to be quoted, encoded or broken into lines."""
    written = f"{who.name} <{who.address}>" if who.name else who.address
    plain = PLAIN_ADDRESS.fullmatch(who.address) and (
        not who.name or PLAIN_NAME.fullmatch(who.name)
    )
    if plain and len(written) <= SHORT:
        outgoing.set_raw(name, written)
    else:
        outgoing[name] = _header_address(who)


def _header_address(sender: Sender) -> HeaderAddress:
    return HeaderAddress(display_name=sender.name, addr_spec=sender.address)
