"""Apple Push Notification service: HTTP/2, one request per device, by a token that we sign."""

import ssl
import time
from urllib.parse import quote

import httpx
import orjson
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from core.foundation.json_values import read_object, text_of
from core.providers.push.answers import answer_by
from core.providers.push.content import TTL_SECONDS, data_of
from core.providers.push.contracts import Answer, PushDeferred, PushNotification, PushTarget
from core.providers.push.credentials import Apns
from core.providers.push.jwt import signed

PRODUCTION = "https://api.push.apple.com"
DEVELOPMENT = "https://api.sandbox.push.apple.com"
TIMEOUT = 10.0
RENEW_SECONDS = 50 * 60
"""Apple takes a token for an hour, and refuses one that is replaced more often than every 20
minutes.
"""

OF_THE_TOKEN = frozenset({"ExpiredProviderToken"})
GONE = frozenset({"Unregistered", "ExpiredToken", "BadDeviceToken"})


def open_client(tls: ssl.SSLContext | None = None) -> httpx.AsyncClient:
    """A client for `ApplePush`; close it with `await client.aclose()`. aiohttp does not speak
    HTTP/2.
    """
    return httpx.AsyncClient(
        http1=False,
        http2=True,
        verify=tls or ssl.create_default_context(),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx.Timeout(TIMEOUT),
    )


class ApplePush:
    """A `PushSender`; `client` comes from `open_client` and stays the caller's to close."""

    name = "apns"

    def __init__(self, key: Apns, client: httpx.AsyncClient, *, send_to: str | None = None) -> None:
        loaded = load_pem_private_key(key.private_key.encode(), password=None)
        if not isinstance(loaded, ec.EllipticCurvePrivateKey):
            raise TypeError("Apple's keys are of an elliptic curve")
        self._key = loaded
        self._account = key
        self._client = client
        self._base = send_to or (DEVELOPMENT if key.sandbox else PRODUCTION)
        self._token = ""
        self._renew_at = 0.0

    async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
        """Hand one notification over; see `PushSender`."""
        token = self._bearer()
        try:
            response = await self._client.post(
                f"{self._base}/3/device/{quote(target.token, safe='')}",
                content=orjson.dumps(payload_of(notification)),
                headers=self._headers(notification, token),
            )
        except (
            httpx.HTTPError,
            OSError,
            RuntimeError,
        ):  # RuntimeError: the client was closed under it
            return PushDeferred()
        reason = _reason(response)
        if reason in OF_THE_TOKEN and token == self._token:
            self._renew_at = 0.0
            return PushDeferred()
        return answer_of(response.status_code, reason, response.headers.get("retry-after"))

    def _headers(self, notification: PushNotification, token: str) -> dict[str, str]:
        return {
            "authorization": f"bearer {token}",
            "apns-topic": self._account.bundle_id,
            "apns-push-type": "background" if notification.silent else "alert",
            "apns-priority": "5" if notification.silent else "10",
            "apns-expiration": str(int(time.time()) + TTL_SECONDS),
            # A notification that was handed over twice is shown once.
            "apns-collapse-id": notification.dispatch_id,
        }

    def _bearer(self) -> str:
        if time.monotonic() >= self._renew_at or not self._token:
            claims = {"iss": self._account.team_id, "iat": int(time.time())}
            self._token = signed(claims, self._key, kid=self._account.key_id)
            self._renew_at = time.monotonic() + RENEW_SECONDS
        return self._token


def payload_of(notification: PushNotification) -> dict[str, object]:
    """Apple's payload: what is shown stands under `aps`, the data of the app beside it."""
    aps: dict[str, object]
    if notification.silent:
        aps = {"content-available": 1}
    else:
        aps = {
            "alert": {"title": notification.title, "body": notification.body},
            "sound": "default",
        }
        if notification.image_url:
            aps["mutable-content"] = 1  # an extension of the app fetches the image
    return {"aps": aps, **data_of(notification)}


def answer_of(status: int, reason: str | None, retry_after: str | None) -> Answer:
    """What Apple means."""
    return answer_by(status, retry_after, gone=status == 410 or reason in GONE)


def _reason(response: httpx.Response) -> str | None:
    return text_of(read_object(response.content), "reason")
