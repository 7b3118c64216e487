"""An outgoing e-mail as MIME in ASCII, made by the standard library."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import SMTP
from email.quoprimime import body_encode
from email.utils import format_datetime
from functools import lru_cache
from urllib.parse import urlsplit

from core.email.addresses import Sender
from core.email.inputs import EmailAttachment

# What callers wrote into a header stays in the line it is: broken lines of long ids are misread by
# many.
POLICY = SMTP.clone(refold_source="none", cte_type="7bit")

SHORT = 66
"""Characters of a header that is one line, with its name."""

PLAIN_WORDS = re.compile(r"(?!.*=\?)[!-~]+( [!-~]+)*")
MIXED = re.compile(r"(?=.*=\?).*[^\x00-\x7f]")
PLAIN_NAME = re.compile(r"[A-Za-z0-9]+( [A-Za-z0-9]+)*")
PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9_+-]+([.][A-Za-z0-9_+-]+)*@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+")

OCTETS = "application/octet-stream"
WHOLE = re.compile("(?:message|multipart)/.*", re.IGNORECASE)
"""Of these types a file is an e-mail or has parts: it must not be base64 (RFC 2046), as all others are here."""

_BODY_END = re.compile(r"</body\s{0,8}>", re.IGNORECASE)


@dataclass(slots=True)  # frozen, it would take four times as long to make
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


class _Headers:
    """The headers of an e-mail, in their order."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str]] = []

    def add(self, name: str, value: str) -> None:
        """One that stands as it is, in a line."""
        self.all.append((name, value))

    def add_parsed(self, name: str, value: str | HeaderAddress) -> None:
        """One that is quoted, encoded and broken into lines where it has to be."""
        if MIXED.match(str(value)):
            # The standard library takes it for an encoded word, and fails where it is none.
            self.add(name, Header(str(value), "utf-8", header_name=name).encode(linesep="\r\n"))
        else:
            self.all.append(POLICY.header_store_parse(name, value))

    def written(self) -> str:
        """All of them, as the standard library writes them."""
        return "".join(
            f"{name}: {value}\r\n" if type(value) is str else POLICY.fold(name, value)
            for name, value in self.all
        )


def to_mime(parts: MimeParts, *, base_url: str) -> str:
    """The e-mail, in ASCII with CRLF."""
    headers = _headers_of(parts, base_url)
    bodies = [
        (body, subtype)
        for body, subtype in ((parts.text, "plain"), (parts.html, "html"))
        if body is not None
    ]
    if len(bodies) > 1 or parts.attachments:
        return _of_many_parts(headers, bodies, parts.attachments)
    # What an EmailMessage of one body writes, in a tenth of its time.
    alone = _add_body(headers, *bodies[0])
    headers.add("MIME-Version", "1.0")
    return f"{headers.written()}\r\n" + alone.replace("\n", "\r\n")


def _headers_of(parts: MimeParts, base_url: str) -> _Headers:
    """All but those that say what the body is."""
    headers = _Headers()
    _add_address(headers, "From", parts.sender)
    _add_address(headers, "To", Sender("", parts.recipient))
    if len(parts.subject) <= SHORT and PLAIN_WORDS.fullmatch(parts.subject):
        headers.add("Subject", parts.subject)
    else:
        headers.add_parsed("Subject", parts.subject)
    headers.add("Date", _date(parts.at.replace(microsecond=0)))
    headers.add("Message-ID", message_id_of(parts.id, base_url))
    if parts.reply_to is not None:
        headers.add_parsed("Reply-To", _header_address(parts.reply_to))
    if parts.unsubscribe is not None:
        # One click, by POST alone: a scanner that follows links unsubscribes nobody (RFC 8058).
        headers.add("List-Unsubscribe", f"<{parts.unsubscribe}>")
        headers.add("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    for name, value in parts.headers:
        if value.isascii():
            headers.add(name, value)
        else:
            headers.add_parsed(name, value)
    return headers


def _of_many_parts(
    headers: _Headers, bodies: Sequence[tuple[str, str]], files: Sequence[EmailAttachment]
) -> str:
    """The text first: readers show the last kind that they know."""
    if len(bodies) == 1:
        alone = _add_body(headers, *bodies[0])
        headers.add("MIME-Version", "1.0")
        outgoing = _message(headers, alone)
    else:
        headers.add("MIME-Version", "1.0")
        headers.add("Content-Type", "multipart/alternative")
        outgoing = _message(headers)
        for body, subtype in bodies:
            own = _Headers()
            outgoing.attach(_message(own, _add_body(own, body, subtype)))
    for file in files:
        kind, _, subtype = WHOLE.sub(OCTETS, file.type).partition("/")
        outgoing.add_attachment(
            base64.b64decode(file.content),
            maintype=kind,
            subtype=subtype,
            filename=file.name,
            cte="base64",
        )
    return outgoing.as_bytes().decode("ascii")


def _message(headers: _Headers, body: str | None = None) -> EmailMessage:
    message = EmailMessage(policy=POLICY)
    for name, value in headers.all:
        message.set_raw(name, value)
    if body is not None:
        message.set_payload(body)
    return message


@lru_cache(maxsize=64)
def _date(second: datetime) -> str:
    """How the header tells it; many e-mails are of one second."""
    return format_datetime(second)


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


def _add_body(headers: _Headers, body: str, subtype: str) -> str:
    """What `set_content` writes of a body, without reading each header back: that takes longer than
    all else.
    """
    headers.add("Content-Type", f'text/{subtype}; charset="utf-8"')
    headers.add("Content-Transfer-Encoding", "quoted-printable")
    lines = b"".join(line + b"\n" for line in body.encode().splitlines())
    written: str = body_encode(lines.decode("latin-1"), POLICY.max_line_length or 0)
    return written


def _add_address(headers: _Headers, name: str, who: Sender) -> None:
    """As it stands, where nothing in it has to be quoted, encoded or broken into lines."""
    written = f"{who.name} <{who.address}>" if who.name else who.address
    plain = PLAIN_ADDRESS.fullmatch(who.address) and (
        not who.name or PLAIN_NAME.fullmatch(who.name)
    )
    if plain and len(written) <= SHORT:
        headers.add(name, written)
    else:
        headers.add_parsed(name, _header_address(who))


def _header_address(sender: Sender) -> HeaderAddress:
    return HeaderAddress(display_name=sender.name, addr_spec=sender.address)
