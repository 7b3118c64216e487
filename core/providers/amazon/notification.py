"""Amazon's signature under an SNS notification that is posted to us.

Everything that can be judged without the certificate is judged before one is fetched: who is not
subscribed to learns nothing and makes us call nobody. A certificate comes from Amazon's own host
alone, whatever the notification says.
"""

import base64
import binascii
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, cast
from urllib.parse import urlsplit

import orjson
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

MAX_AGE = timedelta(hours=1)
"""How far the time of a notification may lie from ours: as long as SNS tries an address."""

Kind = Literal["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]

CertificateOf = Callable[[str], Awaitable[bytes]]
"""The PEM at an address that was found sound. Raises OSError, or what the client does."""

_PATH = re.compile(r"/SimpleNotificationService-[0-9a-f]{16,64}\.pem", re.ASCII)
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": (
        "Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type",
    ),
}  # fmt: skip
_SIGNED["UnsubscribeConfirmation"] = _SIGNED["SubscriptionConfirmation"]
_HASHES: dict[str, hashes.HashAlgorithm] = {"1": hashes.SHA1(), "2": hashes.SHA256()}  # noqa: S303 - version 1, where the operator allows it


class Forged(Exception):
    """A notification that is not taken; `str` is a word for the log, never a value of it."""


@dataclass(frozen=True, slots=True)
class SnsNotification:
    """One that Amazon signed for a topic of ours."""

    kind: Kind
    topic: str
    text: str
    """The whole envelope."""
    token: str | None


async def open_notification(
    raw: bytes,
    *,
    topics: Collection[str],
    allow_sha1: bool,
    certificate_of: CertificateOf,
    at: datetime,
) -> SnsNotification:
    """The notification, if Amazon signed it for one of these topics within the hour. Raises Forged."""
    body = _body(raw)
    kind, topic, version = (body.get(name) for name in ("Type", "TopicArn", "SignatureVersion"))
    if not (isinstance(kind, str) and kind in _SIGNED):
        raise Forged("type")
    if topic not in topics:
        raise Forged("topic")
    if not isinstance(version, str):
        raise Forged("version")
    if version not in _HASHES or (version == "1" and not allow_sha1):
        raise Forged("version")
    if abs(at - _time(body.get("Timestamp"))) > MAX_AGE:
        raise Forged("time")
    signature = _signature(body.get("Signature"))
    url = certificate_url(
        body.get("SigningCertURL"), regions={region_of(topic) for topic in topics}
    )
    text = _signed_text(body, _SIGNED[kind])
    try:
        pem = await certificate_of(url)
    except Exception:
        raise Forged("certificate away") from None
    _check(pem, signature, text, _HASHES[version], at=at)
    token = body.get("Token")
    return SnsNotification(
        cast(Kind, kind), str(topic), raw.decode(), token if isinstance(token, str) else None
    )


def certificate_url(url: object, *, regions: Collection[str]) -> str:
    """The address of a certificate, if it is Amazon's own in one of these regions. Raises Forged."""
    if not isinstance(url, str) or len(url) > 300 or not url.isascii() or not url.isprintable():
        raise Forged("certificate address")
    hosts = {
        f"sns.{region}.amazonaws.com{'.cn' if region.startswith('cn-') else ''}"
        for region in regions
    }
    try:
        parts = urlsplit(url)
        sound = parts.scheme == "https" and parts.netloc in hosts and _PATH.fullmatch(parts.path)
    except ValueError:
        sound = None
    # Put together again: what the parser passed over cannot stay.
    if not sound or url != f"https://{parts.netloc}{parts.path}":
        raise Forged("certificate address")
    return url


def region_of(topic: str) -> str:
    """The region in the name of a topic."""
    return topic.split(":")[3]


def _body(raw: bytes) -> Mapping[str, object]:
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise Forged("body") from None
    if not isinstance(body, dict):
        raise Forged("body")
    return body


def _time(value: object) -> datetime:
    try:
        found = datetime.fromisoformat(value if isinstance(value, str) else "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Forged("time") from None


def _signature(value: object) -> bytes:
    try:
        return base64.b64decode(value if isinstance(value, str) else "!", validate=True)
    except (binascii.Error, ValueError):
        raise Forged("signature") from None


def _signed_text(body: Mapping[str, object], names: tuple[str, ...]) -> bytes:
    """The names and values that are signed, in their order; a subject where there is one."""
    lines = []
    for name in names:
        value = body.get(name)
        if value is None and name == "Subject":
            continue
        if not isinstance(value, str):
            raise Forged("fields")
        lines.append(f"{name}\n{value}\n")
    return "".join(lines).encode("utf-8", "surrogatepass")


def _check(
    pem: bytes, signature: bytes, text: bytes, algorithm: hashes.HashAlgorithm, *, at: datetime
) -> None:
    try:
        certificate = x509.load_pem_x509_certificate(pem)
        key = certificate.public_key()
        names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    except ValueError:
        raise Forged("certificate") from None
    if not certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc:
        raise Forged("certificate dates")
    if not any(_is_amazons(str(name.value)) for name in names):
        raise Forged("certificate subject")
    if not isinstance(key, rsa.RSAPublicKey):
        raise Forged("certificate key")
    try:
        key.verify(signature, text, padding.PKCS1v15(), algorithm)
    except InvalidSignature:
        raise Forged("signature") from None


def _is_amazons(name: str) -> bool:
    return name == "sns.amazonaws.com" or (
        name.startswith("sns.") and name.endswith((".amazonaws.com", ".amazonaws.com.cn"))
    )
