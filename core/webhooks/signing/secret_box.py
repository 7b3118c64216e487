"""Encryption at rest of signing secrets and header values, each for one subscription."""

from datetime import datetime

from core.foundation.security.keyring import keyring
from core.webhooks.models import WebhookSubscription


def seal_secret(subscription_id: str, secret: str) -> str:
    """Encrypt a signing secret."""
    return keyring().encrypt(secret, context=_secret_of(subscription_id))


def open_secret(subscription_id: str, cipher: str) -> str:
    """The signing secret again."""
    return keyring().decrypt(cipher, context=_secret_of(subscription_id))


def signing_secrets(subscription: WebhookSubscription, *, at: datetime) -> list[str]:
    """The secrets that sign at this moment, newest first: two while a rotation overlaps."""
    ciphers = [subscription.secret_cipher]
    previous, until = subscription.previous_secret_cipher, subscription.previous_secret_until
    if previous is not None and until is not None and until > at:
        ciphers.append(previous)
    return [open_secret(subscription.id, cipher) for cipher in ciphers]


def seal_headers(subscription_id: str, headers: dict[str, str]) -> list[dict[str, str]]:
    """Encrypt header values; names stay readable."""
    context = _header_of(subscription_id)
    return [
        {"key": key, "cipher": keyring().encrypt(value, context=context)}
        for key, value in headers.items()
    ]


def open_headers(subscription_id: str, headers: list[dict[str, str]]) -> dict[str, str]:
    """Header names and values again."""
    context = _header_of(subscription_id)
    return {
        header["key"]: keyring().decrypt(header["cipher"], context=context) for header in headers
    }


def renewed_secret(subscription_id: str, cipher: str) -> str:
    """The cipher under the newest key. Raises CannotDecrypt."""
    return keyring().renew(cipher, context=_secret_of(subscription_id))


def renewed_header(subscription_id: str, header: dict[str, str]) -> dict[str, str]:
    """The same for one header. Raises CannotDecrypt."""
    return {
        **header,
        "cipher": keyring().renew(header["cipher"], context=_header_of(subscription_id)),
    }


def _secret_of(subscription_id: str) -> str:
    return f"webhook_subscriptions.secret:{subscription_id}"


def _header_of(subscription_id: str) -> str:
    return f"webhook_subscriptions.header:{subscription_id}"
