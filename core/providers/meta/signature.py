"""Webhook signatures and `appsecret_proof`, keyed with the app's secret."""

import hmac
import re
from collections.abc import Sequence

SIGNATURE_HEADER = "X-Hub-Signature-256"

_FORM = re.compile(r"sha256=([0-9a-fA-F]{64})", re.ASCII)


def sign(secret: str, body: bytes) -> str:
    """The header's value: HMAC-SHA256 of the raw body."""
    return f"sha256={_digest(secret, body)}"


def is_signature(header: str | None) -> bool:
    """Whether the header has the form of a signature at all, whoever made it."""
    return _FORM.fullmatch(header or "") is not None


def verify(secrets: Sequence[str], header: str | None, body: bytes) -> bool:
    """Whether the raw body was signed with one of the secrets. Check before the body is parsed."""
    form = _FORM.fullmatch(header or "")
    if form is None:
        return False
    given = form[1].lower()
    # Every one is compared: how long it takes tells nothing.
    return sum(hmac.compare_digest(_digest(secret, body), given) for secret in secrets) > 0


def is_verify_token(expected: str, given: str | None) -> bool:
    """Whether a subscription names the token that was agreed upon."""
    return hmac.compare_digest(expected.encode(), (given or "").encode("utf-8", "surrogatepass"))


def proof_of(secret: str, token: str) -> str:
    """`appsecret_proof`: that who holds the access token also holds the app's secret."""
    return _digest(secret, token.encode())


def _digest(secret: str, text: bytes) -> str:
    return hmac.digest(secret.encode(), text, "sha256").hex()
