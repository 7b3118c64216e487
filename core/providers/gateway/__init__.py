"""The provider `gateway`: any system that speaks the small HTTP protocol of `client`."""

from core.providers.gateway.callbacks import Callback, read_receipts, read_replies
from core.providers.gateway.client import PROVIDER, Gateway
from core.providers.gateway.opening import opened
from core.providers.gateway.session import open_session
from core.providers.gateway.signature import SIGNATURE_HEADER, is_accepted, sign, verify

__all__ = [
    "PROVIDER",
    "SIGNATURE_HEADER",
    "Callback",
    "Gateway",
    "is_accepted",
    "open_session",
    "opened",
    "read_receipts",
    "read_replies",
    "sign",
    "verify",
]
