"""The addresses that a card may carry."""

import re

from pydantic_core import PydanticCustomError

from core.foundation.http_client import OutboundPolicy, OutboundRefused, check_url

_HOST = re.compile(r"https://([^/?#:\[\]]+)(?::[0-9]+)?(?:[/?#]|\Z)", re.IGNORECASE)
_ANYWHERE = OutboundPolicy()


def secure_address(url: str) -> str:
    """An https address for a browser; whether it leads anywhere is the sender's business."""
    try:
        check_url(url, _ANYWHERE)
    except OutboundRefused as refused:
        if refused.reason != "ssrf_blocked":
            raise PydanticCustomError("wrong_format", "Send an absolute https address") from None
    return url


def public_https(url: str) -> str:
    """An https address on a public domain: devices download it from wherever they are."""
    host = _HOST.match(url)
    try:
        check_url(url, _ANYWHERE)
    except OutboundRefused:
        host = None
    if host is None or host[1].rstrip(".").rpartition(".")[2].isdigit():
        raise PydanticCustomError("wrong_format", "Send an https address on a public domain")
    return url
