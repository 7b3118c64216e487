"""The line to the relay: encrypted, logged in, kept, and mended when it breaks."""

from pathlib import Path

import pytest

from core.foundation.settings import SettingsError, load
from core.providers.email import (
    EmailAccepted,
    EmailDeferred,
    EmailOutcomeUnknown,
    EmailRefused,
    OutgoingEmail,
)
from core.providers.smtp import RelaySettings, Smtp, meaning_of_reply, reason_of
from tests.fakes.relay import HANG_UP, Relay, a_relay

CONTENT = b"From: a@x.test\r\nTo: b@x.test\r\n\r\nOi\r\n.\r\nfim\r\n"


def an_email(n: int = 1) -> OutgoingEmail:
    return OutgoingEmail(f"msg_{n:021d}", "a@x.test", "b@x.test", CONTENT)


async def go() -> bool:
    return True


async def stay() -> bool:
    return False


def line_to(relay: Relay, **changes: object) -> RelaySettings:
    fields: dict[str, object] = {
        "host": "localhost",
        "port": relay.port,
        "tls": False,
        "starttls": False,
        "user": None,
        "password": None,
        "ca_file": str(relay.ca_file) if relay.ca_file else None,
        "own_name": "svc.test",
        "seconds": 5.0,
    }
    return RelaySettings(**{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("tls", [True, False], ids=["TLS from the first byte", "STARTTLS"])
async def test_a_letter_leaves_encrypted_and_logged_in(tmp_path: Path, tls: bool) -> None:
    async with a_relay(tmp_path, tls=tls) as relay:
        relay.wants_log_in = not tls  # aiosmtpd offers AUTH only behind its own STARTTLS
        log_in = {} if tls else {"user": "svc", "password": "the relay's password"}
        smtp = Smtp(line_to(relay, tls=tls, starttls=not tls, **log_in), connections=2)
        assert await smtp.hand_over(an_email(), go) == EmailAccepted()
        await smtp.close()
    (taken,) = relay.taken
    assert (taken.encrypted or tls, taken.user) == (True, None if tls else "svc")
    assert taken.content == CONTENT


async def test_without_the_encryption_that_is_wanted_nothing_leaves(tmp_path: Path) -> None:
    async with a_relay(tmp_path, starttls=False) as relay:
        smtp = Smtp(line_to(relay, starttls=True), connections=1)
        assert await smtp.hand_over(an_email(), go) == EmailDeferred("provider_error")
    assert relay.taken == []


async def test_a_relay_whose_certificate_is_not_known_gets_nothing(tmp_path: Path) -> None:
    async with a_relay(tmp_path) as relay:
        smtp = Smtp(line_to(relay, starttls=True, ca_file=None), connections=1)
        assert await smtp.hand_over(an_email(), go) == EmailDeferred("provider_error")
    assert relay.taken == []


async def test_a_wrong_password_puts_letters_off(tmp_path: Path) -> None:
    async with a_relay(tmp_path) as relay:
        smtp = Smtp(line_to(relay, starttls=True, user="svc", password="another"), connections=1)
        assert await smtp.hand_over(an_email(), go) == EmailDeferred("provider_error")
    assert relay.taken == []


async def test_a_connection_is_used_again_also_after_a_refusal() -> None:
    async with a_relay() as relay:
        smtp = Smtp(line_to(relay), connections=1)
        relay.on_recipient.append("550 5.1.1 Unknown")
        relay.on_data.extend(["451 Later", None])
        outcomes = [await smtp.hand_over(an_email(n), go) for n in range(4)]
        await smtp.close()
    assert outcomes == [
        EmailRefused("invalid_address"),
        EmailDeferred("content_rejected"),
        EmailAccepted(),
        EmailAccepted(),
    ]
    assert (relay.sessions, len(relay.taken)) == (1, 2)


async def test_a_line_that_broke_after_the_letter_leaves_its_outcome_unknown_and_is_dialled_anew() -> (
    None
):
    async with a_relay() as relay:
        smtp = Smtp(line_to(relay), connections=1)
        relay.on_data.append(HANG_UP)
        assert await smtp.hand_over(an_email(1), go) == EmailOutcomeUnknown()
        assert await smtp.hand_over(an_email(2), go) == EmailAccepted()
        await smtp.close()
    assert relay.sessions == 2


async def test_a_letter_that_somebody_else_has_is_left() -> None:
    async with a_relay() as relay:
        smtp = Smtp(line_to(relay), connections=1)
        assert type(await smtp.hand_over(an_email(1), stay)).__name__ == "EmailClaimedElsewhere"
        assert await smtp.hand_over(an_email(2), go) == EmailAccepted()
        await smtp.close()
    assert len(relay.taken) == 1


async def test_nobody_waits_for_a_relay_that_was_away_a_moment_ago() -> None:
    async with a_relay() as relay:
        smtp = Smtp(line_to(relay, port=1), connections=1)
        assert await smtp.hand_over(an_email(1), go) == EmailDeferred("provider_error")
        smtp._line = line_to(relay)
        assert await smtp.hand_over(an_email(2), go) == EmailDeferred("provider_error")
        smtp._away_until = 0.0
        assert await smtp.hand_over(an_email(3), go) == EmailAccepted()
        await smtp.close()


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (None, "provider_error"),
        ("5.1.1", "invalid_address"),
        ("5.1.2", "invalid_address"),
        ("5.1.10", "invalid_address"),
        ("5.1.8", "provider_error"),
        ("5.2.1", "invalid_address"),
        ("5.2.2", "mailbox_full"),
        ("5.2.3", "mailbox_full"),
        ("5.3.4", "provider_error"),
        ("5.4.4", "provider_error"),
        ("5.6.0", "content_rejected"),
        ("5.7.1", "content_rejected"),
        ("5.0.0", "provider_error"),
    ],
)
def test_every_enhanced_status_has_a_reason(status: str | None, reason: str) -> None:
    assert reason_of(status, "provider_error") == reason


def test_a_reply_that_makes_no_sense_loses_no_letter() -> None:
    for code in (0, 199, 250, 354, 421, 499, 600, -1):
        assert isinstance(meaning_of_reply(code, "", "content"), EmailDeferred)
    assert meaning_of_reply(450, "4.1.1 Greylisted", "recipient") == EmailDeferred("provider_error")


@pytest.mark.parametrize(
    "given",
    [
        {"SVC_SMTP_URL": "http://relay.test"},
        {"SVC_SMTP_URL": "smtp://user:secret@relay.test"},
        {"SVC_SMTP_URL": "smtp://"},
        {"SVC_SMTP_URL": "smtp://relay.test:99999"},
        {"SVC_SMTP_URL": "smtp://relay.test", "SVC_SMTP_USER": "svc"},
        {"SVC_SMTP_FEEDBACK_SECRET": "short"},
    ],
)
def test_a_setting_that_cannot_be_is_named_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, database: None, given: dict[str, str]
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match="SVC_SMTP_") as wrong:
        load()
    assert "secret@" not in str(wrong.value)
