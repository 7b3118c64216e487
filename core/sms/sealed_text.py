"""The encrypted text of an SMS that waits, or whose outcome is unknown, bound to its message."""

from core.foundation.security.keyring import keyring


def seal(message_id: str, text: str) -> str:
    """What is stored."""
    return keyring().encrypt(text, context=_place(message_id))


def unseal(message_id: str, sealed: str) -> str:
    """The text again, exactly as it was handed over. Raises CannotDecrypt."""
    return keyring().decrypt(sealed, context=_place(message_id))


def renewed(message_id: str, sealed: str) -> str:
    """The same under the newest key. Raises CannotDecrypt."""
    return keyring().renew(sealed, context=_place(message_id))


def _place(message_id: str) -> str:
    return f"messages.sealed_text:{message_id}"
