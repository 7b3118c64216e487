"""VAPID keys, by which push services of browsers know who sends (RFC 8292)."""

from base64 import urlsafe_b64decode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import BaseModel, ConfigDict

from core.providers.push.jwt import base64url


class Vapid(BaseModel):
    """`private_key` is the number, `public_key` the uncompressed point; both in base64url."""

    model_config = ConfigDict(frozen=True)

    contact: str
    private_key: str
    public_key: str

    @property
    def key(self) -> ec.EllipticCurvePrivateKey:
        """The key to sign with."""
        return _key(self.private_key)


def new_vapid_keys(contact: str) -> Vapid:
    """Keys of a new app."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return vapid_keys(contact, base64url(number.to_bytes(32, "big")))


def vapid_keys(contact: str, private_key: str) -> Vapid:
    """The keys behind a private one in base64url. Raises ValueError."""
    point = (
        _key(private_key).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )
    return Vapid(contact=contact, private_key=private_key, public_key=base64url(point))


def _key(text: str) -> ec.EllipticCurvePrivateKey:
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())
