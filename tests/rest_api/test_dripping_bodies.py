"""Who has not shown who he is has half a minute for his body, wherever he posts it."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from core.foundation import settings
from core.providers.gateway import sign
from rest_api import console
from rest_api.app import OPERATIONS
from rest_api.email import routes as email
from rest_api.providers import amazon, gateway, meta, payments, smtp
from rest_api.support import prompt
from rest_api.support.pages import PageEndpoint
from tests.rest_api.problem_answers import the_problem
from tests.support.stored import nothing_stored

SECRET = "a secret that both sides know"
TOPIC = "arn:aws:sns:sa-east-1:123456789012:events"
SIGNED = sign(SECRET, b"{}", to="POST /", at=int(time.time()))

ADDRESSES = {
    "/providers/gateway/{organization_id}/receipts": {"X-Gateway-Signature": SIGNED},
    "/providers/gateway/{organization_id}/replies": {"X-Gateway-Signature": SIGNED},
    "/providers/payments/{organization_id}": {"X-Payment-Signature": SIGNED},
    "/providers/smtp/{organization_id}/feedback": {"X-Smtp-Signature": SIGNED},
    "/providers/amazon/events": {"X-Amz-Sns-Topic-Arn": TOPIC},
    "/providers/meta": {"X-Hub-Signature-256": f"sha256={'0' * 64}"},
    "/console/session": {"Content-Type": "application/json", "Origin": "https://svc.test"},
    "/u/{token}": {"Content-Type": "application/x-www-form-urlencoded"},
    "/v2/accounts/accept": {"Content-Type": "application/json"},
    "/v2/sessions/password-reset": {"Content-Type": "application/json"},
    "/v2/sessions/password-reset/confirm": {"Content-Type": "application/json"},
    "/v2/sessions": {"Content-Type": "application/json"},
}


@pytest.fixture(autouse=True)
def everything_is_set(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("SVC_GATEWAY_URL", "http://127.0.0.1:1")
        for name in (
            "SVC_GATEWAY_SECRET",
            "SVC_PAYMENTS_SECRET",
            "SVC_SMTP_FEEDBACK_SECRET",
            "SVC_META_APP_SECRETS",
            "SVC_META_VERIFY_TOKEN",
        ):
            patched.setenv(name, SECRET)
        patched.setenv("SVC_AMAZON_TOPICS", TOPIC)
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


def test_every_address_without_a_credential_is_tried() -> None:
    callbacks = {
        route.path
        for route in (
            *amazon.routes,
            *gateway.routes,
            *meta.routes,
            *payments.routes,
            *smtp.routes,
        )
    }
    public = {operation.path for operation in OPERATIONS if operation.public and operation.body}
    unsubscribing = {
        route.path
        for route in email.routes
        if isinstance(route.endpoint, PageEndpoint) and "POST" in route.endpoint.methods
    }

    browsers = {route.path for route in console.routes if route.path.startswith("/console/session")}

    assert set(ADDRESSES) == callbacks | public | unsubscribing | browsers


@pytest.mark.parametrize("address", ADDRESSES)
async def test_a_body_that_drips_is_not_waited_for(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(prompt, "BODY_SECONDS", 0)
    came = []

    async def dripping() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            came.append(b"{")
            yield b"{"
            await asyncio.sleep(0)

    async with nothing_stored():
        answer = await rest.post(address, content=dripping(), headers=ADDRESSES[address])

    assert (
        the_problem(answer, 400)["detail"]
        == "The body ended before all of it had come; send it again."
    )
    assert answer.headers["connection"] == "close"
    assert 0 < len(came) < 100


@pytest.mark.parametrize(
    "address", [address for address in ADDRESSES if address.startswith("/providers")]
)
async def test_who_does_not_even_sign_is_refused_before_his_body_is_read(
    rest: httpx.AsyncClient, address: str
) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    the_problem(await rest.post(address, content=unread()), 401)
