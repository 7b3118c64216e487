"""The provider `meta`: the Cloud API for numbers, and the messaging API for Instagram accounts."""

from core.providers.meta.client import PROVIDER, MetaPlatform
from core.providers.meta.open_platform import open_platform
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
    "MetaPlatform",
    "is_signature",
    "is_verify_token",
    "open_platform",
    "sign",
    "verify",
]
