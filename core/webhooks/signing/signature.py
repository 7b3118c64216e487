"""Webhook signatures (HMAC-SHA256) of one attempt: ours, and those of Standard Webhooks."""

import hmac
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Sequence

_PREFIX = "whsec_"


def sign(secret: str | Sequence[str], *, webhook_id: str, body: bytes, at: int) -> dict[str, str]:
    """The four headers that prove the raw `body` is ours and was sent at `at` (unix seconds).

    `X-SVC-Signature: t=<at>,v1=<hex>` is HMAC-SHA256 of `<at>.<body>`; the key is the text of the
    whole secret, prefix included. `webhook-id`, `webhook-timestamp` and `webhook-signature:
    v1,<base64>` sign `<webhook_id>.<at>.<body>`; the key is what the secret's text after the prefix
    decodes to.

    `webhook_id` is the event's id (`evt_…`), the same on every retry. While a rotation overlaps,
    `secret` holds several, newest first, and each signs: `t=…,v1=<new>,v1=<old>` and `v1,<new>
    v1,<old>`.

    No key state is kept between calls: it would save a microsecond, and outlive a revoked secret.
    Raises `ValueError` for no secret, or for one that is not `whsec_<base64>`.
    Source: spec, Authentication 6; decisions, Traps 2 and 3.
    """
    secrets = (secret,) if isinstance(secret, str) else secret
    if not secrets:
        raise ValueError("a delivery is signed with at least one secret")
    signed = b"%d.%b" % (at, body)
    standard = b"%b.%b" % (webhook_id.encode(), signed)
    ours = [hmac.digest(one.encode(), signed, "sha256").hex() for one in secrets]
    theirs = [b64encode(hmac.digest(_decoded(one), standard, "sha256")).decode() for one in secrets]
    return {
        "X-SVC-Signature": f"t={at},v1=" + ",v1=".join(ours),
        "webhook-id": webhook_id,
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + " v1,".join(theirs),
    }


def _decoded(secret: str) -> bytes:
    if not secret.startswith(_PREFIX) or secret == _PREFIX:
        raise ValueError("a webhook secret is whsec_ and base64 text")
    return a2b_base64(secret[len(_PREFIX) :], strict_mode=True)
