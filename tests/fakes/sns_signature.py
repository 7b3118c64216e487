"""SNS notifications signed with a key and a certificate of our own."""

import base64
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from core.foundation.clock import now, wire_time
from tests.fakes.aws import TOPIC

URL = "https://sns.sa-east-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem"
SIGNED = ("Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")  # fmt: skip


@lru_cache(maxsize=1)
def a_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def a_certificate(
    name: str = "sns.amazonaws.com",
    *,
    begins: datetime | None = None,
    ends: datetime | None = None,
    key: rsa.RSAPrivateKey | None = None,
    address: str | None = None,
) -> bytes:
    """A certificate as Amazon's, but by its own hand. `address`: of the machine that shows it."""
    owner = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(owner)
        .issuer_name(owner)
        .public_key((key or a_key()).public_key())
        .serial_number(1)
        .not_valid_before(begins or now() - timedelta(days=1))
        .not_valid_after(ends or now() + timedelta(days=1))
    )
    if address is not None:
        machine = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
        builder = builder.add_extension(machine, critical=False)
    built = builder.sign(key or a_key(), hashes.SHA256())
    return built.public_bytes(serialization.Encoding.PEM)


def signed(
    message: Any, *, version: str = "2", kind: str = "Notification", **more: Any
) -> dict[str, Any]:
    """A notification with its signature; `more` replaces fields before it is signed, None leaves
    one out.
    """
    body: dict[str, Any] = {
        "Type": kind,
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": TOPIC,
        "Message": message if isinstance(message, str) else json.dumps(message),
        "Timestamp": wire_time(now()),
        "SignatureVersion": version,
        "SigningCertURL": URL,
    }
    if kind != "Notification":
        body |= {"Token": "token-1", "SubscribeURL": "http://169.254.169.254/latest/meta-data"}
    body = {name: value for name, value in (body | more).items() if value is not None}
    text = "".join(f"{name}\n{body[name]}\n" for name in SIGNED if name in body)
    algorithm: Any = hashes.SHA1() if version == "1" else hashes.SHA256()
    signature = a_key().sign(text.encode(), padding.PKCS1v15(), algorithm)
    return {**body, "Signature": base64.b64encode(signature).decode()}


@dataclass
class Certificates:
    """Stands in for the fetcher: what it was asked for, and what it gives."""

    pem: bytes = field(default_factory=a_certificate)
    asked: list[str] = field(default_factory=list)
    fails: bool = False

    async def at(self, url: str) -> bytes:
        self.asked.append(url)
        if self.fails:
            raise OSError("away")
        return self.pem
