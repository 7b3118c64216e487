"""Web Push: browsers' push services (RFC 8030), with encrypted content (RFC 8291)."""

import os
import time
from base64 import urlsafe_b64decode

import http_ece  # type: ignore[import-untyped]  # it has no types
import orjson
from cryptography.hazmat.primitives.asymmetric import ec
from yarl import URL

from core.foundation.http_client import GuardedClient, PostResult, post
from core.providers.push.content import TTL_SECONDS, payload_of
from core.providers.push.contracts import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushTarget,
)
from core.providers.push.jwt import signed
from core.providers.push.vapid import Vapid

TIMEOUT = 10.0
TOKEN_TTL_SECONDS = 12 * 3600
"""The longest that a token may hold is a day."""


class WebPushService:
    """A `PushSender`. `client` comes from `http_client.open_client`: the addresses come from
    whoever registers.
    """

    name = "vapid"

    def __init__(self, vapid: Vapid, client: GuardedClient) -> None:
        self._vapid = vapid
        self._key = vapid.key
        self._client = client
        self._tokens: dict[str, tuple[str, float]] = {}

    async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
        """Hand one notification over; see `PushSender`."""
        try:
            body = encrypted(orjson.dumps(payload_of(notification)), target)
            headers = self._headers(target, notification)
        except (ValueError, http_ece.ECEException):  # no point of the curve, no base64, no address
            return PushRejected()
        return answer_of(
            await post(self._client, target.token, body=body, headers=headers, timeout=TIMEOUT)
        )

    def _headers(self, target: PushTarget, notification: PushNotification) -> dict[str, str]:
        return {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL_SECONDS),
            "Urgency": "low" if notification.silent else "high",
            # A notification that was handed over twice is shown once.
            "Topic": notification.dispatch_id,
            "Authorization": f"vapid t={self._token(target.token)}, k={self._vapid.public_key}",
        }

    def _token(self, endpoint: str) -> str:
        """One for each push service, used again until half of its time is over."""
        audience = str(URL(endpoint).origin())
        now = time.time()
        token, renew_at = self._tokens.get(audience, ("", 0.0))
        if now >= renew_at:
            if len(self._tokens) > 100:  # the world has a handful of push services
                self._tokens.clear()
            claims = {
                "aud": audience,
                "exp": int(now) + TOKEN_TTL_SECONDS,
                "sub": self._vapid.contact,
            }
            token = signed(claims, self._key)
            self._tokens[audience] = token, now + TOKEN_TTL_SECONDS / 2
        return token


def encrypted(plain: bytes, target: PushTarget) -> bytes:
    """The content for the browser alone. Raises ValueError for keys that are none."""
    body: bytes = http_ece.encrypt(
        plain,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_raw(target.p256dh),
        auth_secret=_raw(target.auth),
        version="aes128gcm",
    )
    return body


def answer_of(reply: PostResult) -> Answer:
    """What a push service means."""
    match reply.status:
        case None:
            unusable = reply.error not in ("timeout", "unreachable")
            return PushRejected() if unusable else PushDeferred()
        case 404 | 410:
            return DeviceGone()
        case 429 | 503:
            return PushDeferred(reply.retry_after)
        case status if 200 <= status < 300:
            return PushAccepted()
        case status if status >= 500 or status == 408:
            return PushDeferred()
    return PushRejected()


def _raw(text: str | None) -> bytes:
    if text is None:
        raise ValueError("a browser has two keys")
    return urlsafe_b64decode(
        text.translate(str.maketrans("+/", "-_")).rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
    )
