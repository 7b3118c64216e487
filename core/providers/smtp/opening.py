"""The relay of a process, made of its settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import urlsplit

from core.foundation.settings import Settings
from core.providers.smtp.relay import RelaySession, RelaySettings, Smtp, dial

PORTS = {"smtp": 587, "smtps": 465}


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Smtp | None]:
    """The relay, or None where none is configured. It is dialled with the first e-mail."""
    if settings.smtp_url is None:
        yield None
        return
    relay = Smtp(relay_settings_of(settings), connections=settings.smtp_connections)
    try:
        yield relay
    finally:
        await relay.close()


def relay_settings_of(settings: Settings) -> RelaySettings:
    """Where the relay is."""
    assert settings.smtp_url is not None
    address = urlsplit(settings.smtp_url)
    tls = address.scheme == "smtps"
    return RelaySettings(
        host=address.hostname or "",
        port=address.port or PORTS[address.scheme],
        tls=tls,
        starttls=not tls and settings.smtp_starttls == "on",
        user=settings.smtp_user,
        password=settings.smtp_password,
        ca_file=str(settings.smtp_ca_file) if settings.smtp_ca_file else None,
        own_name=urlsplit(settings.base_url).hostname or "localhost",
        seconds=settings.smtp_timeout_seconds,
    )


async def greet(settings: Settings, *, seconds: float) -> None:
    """Whether the relay takes us in: connect, encrypt and log in as e-mails do; `seconds` for each answer of the relay.

    Raises `aiosmtplib.SMTPException` or OSError, whose texts may repeat what was sent.
    """
    line = relay_settings_of(settings)
    await RelaySession(await dial(replace(line, seconds=min(seconds, line.seconds)))).end()
