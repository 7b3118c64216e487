"""Whether the relay takes us in: a session is begun and ended, and no e-mail is written."""

from dataclasses import replace

from core.foundation.settings import Settings
from core.providers.smtp.opening import line_of
from core.providers.smtp.relay import Connection, dial


async def greet(settings: Settings, *, seconds: float) -> None:
    """Connect, encrypt and log in as e-mails do; `seconds` for each answer of the relay.

    Raises `aiosmtplib.SMTPException` or OSError, whose texts may repeat what was sent.
    """
    line = line_of(settings)
    await Connection(await dial(replace(line, seconds=min(seconds, line.seconds)))).end()
