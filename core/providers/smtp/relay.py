"""The provider `smtp`: letters go to one relay, over a few connections that are kept and used
again.

What SMTP can promise, and what it cannot: the relay answers for a letter from its 250 after the
last byte on. When the line breaks between that byte and the answer, nobody can ask what became of
the letter (SMTP has no look-up), so such a letter is not transmitted again: its outcome is unknown.
DKIM signatures are the relay's work.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiosmtplib
import structlog
from aiosmtplib import SMTPException, SMTPResponseException

from core.providers.mail import (
    Begin,
    HandedOver,
    Letter,
    LetterDeferred,
    LetterLeft,
    LetterTaken,
    LetterUnknown,
)
from core.providers.smtp.meanings import Stage, meaning_of_reply

PROVIDER = "smtp"
IDLE_SECONDS = 20.0
"""How long a connection is kept without a letter; relays close theirs after a minute or more."""
LETTERS_OF_A_CONNECTION = 100
"""Relays count letters per connection; a new one now and then also spreads them over the relay's
machines.
"""
RESPITE_SECONDS = 5.0
"""After a relay could not be reached, how long letters are put off without trying."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Line:
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


class Connection:
    """A session with the relay and what it has done."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        self.client = client
        self.letters = 0
        self.idle_since = 0.0

    @property
    def usable(self) -> bool:
        return (
            self.client.is_connected
            and self.letters < LETTERS_OF_A_CONNECTION
            and _clock() - self.idle_since < IDLE_SECONDS
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
    """One relay, with as many connections as letters are handed over side by side."""

    name = PROVIDER

    def __init__(self, line: Line, *, connections: int) -> None:
        self.lines = connections
        self._line = line
        self._idle: list[Connection] = []
        self._away_until = 0.0

    async def hand_over(self, letter: Letter, begin: Begin) -> HandedOver:
        """Transmit one letter, once; see `MailProvider`."""
        if _clock() < self._away_until:
            return LetterDeferred("provider_error")
        try:
            async with self._connected() as connection:
                return await _transmit(connection, letter, begin)
        except (SMTPException, OSError, ValueError) as error:
            # Without a session, or before the letter itself: nothing of it has left.
            _log.warning(
                "smtp_unreachable", error=type(error).__name__, code=getattr(error, "code", None)
            )
            return LetterDeferred("provider_error")

    async def close(self) -> None:
        """End all sessions that rest."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(connection.end() for connection in idle))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Connection]:
        """A session of its own, kept afterwards where it can be used again."""
        connection = await self._next()
        try:
            yield connection
            connection.letters += 1
        except BaseException:
            connection.client.close()
            raise
        connection.idle_since = _clock()
        if connection.client.is_connected:
            self._idle.append(connection)

    async def _next(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.usable and await _still_there(connection):
                return connection
            await connection.end()
        try:
            return Connection(await dial(self._line))
        except (SMTPException, OSError):
            self._away_until = _clock() + RESPITE_SECONDS
            raise


async def dial(line: Line) -> aiosmtplib.SMTP:
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
        ):  # what the relay can do is to be known before the first letter
            await client.ehlo()
    except BaseException:
        client.close()
        raise
    return client


async def _still_there(connection: Connection) -> bool:
    """Whether a session that rested is alive; RSET also forgets what a letter before has left."""
    try:
        await connection.client.rset()
    except (SMTPException, OSError):
        return False
    return True


async def _transmit(connection: Connection, letter: Letter, begin: Begin) -> HandedOver:
    """MAIL, RCPT, DATA. Raises only while nothing of the letter has left."""
    client = connection.client
    stage: Stage = "sender"
    try:
        await client.mail(letter.sender, options=_options(client, letter))
        stage = "recipient"
        await client.rcpt(letter.recipient)
    except SMTPResponseException as reply:
        return _meaning(reply, stage, letter)
    if not await begin():
        return LetterLeft()
    try:
        await client.data(letter.content)
    except SMTPResponseException as reply:
        return _meaning(reply, "content", letter)
    except (SMTPException, OSError) as error:
        client.close()
        _log.warning("smtp_outcome_unknown", message_id=letter.id, error=type(error).__name__)
        return LetterUnknown()
    return LetterTaken()


def _options(client: aiosmtplib.SMTP, letter: Letter) -> list[str]:
    """The size, so that a letter that is too large is refused before it travels; our id for reports
    (RFC 3461).
    """
    options = []
    if client.supports_extension("size"):
        options.append(f"SIZE={len(letter.content)}")
    if client.supports_extension("dsn"):
        options += ["RET=HDRS", f"ENVID={letter.id}"]
    return options


def _meaning(reply: SMTPResponseException, stage: Stage, letter: Letter) -> HandedOver:
    meaning = meaning_of_reply(reply.code, reply.message, stage)
    # Never the text of the reply: relays repeat addresses in it.
    _log.info(
        "smtp_refused", message_id=letter.id, stage=stage, code=reply.code, reason=meaning.reason
    )
    return meaning


def _clock() -> float:
    return asyncio.get_running_loop().time()
