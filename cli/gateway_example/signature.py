"""The signature of both directions, as docs/gateway.md says it: secret, time, method and path,
body.
"""

import hashlib
import hmac
import re
import time

HEADER = "X-Gateway-Signature"
TOLERANCE_SECONDS = 300
_FORM = re.compile(r"t=([0-9]{1,12})((?:,v[12]=[0-9a-f]{64}){1,8})", re.ASCII)


def signed(secret: str, method: str, path: str, body: bytes, *, at: int | None = None) -> str:
    """The header of a callback."""
    moment = int(time.time()) if at is None else at
    return f"t={moment},v2={_digest(secret, moment, method, path, body)}"


def is_signed(secret: str, header: str, method: str, path: str, body: bytes) -> bool:
    """Whether the service signed this request, no more than five minutes ago."""
    form = _FORM.fullmatch(header)
    if form is None or abs(time.time() - int(form[1])) > TOLERANCE_SECONDS:
        return False
    expected = f"v2={_digest(secret, int(form[1]), method, path, body)}"
    return any(hmac.compare_digest(expected, given) for given in form[2][1:].split(","))


def _digest(secret: str, moment: int, method: str, path: str, body: bytes) -> str:
    text = f"{moment}\n{method} {path}\n".encode() + body
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
