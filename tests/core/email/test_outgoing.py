"""The e-mail itself: what a mail program reads in it, whatever was written into it."""

import base64
import random
import re
from email import message_from_bytes, policy
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import pytest

from core import email
from core.email.addresses import Sender, read_sender
from core.email.inputs import EmailAttachment
from core.email.outgoing import compose, mime, read_token, unseal
from core.email.outgoing.links import Links
from core.email.outgoing.mime import MimeParts
from core.email.outgoing.tokens import address_for
from core.foundation.clock import now
from core.foundation.ids import new_id
from tests.factories.emails import a_new_email

IDENTITY = bytes(range(32))
BASE = "https://svc.example.com"


async def raw_letter(id: str, **changes: Any) -> bytes:
    new = a_new_email(**changes)
    outgoing = await compose(new, read_sender(new.from_ or ""), id=id, identity=IDENTITY, at=now())
    return unseal(id, outgoing.sealed)


async def the_letter(**changes: Any) -> EmailMessage:
    raw = await raw_letter(new_id("msg"), **changes)
    assert raw.isascii()
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    return message_from_bytes(raw, policy=policy.default)


TEXTS = (
    "Olá, João! Ação é já. 🎉",
    ".\r\n..\n.\r\nfrom the first\r\nFrom the second",
    "x" * 5000,
    "ж" * 3000,
    "=3D =\n=20\ttab \n trailing \n",
)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
async def test_the_bodies_are_read_as_they_were_written(database: None, text: str) -> None:
    outgoing = await the_letter(text=text, html=f"<p>{text}</p>")
    assert outgoing.get_content_type() == "multipart/alternative"
    shown = [part.get_content() for part in outgoing.iter_parts()]
    lines = ["\n".join(one.splitlines()) for one in shown]
    assert lines == ["\n".join(text.splitlines()), "\n".join(f"<p>{text}</p>".splitlines())]


@pytest.mark.parametrize(
    "subject",
    [
        "Oi",
        "Promoção de verão só até amanhã às 18h: não perca a condição",
        "🎉" * 60,
        "a" * 998,
        "é" * 998,
        "=?utf-8?q?not_encoded?=",
        'Com "aspas", vírgulas; e (parênteses) <tags>',
        " ".join(["palavra"] * 100),
    ],
)
async def test_the_subject_is_read_as_it_was_written(database: None, subject: str) -> None:
    outgoing = await the_letter(subject=subject)
    assert str(outgoing["Subject"]) == ("not encoded" if subject.startswith("=?") else subject)


async def test_names_stand_before_addresses(database: None) -> None:
    outgoing = await the_letter(
        **{"from": "Padaria São João, Ltda. <loja@example.com>"}, replyTo="Ana <ana@x.test>"
    )
    (sender,) = outgoing["From"].addresses
    assert (sender.display_name, sender.addr_spec) == (
        "Padaria São João, Ltda.",
        "loja@example.com",
    )
    assert outgoing["Reply-To"] == "Ana <ana@x.test>"


@pytest.mark.parametrize(
    "text", ["=?utf-8?q?oi?= é", "\U0001f642=?utf-8?b?(" + "x" * 80 + "?=.." + "x" * 90, "é =? b"]
)
async def test_what_looks_like_an_encoded_word_is_read_as_it_was_written(
    database: None, text: str
) -> None:
    outgoing = await the_letter(subject=text, headers=[{"key": "X-Nota", "value": f"é {text}"}])

    assert (outgoing["Subject"], outgoing["X-Nota"]) == (text, f"é {text}")
    with pytest.raises(ValueError, match="e-mail address"):
        a_new_email(**{"from": f"{text} <loja@example.com>"})


async def test_files_travel_whole_under_their_names(database: None) -> None:
    content = bytes(range(256)) * 400
    files = [
        {
            "nome": "Relatório nº 1.pdf",
            "tipo": "application/pdf",
            "conteudo": base64.b64encode(content).decode(),
        },
        {
            "nome": "a.txt",
            "tipo": "text/plain",
            "conteudo": base64.b64encode("olá".encode()).decode(),
        },
        *(
            {"nome": "x.eml", "tipo": type, "conteudo": base64.b64encode(b"To: a").decode()}
            for type in ("message/delivery-status", "Message/RFC822", "multipart/mixed")
        ),
    ]
    outgoing = await the_letter(anexos=files, html="<p>x</p>")
    assert outgoing.get_content_type() == "multipart/mixed"
    found = [
        (part.get_filename(), part.get_content_type(), part.get_payload(decode=True))
        for part in outgoing.iter_attachments()
    ]
    assert found == [
        ("Relatório nº 1.pdf", "application/pdf", content),
        ("a.txt", "text/plain", "olá".encode()),
        *[("x.eml", "application/octet-stream", b"To: a")] * 3,
    ]
    body = outgoing.get_body(("plain",))
    assert body is not None


