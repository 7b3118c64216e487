"""Firebase Cloud Messaging, HTTP v1: one POST per device, by a short-lived access token."""

import asyncio
import time
from typing import Any
from urllib.parse import urlencode

import aiohttp
import orjson
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from yarl import URL

from core.foundation.clock import now
from core.foundation.http_client.retry_after import seconds_to_wait
from core.providers.gateway.exchange import HttpReply, Silence, exchange
from core.providers.push.content import TTL_SECONDS, data_of
from core.providers.push.contracts import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushTarget,
)
from core.providers.push.credentials import Fcm
from core.providers.push.jwt import signed

SEND = URL("https://fcm.googleapis.com")
TOKENS = URL("https://oauth2.googleapis.com/token")
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TIMEOUT = 10.0
LEEWAY_SECONDS = 60.0


class FirebasePush:
    """A `PushSender`; `session` stays the caller's to close."""

    name = "fcm"

    def __init__(
        self,
        account: Fcm,
        session: aiohttp.ClientSession,
        *,
        send_to: URL = SEND,
        tokens_from: URL = TOKENS,
    ) -> None:
        key = load_pem_private_key(account.private_key.encode(), password=None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TypeError("a service account signs with RSA")
        self._key = key
        self._email = account.client_email
        self._url = send_to / "v1" / "projects" / account.project_id / "messages:send"
        self._tokens_from = tokens_from
        self._session = session
        self._token: str | None = None
        self._renew_at = 0.0
        self._renewing = asyncio.Lock()

    async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
        """Hand one notification over; see `PushSender`."""
        token = await self._access()
        if not isinstance(token, str):
            return token
        reply = await exchange(
            self._session,
            "POST",
            self._url,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            seconds=TIMEOUT,
            body=orjson.dumps({"message": message_of(target, notification)}),
        )
        if isinstance(reply, HttpReply) and reply.status == 401 and token == self._token:
            self._token = None  # taken back before its time: the next try gets a new one
            return PushDeferred()
        return answer_of(reply)

    async def _access(self) -> str | PushRejected | PushDeferred:
        """The token, by one request however many ask; or why there is none."""
        async with self._renewing:
            if self._token is not None and time.monotonic() < self._renew_at:
                return self._token
            issued = int(time.time())
            claims = {
                "iss": self._email,
                "scope": SCOPE,
                "aud": str(self._tokens_from),
                "iat": issued,
                "exp": issued + 3600,
            }
            reply = await exchange(
                self._session,
                "POST",
                self._tokens_from,
                headers={"Content-Type": "application/x-www-form-urlencoded"},
                seconds=TIMEOUT,
                body=urlencode(
                    {"grant_type": GRANT, "assertion": signed(claims, self._key)}
                ).encode(),
            )
            if isinstance(reply, Silence) or reply.status >= 500 or reply.status == 429:
                return PushDeferred()
            answer = _read(reply)
            token = answer.get("access_token")
            if reply.status != 200 or not isinstance(token, str):
                return PushRejected()  # the account is not what it was
            self._token = token
            self._renew_at = time.monotonic() + max(
                0.0, float(answer.get("expires_in", 3600)) - LEEWAY_SECONDS
            )
            return token


def message_of(target: PushTarget, notification: PushNotification) -> dict[str, Any]:
    """The message of one device. Copies of one dispatch replace each other there."""
    message: dict[str, Any] = {
        "token": target.token,
        "data": data_of(notification),
        "android": {
            "collapse_key": notification.dispatch_id,
            "ttl": f"{TTL_SECONDS}s",
            "priority": "NORMAL" if notification.silent else "HIGH",
        },
        "apns": {"headers": {"apns-collapse-id": notification.dispatch_id}},
    }
    if notification.silent:
        message["apns"]["headers"] |= {"apns-push-type": "background", "apns-priority": "5"}
        message["apns"]["payload"] = {"aps": {"content-available": 1}}
        return message
    message["notification"] = {"title": notification.title, "body": notification.body}
    if notification.image_url:
        message["notification"]["image"] = notification.image_url
    message["android"]["notification"] = {"tag": notification.dispatch_id}
    return message


def answer_of(reply: HttpReply | Silence) -> Answer:
    """What Firebase means."""
    if isinstance(reply, Silence):
        return PushDeferred()
    if reply.status == 200:
        return PushAccepted()
    word = _word(reply)
    if word == "UNREGISTERED":
        return DeviceGone()
    if reply.status == 429 or reply.status >= 500:
        return PushDeferred(seconds_to_wait(reply.retry_after, now()))
    return PushRejected()


def _word(reply: HttpReply) -> str | None:
    """Firebase's own code, which stands among the details; the status of the whole where there is
    none.
    """
    error = _read(reply).get("error")
    if not isinstance(error, dict):
        return None
    for detail in error.get("details") or ():
        if isinstance(detail, dict) and isinstance(detail.get("errorCode"), str):
            return str(detail["errorCode"])
    return error.get("status") if isinstance(error.get("status"), str) else None


def _read(reply: HttpReply) -> dict[str, Any]:
    try:
        value = orjson.loads(reply.body or b"")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
