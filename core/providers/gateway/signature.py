"""The signature of requests in both directions: secret, address, time and body.

`v2` signs method, path and body. `v1` signed the body alone: who records a receipt could post it as
a reply, or to another organization. It is accepted until `SVC_CALLBACKS_V1_UNTIL`, so that gateways
can move.
"""

import hmac
import re
from datetime import datetime
from typing import Literal

SIGNATURE_HEADER = "X-Gateway-Signature"
TOLERANCE_SECONDS = 300
"""How far the signed time may lie from ours: enough for slow clocks, little for a recorded request.
"""

Version = Literal["v1", "v2"]

_FORM = re.compile(r"t=([0-9]{1,12})((?:,v[12]=[0-9a-f]{64}){1,8})", re.ASCII)


def sign(secret: str, body: bytes, *, to: str, at: int) -> str:
    """The header's value `t=<at>,v1=<hex>,v2=<hex>`; `at` in unix seconds, `to` such as `POST
    /v1/messages`.

    The key is the text of the secret in UTF-8. v1 signs `<at>.<body>`, v2 signs `<at>`, `to` and
    the body with a line feed between them; a request without a body has an empty one.
    """
    return f"t={at},v1={_digest(secret, _of_body(str(at), body))},v2={_digest(secret, _whole(str(at), to, body))}"


def verify(secret: str, header: str | None, body: bytes, *, to: str, at: int) -> Version | None:
    """By which version the raw `body` was signed for `to` with this secret no more than five
    minutes from `at`.

    None: by none. Of several signatures one must fit, so that the other side can change its secret
    without a gap. Check before the body is parsed.
    """
    form = _FORM.fullmatch(header or "")
    if form is None or abs(at - int(form[1])) > TOLERANCE_SECONDS:
        return None
    given = form[2].removeprefix(",").split(",")
    # Every one is compared: how long it takes tells nothing.
    whole = _fits("v2=" + _digest(secret, _whole(form[1], to, body)), given)
    of_body = _fits("v1=" + _digest(secret, _of_body(form[1], body)), given)
    if whole:
        return "v2"
    return "v1" if of_body else None


def is_accepted(version: Version | None, *, v1_until: datetime, at: datetime) -> bool:
    """Whether a request that was signed so is taken."""
    return version == "v2" or (version == "v1" and at < v1_until)


def _fits(expected: str, given: list[str]) -> bool:
    return sum(hmac.compare_digest(expected, one) for one in given) > 0


def _of_body(at: str, body: bytes) -> bytes:
    return at.encode() + b"." + body


def _whole(at: str, to: str, body: bytes) -> bytes:
    """Neither a time nor a path holds a line feed: no other three parts read the same."""
    return b"\n".join((at.encode(), to.encode(), body))


def _digest(secret: str, signed: bytes) -> str:
    return hmac.digest(secret.encode(), signed, "sha256").hex()
