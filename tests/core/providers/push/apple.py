"""A server that speaks HTTP/2 alone, over TLS, as Apple's does."""

import asyncio
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import orjson
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


@dataclass
class Request:
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Apple:
    """`answers` are given one after the other; the last of them from then on."""

    url: str = ""
    connections: int = 0
    requests: list[Request] = field(default_factory=list)
    answers: list[tuple[int, str | None, dict[str, str]]] = field(
        default_factory=lambda: [(200, None, {})]
    )

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        )
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        open_: dict[int, Request] = {}
        while data := await reader.read(65_535):
            for event in connection.receive_data(data):
                match event:
                    case h2.events.RequestReceived():
                        open_[event.stream_id] = Request(dict(event.headers))  # type: ignore[arg-type]
                    case h2.events.DataReceived():
                        open_[event.stream_id].body += event.data
                        connection.acknowledge_received_data(
                            event.flow_controlled_length, event.stream_id
                        )
                    case h2.events.StreamEnded():
                        self._answer(connection, event.stream_id, open_.pop(event.stream_id))
            writer.write(connection.data_to_send())
            await writer.drain()
        writer.close()

    def _answer(
        self, connection: h2.connection.H2Connection, stream: int, request: Request
    ) -> None:
        self.requests.append(request)
        status, reason, headers = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        body = b"" if reason is None else orjson.dumps({"reason": reason})
        connection.send_headers(
            stream, [(":status", str(status)), *headers.items()], end_stream=not body
        )
        if body:
            connection.send_data(stream, body, end_stream=True)


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS for the server on 127.0.0.1, and for a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    public, private = folder / "cert.pem", folder / "key.pem"
    public.write_bytes(signed.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(public, private)
    server.set_alpn_protocols(["h2"])
    client = ssl.create_default_context(cafile=str(public))
    return server, client
