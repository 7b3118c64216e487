"""Passwords of SMPP: eight characters, 47 bits, of which a keyed hash is kept."""

import hmac

from core.foundation.ids import random_base62
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current

LENGTH = 8
"""As many as the protocol lets a password have."""


def new_password() -> str:
    """Drawn at random."""
    return random_base62(LENGTH)


def hash_of(system_id: str, password: str) -> bytes:
    """Under what a password is stored; of no use at another account."""
    return keyed_hash(current().hash_key.encode(), f"smpp {system_id} {password}")


def fits(stored: bytes, hashed: bytes) -> bool:
    """Whether the two are the same, in a time that tells nothing."""
    return hmac.compare_digest(stored, hashed)
