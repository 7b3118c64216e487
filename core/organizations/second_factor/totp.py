"""Codes of an app: TOTP (RFC 6238) with SHA-1, six digits and half minutes, which every app knows."""

import hmac
import os
from base64 import b32decode, b32encode
from datetime import datetime
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20
TOLERANCE = (-1, 0, 1)
"""Half minutes that a clock may be off."""


def new_secret() -> str:
    """A secret in base32, 32 characters, as apps take it."""
    return b32encode(os.urandom(SECRET_BYTES)).decode()


def step_of(at: datetime) -> int:
    """The half minute of an instant."""
    return int(at.timestamp()) // STEP_SECONDS


def code_of(secret: str, step: int) -> str:
    """What the app shows in that half minute."""
    digest = hmac.digest(b32decode(secret), step.to_bytes(8, "big"), "sha1")
    place = digest[-1] & 0xF
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_that_fits(secret: str, code: str, *, at: datetime, after: int) -> int | None:
    """The half minute whose code this is, among those around and behind `after`; None for none."""
    found = None
    for offset in TOLERANCE:
        step = step_of(at) + offset
        if step > after and hmac.compare_digest(code_of(secret, step).encode(), code.encode()):
            found = step
    return found


def uri_of(secret: str, *, issuer: str, account: str) -> str:
    """What a QR code for an app holds."""
    label = quote(f"{issuer}:{account}", safe="")
    return (
        f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer, safe='')}"
        f"&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}"
    )
