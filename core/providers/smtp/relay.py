"""The SMTP relay: e-mails go over a few connections that are kept and reused.

What SMTP can promise, and what it cannot: the relay answers for an e-mail from its 250 after the
last byte on. When the line breaks between that byte and the answer, nobody can ask what became of
the e-mail (SMTP has no look-up), so such an e-mail is not transmitted again: its outcome is
unknown. DKIM signatures are the relay's work.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiosmtplib
import structlog
from aiosmtplib import SMTPException, SMTPResponseException

from core.providers.email import (
    Begin,
    EmailAccepted,
    EmailClaimedElsewhere,
    EmailDeferred,
    EmailOutcomeUnknown,
    HandedOver,
    OutgoingEmail,
)
from core.providers.smtp.meanings import Stage, meaning_of_reply

PROVIDER = "smtp"
IDLE_TIMEOUT_SECONDS = 20.0
"""How long a connection is kept without an e-mail; relays close theirs after a minute or more."""
MAX_EMAILS_PER_CONNECTION = 100
"""Relays count e-mails per connection; a new one now and then also spreads them over the relay's
machines.
"""
UNREACHABLE_PAUSE_SECONDS = 5.0
"""After a relay could not be reached, how long e-mails are put off without trying."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RelaySettings:
    """Where the relay is and how it is spoken to. `tls`: from the first byte; `starttls`: must be
    offered.
    """

    host: str
    port: int
    tls: bool
    starttls: bool
    user: str | None
    password: str | None
    ca_file: str | None
    own_name: str
    seconds: float


class RelaySession:
    """A session with the relay and what it has done."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        self.client = client
        self.emails = 0
        self.idle_since = 0.0

    @property
    def usable(self) -> bool:
        return (
            self.client.is_connected
            and self.emails < MAX_EMAILS_PER_CONNECTION
            and _clock() - self.idle_since < IDLE_TIMEOUT_SECONDS
        )

    async def end(self) -> None:
        """Say goodbye, and hang up however that is taken."""
        try:
            await self.client.quit(timeout=1.0)
        except (SMTPException, OSError):
            pass
        finally:
            self.client.close()


class Smtp:
    """One relay, with as many connections as e-mails are handed over side by side."""

    name = PROVIDER

    def __init__(self, line: RelaySettings, *, connections: int) -> None:
        self.lines = connections
        self._line = line
        self._idle: list[RelaySession] = []
        self._away_until = 0.0

    async def hand_over(self, outgoing: OutgoingEmail, begin: Begin) -> HandedOver:
        """Transmit one e-mail, once; see `MailProvider`."""
        if _clock() < self._away_until:
            return EmailDeferred("provider_error")
        try:
            async with self._connected() as connection:
                return await _transmit(connection, outgoing, begin)
        except (SMTPException, OSError, ValueError) as error:
            # Without a session, or before the e-mail itself: nothing of it has left.
            _log.warning(
                "smtp_unreachable", error=type(error).__name__, code=getattr(error, "code", None)
            )
            return EmailDeferred("provider_error")

    async def close(self) -> None:
        """End all sessions that rest."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(connection.end() for connection in idle))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[RelaySession]:
        """A session of its own, kept afterwards where it can be used again."""
        connection = await self._next()
        try:
            yield connection
            connection.emails += 1
        except BaseException:
            connection.client.close()
            raise
        connection.idle_since = _clock()
        if connection.client.is_connected:
            self._idle.append(connection)

    async def _next(self) -> RelaySession:
        while self._idle:
            connection = self._idle.pop()
            if connection.usable and await _still_there(connection):
                return connection
            await connection.end()
        try:
            return RelaySession(await dial(self._line))
        except (SMTPException, OSError):
            self._away_until = _clock() + UNREACHABLE_PAUSE_SECONDS
            raise


async def dial(line: RelaySettings) -> aiosmtplib.SMTP:
    """A new session: connected, encrypted, logged in."""
    client = aiosmtplib.SMTP(
        hostname=line.host,
        port=line.port,
        timeout=line.seconds,
        use_tls=line.tls,
        start_tls=line.starttls,
        username=line.user,
        password=line.password,
        local_hostname=line.own_name,
        tls_context=ssl.create_default_context(cafile=line.ca_file)
        if line.tls or line.starttls
        else None,
    )
    try:
        await client.connect()
        if (
            client.is_ehlo_or_helo_needed
        ):  # what the relay can do is to be known before the first e-mail
            await client.ehlo()
    except BaseException:
        client.close()
        raise
    return client


async def _still_there(connection: RelaySession) -> bool:
    """Whether a session that rested is alive; RSET also forgets what an e-mail before has left."""
    try:
        await connection.client.rset()
    except (SMTPException, OSError):
        return False
    return True


async def _transmit(connection: RelaySession, outgoing: OutgoingEmail, begin: Begin) -> HandedOver:
    """MAIL, RCPT, DATA. Raises only while nothing of the e-mail has left."""
    client = connection.client
    stage: Stage = "sender"
    try:
        await client.mail(outgoing.sender, options=_options(client, outgoing))
        stage = "recipient"
        await client.rcpt(outgoing.recipient)
    except SMTPResponseException as reply:
        return _meaning(reply, stage, outgoing)
    if not await begin():
        return EmailClaimedElsewhere()
    try:
        await client.data(outgoing.content)
    except SMTPResponseException as reply:
        return _meaning(reply, "content", outgoing)
    except (SMTPException, OSError) as error:
        client.close()
        _log.warning("smtp_outcome_unknown", message_id=outgoing.id, error=type(error).__name__)
        return EmailOutcomeUnknown()
    return EmailAccepted()


def _options(client: aiosmtplib.SMTP, outgoing: OutgoingEmail) -> list[str]:
    """The size, so that an e-mail that is too large is refused before it travels; our id for
    reports (RFC 3461).
    """
    options = []
    if client.supports_extension("size"):
        options.append(f"SIZE={len(outgoing.content)}")
    if client.supports_extension("dsn"):
        options += ["RET=HDRS", f"ENVID={outgoing.id}"]
    return options


def _meaning(reply: SMTPResponseException, stage: Stage, outgoing: OutgoingEmail) -> HandedOver:
    meaning = meaning_of_reply(reply.code, reply.message, stage)
    # Never the text of the reply: relays repeat addresses in it.
    _log.info(
        "smtp_refused", message_id=outgoing.id, stage=stage, code=reply.code, reason=meaning.reason
    )
    return meaning


def _clock() -> float:
    return asyncio.get_running_loop().time()
