"""The headers of answers."""

from typing import Any

HEADERS: dict[str, Any] = {
    "RequestId": {
        "description": "Names this request in our logs and in what it stored. Yours when you "
        "sent one of the form.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
        "example": "req_1rtp8pC2MVJgbsk6Iy0jV",
    },
    "RetryAfter": {
        "description": "Seconds to wait before the request is repeated",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "RateLimitPolicy": {
        "description": "The limit that the request met, if it came so far: `q` requests per "
        "window of `w` seconds",
        "schema": {"type": "string"},
        "example": '"sms";q=50;w=1',
    },
    "RateLimit": {
        "description": "What is left of the limit: `r` requests, and one more after `t` seconds",
        "schema": {"type": "string"},
        "example": '"sms";r=49;t=1',
    },
    "Clock": {
        "description": "The time of the sandbox at which the request happened, where its clock was "
        "moved",
        "schema": {"type": "string", "format": "date-time"},
        "example": "2026-12-01T12:00:00.000Z",
    },
    "IdempotentReplayed": {
        "description": "The Idempotency-Key was used before: this is the answer of that time, "
        "and nothing was done",
        "schema": {"type": "string", "const": "true"},
        "example": "true",
    },
    "ContentLanguage": {
        "description": "The language of `title`, `detail` and `errors[].message`: `pt-BR` where "
        "Accept-Language asks "
        "for it, else `en`",
        "required": True,
        "schema": {"type": "string", "pattern": "^(en|pt-BR)$"},
        "example": "en",
    },
    "WwwAuthenticate": {
        "description": "How to authenticate",
        "required": True,
        "schema": {"type": "string"},
        "example": "Bearer",
    },
}

_NAMES = {
    "RequestId": "X-Request-Id",
    "RetryAfter": "Retry-After",
    "RateLimitPolicy": "RateLimit-Policy",
    "RateLimit": "RateLimit",
    "Clock": "X-SVC-Clock",
    "IdempotentReplayed": "Idempotent-Replayed",
    "ContentLanguage": "Content-Language",
    "WwwAuthenticate": "WWW-Authenticate",
}


def refer(*names: str) -> dict[str, Any]:
    """References to headers."""
    return {_NAMES[name]: {"$ref": f"#/components/headers/{name}"} for name in names}


def headers_with(status: int, *, limited: bool = False, keyed: bool = False) -> dict[str, Any]:
    """What goes with an answer of this status. `limited`: the operation has a rate limit. `keyed`:
    an answer that an earlier use of an Idempotency-Key may have made.
    """
    names = ["RequestId", "Clock"]
    if status >= 400:
        names.append("ContentLanguage")
    if status == 401:
        names.append("WwwAuthenticate")
    if status in (409, 429, 503):
        names.append("RetryAfter")
    if keyed:
        names.append("IdempotentReplayed")
    if limited:
        names += ["RateLimitPolicy", "RateLimit"]
    return refer(*names)
