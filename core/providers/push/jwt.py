"""Signed tokens (JWT, RFC 7519), as the push services want them: ES256 and RS256 alone."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping

import orjson
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

SigningKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def signed(claims: Mapping[str, object], key: SigningKey, **header: str) -> str:
    """The token of these claims; the kind of the key decides the algorithm."""
    algorithm = "ES256" if isinstance(key, ec.EllipticCurvePrivateKey) else "RS256"
    parts = orjson.dumps({"typ": "JWT", "alg": algorithm, **header}), orjson.dumps(claims)
    text = ".".join(map(base64url, parts))
    return f"{text}.{base64url(_signature(text.encode(), key))}"


def _signature(text: bytes, key: SigningKey) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(text, padding.PKCS1v15(), hashes.SHA256())
    # JOSE wants both numbers side by side, where the library gives DER.
    r, s = decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def base64url(raw: bytes) -> str:
    """Base64url without the padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
