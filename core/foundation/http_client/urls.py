"""URL rule (SSRF protection): whether a URL may be called, as far as its text tells.

One parser judges and connects: yarl, which the HTTP client uses too. It is lenient (it takes Arabic
digits in a port, turns `[v1.a]` into a name and drops an empty user), so the text must have a
strict shape first.
"""

import re
import socket

from yarl import URL

from core.foundation.http_client.addresses import check_address
from core.foundation.http_client.policy import OutboundPolicy, OutboundRefused

MAX_LENGTH = 2048

# Scheme, authority, rest. White space, control characters, half characters and backslashes mean
# different things to different parsers, and no receiver needs them.
_SHAPE = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#\s\\]+)([/?#][^\s\\]*)?", re.IGNORECASE)
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_AUTHORITY = re.compile(r"(\[[^\[\]@]+\]|[^\[\]@:]+)(:[0-9]{1,5})?")

# After IDNA. Underscores are no host names by the letter, yet they are resolved and used.
_LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*")
_OCTET = r"(0|[1-9][0-9]{0,2})"
_CANONICAL_V4 = re.compile(rf"{_OCTET}(\.{_OCTET}){{3}}")
_ENDS_IN_NUMBER = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")

# Names that only mean something inside a network (RFC 6761, 6762, 8375, and the reserved
# .internal).
_INSIDE_ONLY = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")


def check_url(url: str, policy: OutboundPolicy) -> str:
    """The URL as it will be requested (ASCII, no fragment, at most 2,048 characters).

    https on port 443 or above 1023; no credentials; a literal address must be allowed by the
    policy. Plain http (port 80 or above 1023) only where the policy allows it. Raises
    `OutboundRefused`. Source: spec, Webhooks (POST /webhooks/validate); decisions, Webhooks, SSRF.
    """
    return str(parse_url(url, policy))


def parse_url(url: str, policy: OutboundPolicy) -> URL:
    """`check_url` for callers that go on to connect: the parsed URL itself."""
    parsed = _parsed(url)
    _check_scheme(parsed, policy)
    _check_port(parsed)
    host = parsed.raw_host or ""
    if ":" in host or _CANONICAL_V4.fullmatch(host):
        check_address(host.replace("%25", "%"), policy, encrypted=parsed.scheme == "https")
    else:
        _check_name(host.removesuffix("."), policy)
    return parsed


def _parsed(url: str) -> URL:
    shape = _SHAPE.fullmatch(url)
    if len(url) > MAX_LENGTH or shape is None or _NO_TEXT.search(url):
        raise _invalid("Write an absolute https URL of at most 2,048 characters.")
    authority = shape[2]
    if "@" in authority:
        raise _invalid("The URL must not carry credentials; use a header.")
    if not _AUTHORITY.fullmatch(authority):
        raise _invalid("The host or the port of the URL is not valid.")
    try:
        parsed = URL(url).with_fragment(None)
        too_long = len(str(parsed)) > MAX_LENGTH
    except ValueError:
        raise _invalid("The URL is not valid.") from None
    if too_long:
        raise _invalid("Write an absolute https URL of at most 2,048 characters.")
    if authority.startswith("[") != (":" in (parsed.raw_host or "")):
        raise _invalid("Brackets in the host are for IPv6 addresses.")
    return parsed


def _check_scheme(url: URL, policy: OutboundPolicy) -> None:
    plain_allowed = url.scheme == "http" and policy.allow_http and policy.allow_networks
    if url.scheme != "https" and not plain_allowed:
        raise OutboundRefused("insecure_scheme", "Use an https address.")


def _check_port(url: URL) -> None:
    port = url.port or 0
    usual = 443 if url.scheme == "https" else 80
    if not 0 < port <= 65535:
        raise _invalid("The port of the URL is not valid.")
    if port != usual and port <= 1023:
        # Other low ports belong to mail, shells and databases that must not be talked to in our
        # name.
        raise OutboundRefused("ssrf_blocked", f"Use port {usual} or a port above 1023.")


def _check_name(name: str, policy: OutboundPolicy) -> None:
    if not _NAME.fullmatch(name):
        raise _invalid("The host of the URL is not valid.")
    if _ENDS_IN_NUMBER.fullmatch(name):
        # Short, decimal, octal and hexadecimal forms: the C library would still make an address of
        # them.
        if _is_legacy_address(name):
            raise OutboundRefused("ssrf_blocked", "Write the address in its usual dotted form.")
        raise _invalid("The host of the URL is not valid.")
    if not policy.allow_networks and ("." not in name or f".{name}".endswith(_INSIDE_ONLY)):
        raise OutboundRefused("ssrf_blocked", "The host must be reachable on the public internet.")


def _is_legacy_address(name: str) -> bool:
    try:
        socket.inet_aton(name)
    except OSError:
        return False
    return True


def _invalid(message: str) -> OutboundRefused:
    return OutboundRefused("invalid_url", message)
