"""The session of a browser: its cookie, its CSRF tokens, and whose page is asking.

The cookie holds the token of a session and stands for it only in requests of our own pages that
show a CSRF token of that session as well. Whoever sends `Authorization` is known by that alone.
"""

import hmac
import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from core.foundation.errors import Forbidden, ServiceError, Unauthorized
from core.foundation.ids import random_base62
from core.foundation.security.secrets import is_session_token, keyed_hash
from core.foundation.settings import current
from rest_api.support.cors import own_origins
from rest_api.support.requests import Headers, bearer_token

COOKIE: Final = "__Host-svc_session"
"""Browsers take this name only over TLS or from the own machine, for this host alone and for all of
its paths.
"""

ATTRIBUTES: Final = "Path=/; Secure; HttpOnly; SameSite=Strict"

CSRF_HEADER: Final = b"x-csrf-token"
CSRF_FIELD: Final = "X-CSRF-Token"
"""Under which a WebSocket shows the token in `connection_init`: its handshake has no headers."""

NONCE_LENGTH = 16
CSRF_TOKEN = re.compile(rf"[0-9A-Za-z]{{{NONCE_LENGTH}}}\.[0-9a-f]{{64}}")


class ForeignPage(Forbidden):
    """A request by cookie that does not come from a page of ours, or from one without TLS."""

    default_detail = (
        "Only pages of this service itself use a session by cookie, over https or on the own "
        "machine; programs send the header Authorization."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ORIGEM_NAO_PERMITIDA"})


class WrongCsrfToken(Forbidden):
    """A request by cookie without a token of its session."""

    default_detail = (
        "Send csrfToken of GET /console/session in the header X-CSRF-Token; it belongs to one "
        "log-in."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "CSRF_INVALIDO"})


# Whose page ---------------------------------------------------------------------------------------


def require_own_page(headers: Headers, *, told: bool) -> None:
    """Raises ForeignPage unless the browser says that a page of ours is asking; where it need not
    be `told`, unless it says otherwise.
    """
    site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
    if site is None and origin is None and not told:
        return
    if site not in (None, "same-origin") or (site is None and origin is None):
        raise ForeignPage
    if origin is not None and not _is_own(origin, headers):
        raise ForeignPage


def _is_own(origin: str, headers: Headers) -> bool:
    safe = origin.startswith("https://") or _is_local(headers)
    return safe and origin in own_origins(headers)


def _is_local(headers: Headers) -> bool:
    """Whether the service is used on the machine that it runs on, over HTTP, as in development."""
    base = urlsplit(current().base_url)
    return (
        base.scheme == "http"
        and _is_loopback(base.netloc)
        and _is_loopback(headers.get(b"host") or "")
    )


def _is_loopback(netloc: str) -> bool:
    try:
        name = urlsplit(f"//{netloc}").hostname or ""
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


# The cookie ---------------------------------------------------------------------------------------


def token_in_cookie(headers: Headers) -> str | None:
    """The session's token; None where there is none, two, or anything but one: no API key is taken
    from a cookie.
    """
    found = _values(headers)
    return found[0] if len(found) == 1 and is_session_token(found[0]) else None


def has_cookie(headers: Headers) -> bool:
    """Whether a browser sends a cookie of ours, whatever is in it."""
    return bool(_values(headers))


def _values(headers: Headers) -> list[str]:
    pairs = (one.strip().partition("=") for one in (headers.get(b"cookie") or "").split(";"))
    return [value for name, _, value in pairs if name == COOKIE]


def keeping(token: str) -> tuple[tuple[bytes, bytes], ...]:
    """The header that gives a browser its cookie; it ends with the browser."""
    return ((b"set-cookie", f"{COOKIE}={token}; {ATTRIBUTES}".encode()),)


CLEARING: Final = ((b"set-cookie", f"{COOKIE}=; {ATTRIBUTES}; Max-Age=0".encode()),)
"""The header that takes the cookie away."""


def cleared_by(refusal: ServiceError, headers: Headers) -> tuple[tuple[bytes, bytes], ...]:
    """The header that takes away a cookie that opened nothing; none where it was not asked."""
    by_cookie = headers.get(b"authorization") is None and has_cookie(headers)
    return CLEARING if by_cookie and isinstance(refusal, Unauthorized) else ()


# CSRF tokens --------------------------------------------------------------------------------------


def new_csrf_token(token: str) -> str:
    """A new CSRF token of a session. The earlier ones stay good, so that two tabs do not disturb
    each other, and all of them end with the session.
    """
    nonce = random_base62(NONCE_LENGTH)
    return f"{nonce}.{_proof(token, nonce)}"


def require_csrf_token(given: str | None, token: str) -> None:
    """Raises WrongCsrfToken unless it is one of this session."""
    if given is None or CSRF_TOKEN.fullmatch(given) is None:
        raise WrongCsrfToken
    nonce, _, proof = given.partition(".")
    if not hmac.compare_digest(proof, _proof(token, nonce)):
        raise WrongCsrfToken


def _proof(token: str, nonce: str) -> str:
    return keyed_hash(current().hash_key.encode(), f"csrf {nonce} of {token}").hex()


# Credentials --------------------------------------------------------------------------------------


def credential_of(headers: Headers, *, writes: bool) -> str | None:
    """The token of `Authorization`, or else of the cookie; None without either.

    Raises InvalidCredential, ForeignPage, WrongCsrfToken.
    """
    if headers.get(b"authorization") is not None:
        return bearer_token(headers)
    token = token_in_cookie(headers)
    if token is not None:
        require_own_page(headers, told=writes)
        require_csrf_token(headers.get(CSRF_HEADER), token)
    return token


def cookie_of_socket(headers: Headers, csrf_token: object) -> str | None:
    """The session's token of a WebSocket that shows this CSRF token in `connection_init`; None
    without a cookie. Raises ForeignPage, also without an Origin, which every browser sends here, and
    WrongCsrfToken.
    """
    token = token_in_cookie(headers)
    if token is None:
        return None
    origin = headers.get(b"origin")
    if origin is None or not _is_own(origin, headers):
        raise ForeignPage
    require_csrf_token(csrf_token if isinstance(csrf_token, str) else None, token)
    return token
