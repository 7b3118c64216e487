"""What strangers can reach: the public address of the service, and its figures."""

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.checks.check_result import Warned
from cli.failures import Failure

if TYPE_CHECKING:
    from core.foundation.settings import Settings

OWN = ("localhost", "local", "internal", "lan", "test", "invalid", "home.arpa")
"""Last words of names that the public Internet does not know."""


async def base_url(settings: "Settings") -> str:
    """Do links lead here, and is nothing sent in clear on the way?"""
    address = settings.base_url
    if is_public(address):
        if urlsplit(address).scheme == "http":
            raise Failure(
                "SVC_BASE_URL is public and http, so keys and phones travel in clear: put TLS in "
                "front and write https"
            )
        return "SVC_BASE_URL is public and https"
    outside = [name for name, value in _live(settings).items() if value]
    if outside:
        return Warned(
            f"SVC_BASE_URL is of this network, but {', '.join(outside)} is set: links in live "
            f"messages lead nowhere"
        )
    return "SVC_BASE_URL is of this network: links that the service writes work here alone"


async def metrics(settings: "Settings") -> str:
    """Is /metrics closed to strangers?"""
    if settings.metrics_token is not None:
        return "/metrics wants its token"
    if is_public(settings.base_url):
        return Warned(
            "/metrics is open and SVC_BASE_URL is public: set SVC_METRICS_TOKEN, or let the "
            "proxy refuse the path"
        )
    return "/metrics is open, inside this network (SVC_METRICS_TOKEN closes it)"


def is_public(address: str) -> bool:
    """Whether the address names a host of the public Internet, as far as its text tells."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(tuple(f".{word}" for word in OWN))


def _live(settings: "Settings") -> dict[str, object]:
    return {
        "SVC_GATEWAY_URL": settings.gateway_url,
        "SVC_SMTP_URL": settings.smtp_url,
        "SVC_META_APP_SECRETS": settings.meta_app_secrets,
    }
