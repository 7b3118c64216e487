"""Whom the client believes: the name that was asked for, on a certificate that somebody trusted
signed.
"""

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from core.foundation.http_client import PostResult, open_client, post
from tests.core.foundation.http_client.peers import LOCAL_HTTP, Names, Peer, a_peer, answer

NAME = "hooks.example.com"


@pytest.fixture
def server_tls(tmp_path: Path) -> ssl.SSLContext:
    """A server that signed its own certificate for `NAME`, kept in tmp_path/cert.pem."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, SHA256())
    )
    (tmp_path / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    return context


async def reply_from(peer: Peer, host: str, trusted: Path | None = None) -> PostResult:
    tls = ssl.create_default_context(cafile=str(trusted)) if trusted else None
    async with open_client(LOCAL_HTTP, resolver=Names(["127.0.0.1"]), tls=tls) as client:
        return await post(
            client, peer.url(host=host, scheme="https"), body=b"{}", headers={}, timeout=1
        )


@pytest.mark.parametrize("written", [NAME, f"{NAME}.", NAME.upper()])
async def test_the_name_goes_into_the_handshake_and_the_host_header(
    server_tls: ssl.SSLContext, tmp_path: Path, written: str
) -> None:
    asked: list[str | None] = []
    server_tls.sni_callback = lambda _, name, __: asked.append(name)
    async with a_peer(answer(b"ok"), tls=server_tls) as peer:
        reply = await reply_from(peer, written, trusted=tmp_path / "cert.pem")
    assert (reply.status, reply.body, reply.error) == (200, "ok", None)
    assert asked == [NAME]
    assert f"Host: {NAME}:{peer.port}".encode() in peer.requests[0]


async def test_a_certificate_that_nobody_trusts_is_unreachable(server_tls: ssl.SSLContext) -> None:
    async with a_peer(answer(b"ok"), tls=server_tls) as peer:
        reply = await reply_from(peer, NAME)
    assert (reply.status, reply.error) == (None, "unreachable")
    assert peer.requests == []


@pytest.mark.parametrize("host", ["other.example.com", "127.0.0.1"])
async def test_a_certificate_for_another_name_is_unreachable(
    server_tls: ssl.SSLContext, tmp_path: Path, host: str
) -> None:
    async with a_peer(answer(b"ok"), tls=server_tls) as peer:
        reply = await reply_from(peer, host, trusted=tmp_path / "cert.pem")
    assert (reply.status, reply.error) == (None, "unreachable")
    assert peer.requests == []


async def test_a_peer_without_tls_is_unreachable() -> None:
    async def shouts(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    async with a_peer(shouts) as peer:
        assert (await reply_from(peer, NAME)).error == "unreachable"


async def test_a_handshake_that_hangs_is_a_timeout() -> None:
    async def hangs(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async with a_peer(hangs) as peer:
        assert (await reply_from(peer, NAME)).error == "timeout"


async def test_a_peer_that_hangs_after_the_handshake_does_not_keep_our_socket(
    server_tls: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.sleep(60)

    opened: list[socket.socket] = []

    class Remembered(socket.socket):
        def __init__(self, *args: Any, **of_a_server: Any) -> None:
            super().__init__(*args, **of_a_server)
            if not of_a_server:
                opened.append(self)

    async with a_peer(deaf, tls=server_tls) as peer:
        monkeypatch.setattr(socket, "socket", Remembered)
        assert (await reply_from(peer, NAME, trusted=tmp_path / "cert.pem")).error == "timeout"
        await asyncio.sleep(0.1)
        assert [one.fileno() for one in opened] == [-1]


async def test_an_endless_body_over_tls_is_dropped_at_once(
    server_tls: ssl.SSLContext, tmp_path: Path
) -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 1024)
            await writer.drain()

    async with a_peer(endless, tls=server_tls) as peer:
        reply = await reply_from(peer, NAME, trusted=tmp_path / "cert.pem")
        await asyncio.sleep(0.1)
        assert peer.closed == 1
    assert (reply.status, len(reply.body)) == (200, 4096)
