"""Tokens in the addresses that recipients open: the tracking pixel and unsubscribing.

Nothing is stored for them. A token names the message and the recipient's hash, and cannot be made
without the key; it never ends, because an e-mail does not either, and still works when the person
behind it was erased.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Literal, NamedTuple

from core.foundation.ids import LENGTH
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current

Purpose = Literal["o", "u"]
"""o: opened, u: unsubscribe. Also the first part of the path."""

MAC_BYTES = 16
IDENTITY_BYTES = 32


class Ticket(NamedTuple):
    """What a token stands for."""

    message_id: str
    identity: bytes


def address_for(purpose: Purpose, message_id: str, identity: bytes, base_url: str) -> str:
    """The address that stands in the e-mail."""
    body = message_id[-LENGTH:].encode() + identity
    token = urlsafe_b64encode(body + _mac(purpose, body)).decode().rstrip("=")
    return f"{base_url}/{purpose}/{token}"


def read_token(purpose: Purpose, token: str) -> Ticket | None:
    """What the token stands for, or None for one that is none of ours."""
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        return None
    body, mac = raw[:-MAC_BYTES], raw[-MAC_BYTES:]
    if len(body) != LENGTH + IDENTITY_BYTES or not hmac.compare_digest(mac, _mac(purpose, body)):
        return None
    return Ticket(f"msg_{body[:LENGTH].decode()}", body[LENGTH:])


def _mac(purpose: Purpose, body: bytes) -> bytes:
    return keyed_hash(current().hash_key.encode(), f"email:{purpose}:{body.hex()}")[:MAC_BYTES]
