"""Recovery codes: each opens once, for whoever has lost the app."""

from core.foundation.ids import random_base62
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current

HOW_MANY = 10
CHARACTERS = 16
"""Of base62: 95 bits."""


def new_codes() -> list[str]:
    """Ten of them."""
    return [random_base62(CHARACTERS) for _ in range(HOW_MANY)]


def hash_of(account_id: str, code: str) -> str:
    """Under what a code is kept."""
    return keyed_hash(current().hash_key.encode(), f"recovery {account_id} {code}").hex()
