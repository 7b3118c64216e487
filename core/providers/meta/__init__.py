"""The provider `meta`: the Cloud API for numbers, and the messaging API for Instagram accounts."""

from core.providers.meta.client import PROVIDER, Meta
from core.providers.meta.opening import opened
from core.providers.meta.signature import (
    SIGNATURE_HEADER,
    is_signature,
    is_verify_token,
    sign,
    verify,
)

__all__ = [
    "PROVIDER",
    "SIGNATURE_HEADER",
    "Meta",
    "is_signature",
    "is_verify_token",
    "opened",
    "sign",
    "verify",
]
