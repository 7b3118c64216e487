"""The encryption keys of this process."""

from functools import lru_cache

from core.foundation.security.secrets import KeyRing
from core.foundation.settings import current


@lru_cache(maxsize=1)
def keyring() -> KeyRing:
    """The ring of SVC_ENCRYPTION_KEYS."""
    return KeyRing.from_base64(current().encryption_keys)
