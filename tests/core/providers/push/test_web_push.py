"""Web Push against a push service of our own, which opens what it gets as a browser does (RFC 8030,
8291, 8292).
"""

import time
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Any

import jwt
import orjson
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from core.foundation import http_client
from core.foundation.http_client import OutboundPolicy
from core.providers.push import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushTarget,
    new_vapid_keys,
    vapid_keys,
)
from core.providers.push.jwt import base64url
from core.providers.push.web_push import WebPushService

LOOPBACK = OutboundPolicy(allow_http=True, allow_networks=(ip_network("127.0.0.0/8"),))


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Browser:
    """A subscription, and the push service that it is at."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"sixteen  octets!"
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        self.headers: dict[str, str] = {}
        self.url = ""

    @property
    def target(self) -> PushTarget:
        return PushTarget(
            f"{self.url}/send/1", base64url(point(self.key.public_key())), base64url(self.auth)
        )

    async def take(self, request: web.Request) -> web.Response:
        self.requests.append((dict(request.headers), await request.read()))
        return web.Response(status=self.status, headers=self.headers)

    def opened(self, body: bytes) -> Any:
        """The content, by the letter of RFC 8188 and RFC 8291."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert length == 65
        assert len(sealed) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        )
        info = b"WebPush: info\x00" + point(self.key.public_key()) + sender
        secret = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(secret)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert plain[-1:] == b"\x02", "the last record ends with its delimiter"
        return orjson.loads(plain[:-1])


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    browser = Browser()
    app = web.Application()
    app.router.add_post("/send/1", browser.take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    browser.url = str(site._server.sockets[0].getsockname()[1]).join(("http://127.0.0.1:", ""))  # type: ignore[union-attr]
    yield browser
    await runner.cleanup()


@pytest.fixture
async def service() -> AsyncIterator[WebPushService]:
    async with http_client.open_client(LOOPBACK) as session:
        yield WebPushService(new_vapid_keys("mailto:push@example.com"), session)


async def test_the_browser_reads_what_was_sent(
    browser: Browser, service: WebPushService, notification: PushNotification
) -> None:
    assert await service.push(browser.target, notification) == PushAccepted()

    headers, body = browser.requests[0]
    assert browser.opened(body) == {
        "title": "Só hoje",
        "body": "Frete grátis",
        "dispatchId": notification.dispatch_id,
        "deepLink": "loja://ofertas",
        "imageUrl": "https://cdn.example.com/a.png",
        "actions": [{"label": "Ver", "link": "loja://ofertas"}],
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert headers["Topic"] == notification.dispatch_id
    assert len(headers["Topic"]) <= 32
    assert len(body) <= 4096


async def test_the_push_service_knows_who_sends(
    browser: Browser, service: WebPushService, notification: PushNotification
) -> None:
    await service.push(browser.target, notification)

    scheme, _, rest = browser.requests[0][0]["Authorization"].partition(" ")
    shown = dict(part.strip().split("=", 1) for part in rest.split(","))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(shown["k"]))
    claims = jwt.decode(shown["t"], key, algorithms=["ES256"], audience=browser.url)
    assert scheme == "vapid"
    assert claims["sub"] == "mailto:push@example.com"
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600


async def test_data_alone_bear_no_title(
    browser: Browser, service: WebPushService, silent: PushNotification
) -> None:
    await service.push(browser.target, silent)

    headers, body = browser.requests[0]
    assert browser.opened(body) == {"dispatchId": silent.dispatch_id, "deepLink": "loja://sync"}
    assert headers["Urgency"] == "low"


async def test_two_copies_are_never_encrypted_alike(
    browser: Browser, service: WebPushService, notification: PushNotification
) -> None:
    for _ in range(2):
        await service.push(browser.target, notification)

    (first, one), (second, other) = browser.requests
    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]
    assert first["Authorization"] == second["Authorization"], "a token serves many"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ((200, {}), PushAccepted()),
        ((404, {}), DeviceGone()),
        ((410, {}), DeviceGone()),
        ((400, {}), PushRejected()),
        ((403, {}), PushRejected()),
        ((413, {}), PushRejected()),
        ((302, {"Location": "http://127.0.0.1:1/"}), PushRejected()),
        ((429, {"Retry-After": "30"}), PushDeferred(30)),
        ((503, {}), PushDeferred()),
        ((500, {}), PushDeferred()),
    ],
)
async def test_what_the_push_service_answers_is_understood(
    browser: Browser,
    service: WebPushService,
    notification: PushNotification,
    reply: Any,
    answer: Answer,
) -> None:
    browser.status, browser.headers = reply

    assert await service.push(browser.target, notification) == answer
    assert len(browser.requests) == 1


@pytest.mark.parametrize("wrong", [{"p256dh": "AAAA"}, {"auth": None}, {"p256dh": "ç"}])
async def test_keys_that_are_none_reject_the_device(
    browser: Browser, service: WebPushService, notification: PushNotification, wrong: dict[str, Any]
) -> None:
    good = {"p256dh": browser.target.p256dh, "auth": browser.target.auth}

    assert (
        await service.push(PushTarget(browser.target.token, **{**good, **wrong}), notification)
        == PushRejected()
    )
    assert browser.requests == []


async def test_an_address_inside_our_network_is_never_called(
    browser: Browser, notification: PushNotification
) -> None:
    async with http_client.open_client(OutboundPolicy()) as session:
        service = WebPushService(new_vapid_keys("mailto:push@example.com"), session)
        assert await service.push(browser.target, notification) == PushRejected()

    assert browser.requests == []


async def test_a_push_service_that_is_away_is_tried_later(
    service: WebPushService, notification: PushNotification
) -> None:
    keys = Browser().target
    away = PushTarget("http://127.0.0.1:1025/x", keys.p256dh, keys.auth)

    assert await service.push(away, notification) == PushDeferred()


def test_a_private_key_has_its_public_one() -> None:
    made = new_vapid_keys("mailto:push@example.com")

    assert vapid_keys("mailto:push@example.com", made.private_key) == made
    assert len(raw(made.public_key)) == 65
    with pytest.raises(ValueError, match="private"):
        vapid_keys("mailto:push@example.com", base64url(bytes(32)))
