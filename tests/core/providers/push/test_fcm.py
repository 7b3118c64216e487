"""Firebase HTTP v1 against a server of our own, which asks for what Google's does."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import jwt
import orjson
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from yarl import URL

from core.providers.gateway.session import open_session
from core.providers.push import (
    Answer,
    DeviceGone,
    Fcm,
    PushAccepted,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushTarget,
)
from core.providers.push.fcm import GRANT, SCOPE, FirebasePush

DEVICE = PushTarget("device-token")


class Google:
    """The token server and the sending one."""

    def __init__(self, pem: str) -> None:
        self.key: Any = load_pem_private_key(pem.encode(), password=None).public_key()
        self.url = URL()
        self.issued = 0
        self.lifetime = 3600
        self.refuses = 0
        self.messages: list[dict[str, Any]] = []
        self.answer: tuple[int, dict[str, Any], dict[str, str]] = (
            200,
            {"name": "projects/p/messages/1"},
            {},
        )

    async def token(self, request: web.Request) -> web.Response:
        if self.refuses:
            return web.json_response({"error": "invalid_grant"}, status=self.refuses)
        form = await request.post()
        assert form["grant_type"] == GRANT
        claims = jwt.decode(
            str(form["assertion"]), self.key, algorithms=["RS256"], audience=str(self.url / "token")
        )
        assert claims["iss"] == "push@p.iam.gserviceaccount.com"
        assert claims["scope"] == SCOPE
        assert time.time() < claims["exp"] <= claims["iat"] + 3600
        self.issued += 1
        return web.json_response(
            {"access_token": f"token-{self.issued}", "expires_in": self.lifetime}
        )

    async def send(self, request: web.Request) -> web.Response:
        if request.headers["Authorization"] != f"Bearer token-{self.issued}":
            return web.json_response({"error": {"status": "UNAUTHENTICATED"}}, status=401)
        assert request.content_type == "application/json"
        self.messages.append(orjson.loads(await request.read())["message"])
        status, body, headers = self.answer
        return web.json_response(body, status=status, headers=headers)


@pytest.fixture
async def google(rsa_key: str) -> AsyncIterator[Google]:
    google = Google(rsa_key)
    app = web.Application()
    app.router.add_post("/token", google.token)
    app.router.add_post("/v1/projects/p/messages:send", google.send)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    google.url = URL(f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}")  # type: ignore[union-attr]
    yield google
    await runner.cleanup()


@pytest.fixture
async def service(google: Google, rsa_key: str) -> AsyncIterator[FirebasePush]:
    account = Fcm(
        project_id="p", client_email="push@p.iam.gserviceaccount.com", private_key=rsa_key
    )
    async with open_session() as session:
        yield FirebasePush(account, session, send_to=google.url, tokens_from=google.url / "token")


async def test_a_device_gets_what_is_shown_and_its_data(
    google: Google, service: FirebasePush, notification: PushNotification
) -> None:
    assert await service.push(DEVICE, notification) == PushAccepted()

    (message,) = google.messages
    assert message["token"] == "device-token"
    assert message["notification"] == {
        "title": "Só hoje",
        "body": "Frete grátis",
        "image": "https://cdn.example.com/a.png",
    }
    assert all(isinstance(value, str) for value in message["data"].values())
    assert message["data"]["dispatchId"] == notification.dispatch_id
    assert orjson.loads(message["data"]["actions"]) == [{"label": "Ver", "link": "loja://ofertas"}]
    assert (
        message["android"]["collapse_key"]
        == message["android"]["notification"]["tag"]
        == notification.dispatch_id
    )


async def test_data_alone_show_nothing(
    google: Google, service: FirebasePush, silent: PushNotification
) -> None:
    await service.push(DEVICE, silent)

    assert "notification" not in google.messages[0]
    assert google.messages[0]["data"] == {
        "dispatchId": silent.dispatch_id,
        "deepLink": "loja://sync",
    }


async def test_a_token_serves_until_it_ends_however_many_ask(
    google: Google, service: FirebasePush, notification: PushNotification
) -> None:
    await asyncio.gather(*(service.push(DEVICE, notification) for _ in range(10)))
    assert google.issued == 1

    google.lifetime = 0
    service._renew_at = 0.0
    for _ in range(2):
        assert await service.push(DEVICE, notification) == PushAccepted()
    assert google.issued == 3


async def test_a_token_that_was_taken_back_is_replaced(
    google: Google, service: FirebasePush, notification: PushNotification
) -> None:
    await service.push(DEVICE, notification)
    google.issued += 1  # another one is good now

    assert await service.push(DEVICE, notification) == PushDeferred()
    assert await service.push(DEVICE, notification) == PushAccepted()


@pytest.mark.parametrize(
    ("status", "answer"),
    [(400, PushRejected()), (401, PushRejected()), (503, PushDeferred()), (429, PushDeferred())],
)
async def test_without_a_token_nothing_is_sent(
    google: Google,
    service: FirebasePush,
    notification: PushNotification,
    status: int,
    answer: Answer,
) -> None:
    google.refuses = status

    assert await service.push(DEVICE, notification) == answer
    assert google.messages == []


def refusal(status: str, code: str | None = None) -> dict[str, Any]:
    details = (
        [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}]
        if code
        else []
    )
    return {"error": {"status": status, "details": details}}


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ((404, refusal("NOT_FOUND", "UNREGISTERED"), {}), DeviceGone()),
        ((404, refusal("NOT_FOUND"), {}), PushRejected()),
        ((400, refusal("INVALID_ARGUMENT", "INVALID_ARGUMENT"), {}), PushRejected()),
        ((403, refusal("PERMISSION_DENIED", "SENDER_ID_MISMATCH"), {}), PushRejected()),
        (
            (429, refusal("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), {"Retry-After": "60"}),
            PushDeferred(60),
        ),
        ((503, refusal("UNAVAILABLE", "UNAVAILABLE"), {"Retry-After": "5"}), PushDeferred(5)),
        ((500, refusal("INTERNAL", "INTERNAL"), {}), PushDeferred()),
    ],
)
async def test_what_firebase_answers_is_understood(
    google: Google,
    service: FirebasePush,
    notification: PushNotification,
    reply: Any,
    answer: Answer,
) -> None:
    google.answer = reply

    assert await service.push(DEVICE, notification) == answer


async def test_a_server_that_is_away_is_tried_later(
    rsa_key: str, notification: PushNotification
) -> None:
    account = Fcm(project_id="p", client_email="x", private_key=rsa_key)
    async with open_session() as session:
        service = FirebasePush(account, session, tokens_from=URL("http://127.0.0.1:1025/token"))
        assert await service.push(DEVICE, notification) == PushDeferred()
