"""Reports of mail servers, as they are found in the wild, and what becomes of the e-mails they
speak of.
"""

import pytest

from core.foundation.clock import now
from core.foundation.errors import BadRequest
from core.providers.email import Feedback
from core.providers.smtp import read_feedback, read_report

ID = "msg_v0486I4sb9qvmbeLF0zLs"
AT = now()


def a_dsn(
    action: str, status: str, diagnostic: str = "", *, envelope: bool = True, headers: bool = True
) -> bytes:
    """A delivery status notification (RFC 3464)."""
    return f"""From: MAILER-DAEMON@relay.test
To: bounces@example.com
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain

I'm sorry. ana@example.org did not take it.

--B
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.test
{f"Original-Envelope-Id: {ID}" if envelope else "X-Postfix-Queue-ID: 4F2"}

Final-Recipient: rfc822; ana@example.org
Action: {action}
Status: {status}
{f"Diagnostic-Code: smtp; {diagnostic}" if diagnostic else "Remote-MTA: dns; mx.example.org"}

--B
Content-Type: {"text/rfc822-headers" if headers else "text/plain"}

From: loja@example.com
Message-ID: <{ID if headers else "other"}@svc.test>
Subject: Pedido

--B--
""".replace("\n", "\r\n").encode()


def an_arf(kind: str) -> bytes:
    """A complaint (RFC 5965)."""
    return f"""From: <abuse@isp.test>
To: <feedback@example.com>
Subject: FW: Ofertas
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="B"

--B
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.
--B
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <ana@example.org>

--B
Content-Type: message/rfc822
Content-Disposition: inline

From: <loja@example.com>
To: <ana@example.org>
Subject: Ofertas
Message-ID: <{ID}@svc.test>

Compre!
--B--
""".replace("\n", "\r\n").encode()


def told(raw: bytes) -> list[tuple[str | None, str | None]]:
    found = read_report(raw, at=AT)
    assert {one.message_id for one in found} <= {ID}
    return [(one.status, one.reason) for one in found]


@pytest.mark.parametrize(
    ("action", "status", "diagnostic", "expected"),
    [
        ("failed", "5.1.1", "550 5.1.1 User unknown", ("bounced", "invalid_address")),
        ("failed", "5.0.0", "550 5.1.1 User unknown", ("bounced", "invalid_address")),
        ("failed (relayed)", "5.2.2", "", ("bounced", "mailbox_full")),
        ("failed", "5.7.1", "", ("bounced", "content_rejected")),
        ("failed", "4.4.7", "", ("bounced", "provider_error")),
        ("failed", "4.1.1", "", ("bounced", "provider_error")),
        ("failed", "garbage", "", ("bounced", "provider_error")),
        ("Delivered", "2.0.0", "", ("delivered", None)),
        ("relayed", "2.0.0", "", ("delivered", None)),
        ("delayed", "4.2.2", "", (None, None)),
    ],
)
def test_a_delivery_report_is_read(
    action: str, status: str, diagnostic: str, expected: tuple[str, str]
) -> None:
    assert told(a_dsn(action, status, diagnostic)) == [expected]
    assert told(a_dsn(action, status, diagnostic, envelope=False)) == [expected]
    assert told(a_dsn(action, status, diagnostic, headers=False)) == [expected]


def test_a_report_about_somebody_elses_letter_tells_nothing() -> None:
    assert told(a_dsn("failed", "5.1.1", envelope=False, headers=False)) == []


@pytest.mark.parametrize("kind", ["abuse", "Fraud", "virus", "other"])
def test_a_complaint_is_read(kind: str) -> None:
    assert told(an_arf(kind)) == [("complained", "complaint")]


@pytest.mark.parametrize("kind", ["not-spam", "opt-out", ""])
def test_a_report_that_is_no_complaint_moves_nothing(kind: str) -> None:
    assert told(an_arf(kind)) == [(None, None)]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe",
        b"Subject: Out of office\r\n\r\nI am away, msg_v0486I4sb9qvmbeLF0zLs.",
        a_dsn("failed", "5.1.1")[:400],
        b'Content-Type: multipart/report; boundary="B"\r\n\r\n--B\r\nContent-Type: message/delivery-status\r\n\r\n',
        a_dsn("failed", "5.1.1").replace(b"Action", b"Faction"),
        an_arf("abuse").replace(b"message/feedback-report", b"text/plain"),
        b"Content-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!",
    ],
)
def test_what_is_no_report_tells_nothing_and_hurts_nobody(raw: bytes) -> None:
    assert told(raw) == []


def nested(depth: int) -> bytes:
    """A report of parts within parts."""
    return b"".join(
        b"Content-Type: multipart/report; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(depth)
    )


@pytest.mark.parametrize(
    "raw",
    [
        nested(20_000),
        b"Content-Type: message/rfc822\r\n\r\n" * 50_000,
        b"Content-Type: multipart/report; " + b"a=b;" * 400_000 + b"\r\n\r\n",
    ],
    ids=["parts within parts", "letters within letters", "parameters without end"],
)
def test_a_report_that_cannot_be_read_in_time_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRequest, match="send it as JSON"):
        told(raw)


def test_the_same_can_be_told_in_json() -> None:
    one = b'{"id": "msg_v0486I4sb9qvmbeLF0zLs", "status": "bounced", "reason": "invalid_address", "x": 1}'
    expected = Feedback(ID, "bounced", "invalid_address", AT, "json")
    assert read_feedback(one, "application/json; charset=utf-8", at=AT) == [expected]
    assert read_feedback(b'{"items": [' + one + b"]}", "application/json", at=AT) == [expected]
    early = read_feedback(
        b'{"id": "msg_v0486I4sb9qvmbeLF0zLs", "status": "complained", "at": "2999-01-01"}',
        "application/json",
        at=AT,
    )
    assert early == [Feedback(ID, "complained", "complaint", AT, "json")]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"items": []}',
        b'{"id": "x", "status": "bounced"}',
        b'{"items": [{"id": 1}]}',
    ],
)
def test_json_that_is_none_of_ours_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRequest):
        read_feedback(raw, "application/json", at=AT)