async def test_headers_of_the_caller_are_kept_as_they_are(database: None) -> None:
    long = " ".join(f"<{n}.{'x' * 90}@mail.example.com>" for n in range(8))
    given = [
        {"key": "References", "value": long},
        {"key": "X-Pedido", "value": "A-1042"},
        {"key": "X-Cidade", "value": "São Paulo"},
    ]
    id = new_id("msg")
    raw = await raw_letter(id, headers=given)
    assert f"References: {long}\r\n".encode() in raw
    outgoing = message_from_bytes(raw, policy=policy.default)
    assert (outgoing["X-Pedido"], outgoing["X-Cidade"]) == ("A-1042", "São Paulo")
    assert outgoing["Message-ID"] == f"<{id}@svc.test>"
    assert outgoing["Date"].datetime is not None


async def test_only_marketing_can_be_unsubscribed_from(database: None) -> None:
    assert (await the_letter())["List-Unsubscribe"] is None
    outgoing = await the_letter(categoria="marketing")
    address = outgoing["List-Unsubscribe"]
    assert address.startswith("<http://svc.test/u/")
    assert outgoing["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    ticket = read_token("u", address.strip("<>").rpartition("/")[2])
    assert ticket is not None
    assert ticket.identity == IDENTITY


async def test_a_token_is_good_for_one_purpose_only(database: None) -> None:
    token = address_for("o", new_id("msg"), IDENTITY, "").rpartition("/")[2]
    assert read_token("o", token) is not None
    assert read_token("u", token) is None
    assert read_token("o", token[:-1]) is None


async def test_the_pixel_stands_at_the_end_of_the_html_alone(database: None) -> None:
    tracked = await the_letter(html="<html><body><p>x</p></body></html>", trackOpens=True)
    html = tracked.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert html.rstrip().endswith('style="display:none"></body></html>')
    assert "<img" not in (await the_letter(html="<p>x</p>")).as_string()
    assert "<img" not in (await the_letter(text="x", trackOpens=True)).as_string()


@pytest.mark.parametrize(
    ("markup", "urls"),
    [
        ('<a href="https://x.test/a?b=1&amp;c=2">a</a>', ["https://x.test/a?b=1&c=2"]),
        ("<A class=b HREF='http://x.test'>a</A>", ["http://x.test"]),
        ("<a\nhref=https://x.test/y>a</a>", ["https://x.test/y"]),
        ('<area href="https://x.test/m">', ["https://x.test/m"]),
        ('<a href="https://x.test"><a href="https://x.test">', ["https://x.test"]),
        ('<a data-href="https://x.test">a</a>', []),
        ('<a href="mailto:ana@x.test">a</a><a href="#top">b</a><a href="tel:+55">c</a>', []),
        (
            '<img src="https://x.test/i.png"><link href="https://x.test/s.css"><p>https://x.test</p>',
            [],
        ),
        ('<a href="https://x.test', []),
    ],
)
def test_what_can_be_clicked_is_tracked(markup: str, urls: list[str]) -> None:
    links = Links("http://svc.test")
    tracked = links.in_html(markup)
    assert [link.url for link in links.planned] == urls
    assert tracked.count("http://svc.test/l/") == (
        2 if markup.count('<a href="https://x.test">') == 2 else len(urls)
    )
    if not urls:
        assert tracked == markup


def test_hostile_html_takes_no_longer_than_its_length() -> None:
    for markup in (
        "<a " * 300_000,
        "<a href=" * 100_000,
        '<a href="' + "x" * 900_000,
        "<a " + "href=\t" * 150_000,
    ):
        assert Links("http://svc.test").in_html(markup) == markup


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ana@example.org", "ana@example.org"),
        ("Ana.Maria+x@EXAMPLE.org", "Ana.Maria+x@example.org"),
        ("ana@café.com.br", "ana@xn--caf-dma.com.br"),
        ("Ana <ana@example.org>", None),
        ("a,b@example.org", None),
        ("ana@localhost", None),
        ("ana@127.0.0.1", None),
        (".ana@example.org", None),
        ("ana@exa mple.org", None),
        ("aná@example.org", None),
        ("x" * 65 + "@example.org", None),
        ("ana@example.org\n", None),
        ("ana@-x.org", None),
        ("=?utf-8?q?ana?=@example.org", None),
    ],
)
def test_an_address_is_one_that_an_envelope_takes(text: str, address: str | None) -> None:
    try:
        read: str | None = a_new_email(to=text).to
    except ValueError:
        read = None
    assert read == address or (address is None and text.strip() != text and read == text.strip())


