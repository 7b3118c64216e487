"""A mail relay on loopback: aiosmtpd, which does as it is told and keeps what it was given."""
# ruff: noqa: ARG002, N802  aiosmtpd names its hooks so, and calls them with all of these

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.foundation.clock import now

HANG_UP = "hang up"
"""In place of a reply: the line breaks."""


@dataclass
class Taken:
    """An e-mail as the relay has it."""

    sender: str
    recipients: list[str]
    content: bytes
    options: list[str]
    encrypted: bool
    user: str | None

    @property
    def outgoing(self) -> EmailMessage:
        """The e-mail, parsed again."""
        return message_from_bytes(self.content, policy=policy.default)


@dataclass
class Relay:
    """What the relay answers and what it has. `data` meets the content whole: a reply, `HANG_UP`,
    or None to take it.

    What breaks after the content has been kept is lost for the sender, not for the recipient.
    """

    port: int = 0
    taken: list[Taken] = field(default_factory=list)
    on_recipient: deque[str] = field(default_factory=deque)
    on_data: deque[str | None] = field(default_factory=deque)
    on_sender: deque[str] = field(default_factory=deque)
    sessions: int = 0
    at_once: int = 0
    most_at_once: int = 0
    wants_log_in: bool = False
    ca_file: Path | None = None

    # Hooks of aiosmtpd

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.on_sender:
            return self.on_sender.popleft()
        if self.wants_log_in and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.on_recipient:
            return self.on_recipient.popleft()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        reply = self.on_data.popleft() if self.on_data else None
        if reply is None or reply == HANG_UP:
            assert isinstance(envelope.content, bytes)
            self.taken.append(
                Taken(
                    envelope.mail_from or "",
                    list(envelope.rcpt_tos),
                    envelope.content,
                    list(envelope.mail_options),
                    session.ssl is not None,
                    relay_user(session),
                )
            )
        if reply == HANG_UP:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return reply or "250 2.0.0 Queued"

    def log_in(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        """One user, one password."""
        sound = isinstance(data, LoginPassword) and (data.login, data.password) == (
            b"svc",
            b"the relay's password",
        )
        return AuthResult(success=sound, handled=False, auth_data=data)  # it answers itself


def relay_user(session: Session) -> str | None:
    """Who logged in."""
    auth: Any = session.auth_data  # declared as nothing, and holds what `log_in` was given
    return auth.login.decode() if isinstance(auth, LoginPassword) else None


@asynccontextmanager
async def a_relay(
    folder: Path | None = None, *, tls: bool = False, starttls: bool = True
) -> AsyncIterator[Relay]:
    """A relay. With a folder it has a certificate there, and speaks TLS from the first byte or
    after STARTTLS.
    """
    relay = Relay()
    context = None
    if folder is not None:
        context, relay.ca_file = _certified(folder)

    def session() -> SMTP:
        relay.sessions += 1
        return SMTP(
            relay,
            enable_SMTPUTF8=False,
            hostname="relay.test",
            data_size_limit=64 * 1024 * 1024,
            tls_context=None if tls or not starttls else context,
            require_starttls=False,
            authenticator=relay.log_in,
            auth_require_tls=True,
            loop=asyncio.get_running_loop(),
        )

    factory: Callable[[], SMTP] = session
    server = await asyncio.get_running_loop().create_server(
        factory, "127.0.0.1", 0, ssl=context if tls else None
    )
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()


def _certified(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A certificate of localhost that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now() - timedelta(days=1))
        .not_valid_after(now() + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    shown, secret = folder / "relay.pem", folder / "relay.key"
    shown.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, secret)
    return context, shown
