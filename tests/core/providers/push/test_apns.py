"""Apple's service against a server of our own that speaks HTTP/2 alone."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jwt
import orjson
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from core.providers.push import (
    Answer,
    Apns,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushTarget,
)
from core.providers.push.apns import DEVELOPMENT, PRODUCTION, RENEW_SECONDS, ApplePush, open_client
from tests.core.providers.push.apple import Apple, certificate

DEVICE = PushTarget("ab" * 32)
BUNDLE = "br.com.example.loja"


@pytest.fixture
async def apple(tmp_path: Path) -> AsyncIterator[tuple[Apple, Any]]:
    apple = Apple()
    for_server, for_client = certificate(tmp_path)
    server = await asyncio.start_server(apple.serve, "127.0.0.1", 0, ssl=for_server)
    apple.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with open_client(for_client) as client:
        yield apple, client
    server.close()


@pytest.fixture
def account(ec_key: str) -> Apns:
    return Apns(key_id="KEY1234567", team_id="TEAM123456", bundle_id=BUNDLE, private_key=ec_key)


@pytest.fixture
def service(apple: tuple[Apple, Any], account: Apns) -> ApplePush:
    server, client = apple
    return ApplePush(account, client, send_to=server.url)


async def test_a_device_gets_what_is_shown_over_http_2(
    apple: tuple[Apple, Any], service: ApplePush, notification: PushNotification
) -> None:
    assert await service.push(DEVICE, notification) == PushAccepted()

    (request,) = apple[0].requests
    assert request.headers[":method"] == "POST"
    assert request.headers[":path"] == f"/3/device/{DEVICE.token}"
    assert request.headers["apns-topic"] == BUNDLE
    assert request.headers["apns-push-type"] == "alert"
    assert request.headers["apns-priority"] == "10"
    assert request.headers["apns-collapse-id"] == notification.dispatch_id
    assert len(request.headers["apns-collapse-id"]) <= 64
    assert int(request.headers["apns-expiration"]) > time.time()
    payload = orjson.loads(request.body)
    assert payload["aps"] == {
        "alert": {"title": "Só hoje", "body": "Frete grátis"},
        "sound": "default",
        "mutable-content": 1,
    }
    assert payload["dispatchId"] == notification.dispatch_id
    assert len(request.body) <= 4096


async def test_data_alone_go_in_the_background(
    apple: tuple[Apple, Any], service: ApplePush, silent: PushNotification
) -> None:
    await service.push(DEVICE, silent)

    (request,) = apple[0].requests
    assert (request.headers["apns-push-type"], request.headers["apns-priority"]) == (
        "background",
        "5",
    )
    assert orjson.loads(request.body)["aps"] == {"content-available": 1}


async def test_apple_knows_who_sends_and_one_connection_serves_many(
    apple: tuple[Apple, Any], service: ApplePush, account: Apns, notification: PushNotification
) -> None:
    await asyncio.gather(*(service.push(DEVICE, notification) for _ in range(20)))

    server = apple[0]
    (bearer,) = {request.headers["authorization"] for request in server.requests}
    token = bearer.removeprefix("bearer ")
    key: Any = load_pem_private_key(account.private_key.encode(), password=None).public_key()
    assert jwt.get_unverified_header(token) == {"typ": "JWT", "alg": "ES256", "kid": "KEY1234567"}
    claims = jwt.decode(token, key, algorithms=["ES256"])
    assert claims["iss"] == "TEAM123456"
    assert abs(claims["iat"] - time.time()) < 60
    assert server.connections == 1


async def test_a_token_is_replaced_within_its_hour_and_not_before(
    service: ApplePush, notification: PushNotification, apple: tuple[Apple, Any]
) -> None:
    assert 20 * 60 < RENEW_SECONDS < 3600
    for _ in range(2):
        await service.push(DEVICE, notification)
    service._renew_at = 0.0
    await service.push(DEVICE, notification)

    first, second, third = [request.headers["authorization"] for request in apple[0].requests]
    assert first == second != third


async def test_a_token_that_apple_calls_expired_is_replaced_at_once(
    apple: tuple[Apple, Any], service: ApplePush, notification: PushNotification
) -> None:
    apple[0].answers = [(403, "ExpiredProviderToken", {}), (200, None, {})]

    assert await service.push(DEVICE, notification) == PushDeferred()
    assert await service.push(DEVICE, notification) == PushAccepted()

    first, second = [request.headers["authorization"] for request in apple[0].requests]
    assert first != second


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ((410, "Unregistered", {}), DeviceGone()),
        ((400, "BadDeviceToken", {}), DeviceGone()),
        ((400, "DeviceTokenNotForTopic", {}), PushRejected()),
        ((400, "BadTopic", {}), PushRejected()),
        ((403, "InvalidProviderToken", {}), PushRejected()),
        ((413, "PayloadTooLarge", {}), PushRejected()),
        ((429, "TooManyRequests", {"retry-after": "20"}), PushDeferred(20)),
        ((429, "TooManyRequests", {}), PushDeferred()),
        ((500, "InternalServerError", {}), PushDeferred()),
        ((503, "ServiceUnavailable", {}), PushDeferred()),
    ],
)
async def test_what_apple_answers_is_understood(
    apple: tuple[Apple, Any],
    service: ApplePush,
    notification: PushNotification,
    reply: Any,
    answer: Answer,
) -> None:
    apple[0].answers = [reply]

    assert await service.push(DEVICE, notification) == answer


async def test_a_server_that_is_away_is_tried_later(
    apple: tuple[Apple, Any], account: Apns, notification: PushNotification
) -> None:
    service = ApplePush(account, apple[1], send_to="https://127.0.0.1:1025")

    assert await service.push(DEVICE, notification) == PushDeferred()


def test_an_app_in_development_is_served_by_apples_sandbox(
    apple: tuple[Apple, Any], account: Apns
) -> None:
    assert ApplePush(account, apple[1])._base == PRODUCTION
    assert ApplePush(account.model_copy(update={"sandbox": True}), apple[1])._base == DEVELOPMENT
