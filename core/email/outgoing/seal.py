"""Outgoing e-mails at rest: encrypted, and bound to their message."""

from core.foundation.security.keyring import keyring


def seal(message_id: str, outgoing: str) -> str:
    """What is stored."""
    return keyring().encrypt(outgoing, context=_place(message_id))


def unseal(message_id: str, sealed: str) -> bytes:
    """The e-mail again, as it is transmitted. Raises CannotDecrypt."""
    return keyring().decrypt(sealed, context=_place(message_id)).encode("ascii")


def renewed(message_id: str, sealed: str) -> str:
    """The same under the newest key. Raises CannotDecrypt."""
    return keyring().renew(sealed, context=_place(message_id))


def _place(message_id: str) -> str:
    return f"email_letters.letter:{message_id}"
