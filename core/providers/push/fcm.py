"""Firebase Cloud Messaging, HTTP v1: one POST per device, by a short-lived access token."""

import asyncio
import time
from urllib.parse import urlencode

import aiohttp
import orjson
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from yarl import URL

from core.foundation.json_values import JsonObject, object_of, objects_of, read_object, text_of
from core.providers.gateway.exchange import HttpReply, Silence, exchange
from core.providers.push.answers import answer_by
from core.providers.push.content import TTL_SECONDS, data_of
from core.providers.push.contracts import (
    Answer,
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
            answer = read_object(reply.body)
            token = answer.get("access_token")
            if reply.status != 200 or not isinstance(token, str):
                return PushRejected()  # the account is not what it was
            self._token = token
            self._renew_at = time.monotonic() + max(0.0, _seconds_of(answer) - LEEWAY_SECONDS)
            return token


def _seconds_of(answer: JsonObject) -> float:
    """How long a token lives."""
    seconds = answer.get("expires_in", 3600)
    return float(seconds) if isinstance(seconds, int | float | str) else 0.0


def message_of(target: PushTarget, notification: PushNotification) -> dict[str, object]:
    """The message of one device. Copies of one dispatch replace each other there."""
    of_dispatch = {"apns-collapse-id": notification.dispatch_id}
    android = {"collapse_key": notification.dispatch_id, "ttl": f"{TTL_SECONDS}s"}
    to_all = {"token": target.token, "data": data_of(notification)}
    if notification.silent:
        headers = {**of_dispatch, "apns-push-type": "background", "apns-priority": "5"}
        return {
            **to_all,
            "android": {**android, "priority": "NORMAL"},
            "apns": {"headers": headers, "payload": {"aps": {"content-available": 1}}},
        }
    shown = {"title": notification.title, "body": notification.body}
    if notification.image_url:
        shown["image"] = notification.image_url
    tag = {"tag": notification.dispatch_id}
    return {
        **to_all,
        "notification": shown,
        "android": {**android, "priority": "HIGH", "notification": tag},
        "apns": {"headers": of_dispatch},
    }


def answer_of(reply: HttpReply | Silence) -> Answer:
    """What Firebase means."""
    if isinstance(reply, Silence):
        return PushDeferred()
    return answer_by(reply.status, reply.retry_after, gone=_word(reply) == "UNREGISTERED")


def _word(reply: HttpReply) -> str | None:
    """Firebase's own code, which stands among the details; the status of the whole where there is
    none.
    """
    error = object_of(read_object(reply.body), "error")
    codes = (text_of(detail, "errorCode") for detail in objects_of(error, "details"))
    return next(filter(None, codes), text_of(error, "status"))
