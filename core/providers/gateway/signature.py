"""The proof, in both directions, that a body comes from who shares the secret, and lately."""

import hmac
import re

SIGNATURE_HEADER = "X-Gateway-Signature"
TOLERANCE_SECONDS = 300
"""How far the signed time may lie from ours: enough for slow clocks, little for a recorded request."""

_FORM = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,4})", re.ASCII)


def sign(secret: str, body: bytes, *, at: int) -> str:
    """The header's value `t=<at>,v1=<hex>`: HMAC-SHA256 of `<at>.<body>`, `at` in unix seconds.

    The key is the text of the secret in UTF-8; a request without a body signs `<at>.`.
    """
    return f"t={at},v1={_digest(secret, str(at), body)}"


def verify(secret: str, header: str | None, body: bytes, *, at: int) -> bool:
    """Whether the raw `body` was signed with this secret no more than five minutes from `at` (unix seconds).

    Of several `v1` one must fit, so that the other side can change its secret without a gap. Check before the
    body is parsed. It does not say for whom: the address is not signed.
    """
    form = _FORM.fullmatch(header or "")
    if form is None or abs(at - int(form[1])) > TOLERANCE_SECONDS:
        return False
    expected = _digest(secret, form[1], body)
    given = form[2].removeprefix(",v1=").split(",v1=")
    # Every one is compared: how long it takes tells nothing.
    return sum(hmac.compare_digest(expected, one) for one in given) > 0


def _digest(secret: str, at: str, body: bytes) -> str:
    return hmac.digest(secret.encode(), at.encode() + b"." + body, "sha256").hex()
