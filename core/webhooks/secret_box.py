"""The secrets and header values of subscriptions, encrypted for one subscription each."""

from datetime import datetime

from core.foundation.keyring import keyring
from core.webhooks.models import WebhookSubscription


def seal_secret(subscription_id: str, secret: str) -> str:
    """Encrypt a signing secret."""
    return keyring().encrypt(secret, context=f"webhook_subscriptions.secret:{subscription_id}")


def open_secret(subscription_id: str, cipher: str) -> str:
    """The signing secret again."""
    return keyring().decrypt(cipher, context=f"webhook_subscriptions.secret:{subscription_id}")


def signing_secrets(subscription: WebhookSubscription, *, at: datetime) -> list[str]:
    """The secrets that sign at this moment, newest first: two while a rotation overlaps."""
    ciphers = [subscription.secret_cipher]
    previous, until = subscription.previous_secret_cipher, subscription.previous_secret_until
    if previous is not None and until is not None and until > at:
        ciphers.append(previous)
    return [open_secret(subscription.id, cipher) for cipher in ciphers]


def seal_headers(subscription_id: str, headers: dict[str, str]) -> list[dict[str, str]]:
    """Encrypt header values; names stay readable."""
    context = f"webhook_subscriptions.header:{subscription_id}"
    return [{"key": key, "cipher": keyring().encrypt(value, context=context)} for key, value in headers.items()]


def open_headers(subscription_id: str, headers: list[dict[str, str]]) -> dict[str, str]:
    """Header names and values again."""
    context = f"webhook_subscriptions.header:{subscription_id}"
    return {header["key"]: keyring().decrypt(header["cipher"], context=context) for header in headers}