def test_a_letter_without_a_sender_or_a_body_is_none() -> None:
    with pytest.raises(ValueError, match="html, text or both"):
        email.NewEmail.model_validate({"to": "ana@example.org", "subject": "Oi"})


# Against the standard library ---------------------------------------------------------------------

PIECES = (
    "a", "B7", " ", "  ", "é", "ção", "=", ".", "!", '"', "<", "@", ",", ";", ":", "\\", "(", "x" * 40, "\U0001f642",
)  # fmt: skip
IN_BODIES = (
    *PIECES,
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "From ",
    "\n.\n",
    "\x0b",
    "\u2028",
    " \n",
    "=3D",
)
ADDRESSES = (
    "a@example.com",
    "a.b+c@ex-ample.com.br",
    "o'neil@example.com",
    f"{'x' * 60}@example.com",
)
NAMES = ("", "Loja", "Loja do Zé", "A B", "x, y", 'Q "q"', "A" * 80)


def as_standard_library(parts: MimeParts) -> str:
    """The same e-mail by `email.message` alone, which reads each header that it writes."""
    outgoing = EmailMessage(policy=mime.POLICY)
    outgoing["From"] = HeaderAddress(parts.sender.name, addr_spec=parts.sender.address)
    outgoing["To"] = HeaderAddress(addr_spec=parts.recipient)
    outgoing["Subject"] = parts.subject
    outgoing.set_raw("Date", format_datetime(parts.at))
    outgoing.set_raw("Message-ID", mime.message_id_of(parts.id, BASE))
    if parts.text is not None:
        outgoing.set_content(parts.text, charset="utf-8", cte="quoted-printable")
    if parts.html is not None:
        write = outgoing.set_content if parts.text is None else outgoing.add_alternative
        write(parts.html, subtype="html", charset="utf-8", cte="quoted-printable")
    for file in parts.attachments:
        outgoing.add_attachment(
            base64.b64decode(file.content),
            maintype="text",
            subtype="csv",
            filename=file.name,
            cte="base64",
        )
    return outgoing.as_bytes().decode("ascii")


def without_boundaries(written: str) -> str:
    """Boundaries are drawn; a part of an alternative repeats the version in the standard library."""
    for place, boundary in enumerate(re.findall(r'boundary="([^"]+)"', written)):
        written = written.replace(boundary, f"boundary {place}")
    return written.replace("printable\r\nMIME-Version: 1.0\r\n\r\n", "printable\r\n\r\n")


def test_an_email_is_written_as_the_standard_library_writes_it() -> None:
    drawn = random.Random(4)

    def some(pieces: tuple[str, ...]) -> str:
        return "".join(drawn.choices(pieces, k=drawn.randint(1, 9)))

    told = {"nome": "a.csv", "tipo": "text/csv", "conteudo": base64.b64encode(b"a;b").decode()}
    file = EmailAttachment.model_validate(told)
    for _ in range(300):
        which = drawn.random()
        parts = MimeParts(
            id="msg_1",
            sender=Sender(drawn.choice(NAMES), drawn.choice(ADDRESSES)),
            recipient=drawn.choice(ADDRESSES),
            subject=some(PIECES).strip() or "x",
            html=some(IN_BODIES) if which < 0.6 else None,
            text=some(IN_BODIES) if which > 0.3 else None,
            reply_to=None,
            headers=[],
            attachments=[file] if drawn.random() < 0.2 else [],
            unsubscribe=None,
            at=now(),
        )
        written = mime.to_mime(parts, base_url=BASE)
        assert without_boundaries(written) == without_boundaries(as_standard_library(parts))
