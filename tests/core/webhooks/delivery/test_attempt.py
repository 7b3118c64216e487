"""Carrying events to a real endpoint: what arrives, how it is proven, and what a failure makes of
it.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from functools import partial
from inspect import signature
from typing import Any

import pytest
from standardwebhooks import Webhook

from core import sms, webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.http_client import GuardedClient, PostResult, post
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.webhooks import Dispatcher
from core.webhooks.delivery import attempt as attempt_module
from core.webhooks.delivery.attempt import outcome_of
from core.webhooks.delivery.claim import LEASE
from tests.core.foundation.http_client.peers import a_peer, answer
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription, an_event
from tests.support.claims import claim_due
from tests.support.receiver import Arrival, Receiver, signed_by

pytestmark = pytest.mark.usefixtures("clean_slate")


async def deliver(http: GuardedClient) -> None:
    """Deliver what is due now, as a worker does."""
    await Dispatcher(http).drain()


async def make_due() -> None:
    """What waits for another attempt is due at once, as if the time had passed."""
    await db.execute("UPDATE webhook_deliveries SET due_at = $1 WHERE due_at IS NOT NULL", now())


async def the_delivery() -> dict[str, Any]:
    rows = await db.fetch("SELECT * FROM webhook_deliveries")
    assert len(rows) == 1
    return dict(rows[0])


async def the_health(caller: Caller, id: str) -> tuple[int, str | None, str | None]:
    """(consecutiveFailures, lastSuccessAt, lastFailureAt)."""
    record = await webhooks.get_subscription(caller, id)
    return record["consecutiveFailures"], record.get("lastSuccessAt"), record.get("lastFailureAt")


@pytest.fixture
async def caller() -> Caller:
    return await a_caller()


# What arrives -------------------------------------------------------------------------------------


async def test_the_body_is_the_documented_one(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(caller, receiver.url)
    at = now() - timedelta(seconds=30)
    await an_event(caller, at=at, text="olá", n=1)

    await deliver(http)

    (arrival,) = receiver.arrivals
    event = json.loads(arrival.body)
    assert is_id("evt", event["id"])
    assert event == {
        "id": event["id"],
        "type": "sms.delivered",
        "timestamp": wire_time(at),
        "env": "test",
        "organizationId": caller.organization_id,
        "apiVersion": webhooks.API_VERSION,
        "data": {"id": "msg_1", "to": "+5511987654321", "text": "olá", "n": 1},
    }
    assert list(event) == ["id", "type", "timestamp", "env", "organizationId", "apiVersion", "data"]
    assert arrival.body == json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()


async def test_a_sent_sms_arrives_as_its_outcome(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(caller, receiver.url, events=["sms.failed"])
    sent = await a_send(caller, to="+5511987650013", metadata={"order": "A-1"})
    at = now() + timedelta(seconds=4)
    await sms.apply_due_reports(at=at)
    await make_due()

    await deliver(http)

    (event,) = receiver.events()
    data = event["data"]
    assert (event["type"], event["env"], event["timestamp"]) == (
        "sms.failed",
        "test",
        wire_time(at),
    )
    assert (data["id"], data["status"], data["reason"]) == (sent["id"], "failed", "expired")
    assert data["metadata"] == {"order": "A-1"}
    assert data["providerReceipt"]["reference"] == sent["id"]


async def test_the_headers_name_and_prove_the_delivery(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    new = await a_subscription(caller, receiver.url)
    await an_event(caller)
    before = int(now().timestamp())

    await deliver(http)

    (arrival,) = receiver.arrivals
    headers, secret = arrival.headers, new["reveal"]["secret"]
    assert headers["content-type"] == "application/json"
    assert headers["x-svc-webhook-id"] == new["webhook"]["id"]
    assert headers["x-svc-event"] == "sms.delivered"
    assert headers["x-svc-delivery-id"] == (await the_delivery())["id"]
    assert headers["x-svc-attempt"] == "1"
    assert headers["webhook-id"] == arrival.event["id"]
    assert before <= int(headers["webhook-timestamp"]) <= int(now().timestamp())
    assert headers["x-svc-signature"].startswith(f"t={headers['webhook-timestamp']},v1=")
    assert signed_by(secret, arrival)
    assert Webhook(secret).verify(arrival.body, dict(headers)) == arrival.event


async def test_the_signature_of_another_body_or_secret_does_not_fit(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    new = await a_subscription(caller, receiver.url)
    other = await a_subscription(caller, receiver.url, events=["sms.failed"])
    await an_event(caller)

    await deliver(http)

    (arrival,) = receiver.arrivals
    assert not signed_by(other["reveal"]["secret"], arrival)
    assert not signed_by(new["reveal"]["secret"], Arrival(arrival.headers, arrival.body + b" "))


async def test_the_subscriptions_own_headers_come_along_and_replace_none_of_ours(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(
        caller,
        receiver.url,
        headers=[
            {"key": "Authorization", "value": "Bearer shop"},
            {"key": "X-Shop", "value": "1 2"},
        ],
    )
    await an_event(caller)

    await deliver(http)

    (arrival,) = receiver.arrivals
    assert arrival.headers["authorization"] == "Bearer shop"
    assert arrival.headers["x-shop"] == "1 2"
    assert arrival.headers["x-svc-event"] == "sms.delivered"


@pytest.mark.parametrize("sees", [True, False])
async def test_personal_data_is_masked_unless_the_subscription_may_see_it(
    receiver: Receiver, http: GuardedClient, sees: bool
) -> None:
    caller = await a_caller(scopes=KEY_SCOPES if sees else KEY_SCOPES - {Scope.PII_FULL})
    await a_subscription(
        caller, receiver.url, events=["sms.delivered", "contact.opted_out", "email.bounced"]
    )
    at = now() - timedelta(seconds=30)
    await an_event(caller, at=at, providerReceipt={"to": "+5511987654321", "status": "DELIVRD"})
    await an_event(caller, "contact.opted_out", at=at, phone="+5511987654321")
    await an_event(
        caller, "email.bounced", at=at, to="maria@dominio.com", **{"from": "loja@dominio.com"}
    )

    await deliver(http)

    data = {event["type"]: event["data"] for event in receiver.events()}
    phone = "+5511987654321" if sees else "+5511*****4321"
    assert data["sms.delivered"]["to"] == data["sms.delivered"]["providerReceipt"]["to"] == phone
    assert data["contact.opted_out"]["phone"] == phone
    assert data["email.bounced"]["to"] == ("maria@dominio.com" if sees else "m***@dominio.com")
    assert data["email.bounced"]["from"] == ("loja@dominio.com" if sees else "l***@dominio.com")
    assert sees or not any(b"98765" in arrival.body for arrival in receiver.arrivals)


async def test_each_listener_gets_its_own_signature_and_the_same_event(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    secrets = {
        new["webhook"]["id"]: new["reveal"]["secret"]
        for new in [await a_subscription(caller, receiver.url) for _ in range(2)]
    }
    await an_event(caller)

    await deliver(http)

    assert len(receiver.arrivals) == 2
    assert {arrival.headers["x-svc-webhook-id"] for arrival in receiver.arrivals} == set(secrets)
    assert len({arrival.event["id"] for arrival in receiver.arrivals}) == 1
    assert len({arrival.headers["x-svc-delivery-id"] for arrival in receiver.arrivals}) == 2
    assert all(
        signed_by(secrets[arrival.headers["x-svc-webhook-id"]], arrival)
        for arrival in receiver.arrivals
    )


# Success ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
async def test_any_2xx_ends_the_delivery(
    caller: Caller, receiver: Receiver, http: GuardedClient, status: int
) -> None:
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    receiver.answer = lambda _: status
    await an_event(caller)

    await deliver(http)

    delivery = await the_delivery()
    assert (delivery["status"], delivery["attempts"], delivery["due_at"]) == ("entregue", 1, None)
    assert (delivery["last_status_code"], delivery["last_error"]) == (status, None)
    assert delivery["last_latency_ms"] >= 0
    failures, success, failure = await the_health(caller, id)
    assert (failures, success, failure) == (0, wire_time(delivery["finished_at"]), None)
    await make_due()
    await deliver(http)
    assert len(receiver.arrivals) == 1


# Failure ------------------------------------------------------------------------------------------


async def test_a_failed_attempt_is_made_again_with_the_same_body_and_ids(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    new = await a_subscription(caller, receiver.url)
    statuses = iter([500, 404, 200])
    receiver.answer = lambda _: next(statuses)
    await an_event(caller)

    for _ in range(3):
        await deliver(http)
        await make_due()

    assert (await the_delivery())["status"] == "entregue"
    assert len({arrival.body for arrival in receiver.arrivals}) == 1
    assert len({arrival.headers["x-svc-delivery-id"] for arrival in receiver.arrivals}) == 1
    assert len({arrival.headers["webhook-id"] for arrival in receiver.arrivals}) == 1
    assert [arrival.headers["x-svc-attempt"] for arrival in receiver.arrivals] == ["1", "2", "3"]
    assert all(signed_by(new["reveal"]["secret"], arrival) for arrival in receiver.arrivals)


async def test_the_next_attempt_waits_for_the_plan(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(caller, receiver.url, retry={"maxAttempts": 3, "backoffSeconds": 100})
    receiver.answer = lambda _: 500
    await an_event(caller)

    before = now()
    await deliver(http)
    first = await the_delivery()
    await deliver(http)
    assert len(receiver.arrivals) == 1, "it is not due yet"
    await make_due()
    await deliver(http)
    second = await the_delivery()

    assert (first["status"], first["attempts"], first["finished_at"]) == ("falhando", 1, None)
    assert (first["last_status_code"], first["last_error"]) == (500, None)
    assert within(first["due_at"], before, 80, 121)
    assert (second["status"], second["attempts"]) == ("falhando", 2)
    assert within(second["due_at"], before, 320, 481)


def within(at: datetime, since: datetime, least: float, most: float) -> bool:
    return least <= (at - since).total_seconds() <= most


async def test_after_the_last_attempt_the_delivery_is_dead(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(caller, receiver.url, retry={"maxAttempts": 2, "backoffSeconds": 5})
    receiver.answer = lambda _: 500
    await an_event(caller)

    for _ in range(4):
        await deliver(http)
        await make_due()

    delivery = await the_delivery()
    assert len(receiver.arrivals) == 2
    assert (delivery["status"], delivery["attempts"], delivery["due_at"]) == ("morta", 2, None)
    assert delivery["finished_at"] is not None


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
async def test_a_receiver_that_asks_for_time_gets_it(
    caller: Caller, http: GuardedClient, status: str
) -> None:
    async with a_peer(answer(b"", status, "Retry-After: 600")) as peer:
        await a_subscription(caller, peer.url())
        await an_event(caller)
        before = now()
        await deliver(http)

    delivery = await the_delivery()
    assert (delivery["status"], delivery["last_status_code"]) == ("falhando", int(status[:3]))
    assert within(delivery["due_at"], before, 600, 601)


async def test_a_receiver_that_is_merely_broken_cannot_ask_for_time(
    caller: Caller, http: GuardedClient
) -> None:
    async with a_peer(answer(b"", "500 Internal Server Error", "Retry-After: 600")) as peer:
        await a_subscription(caller, peer.url())
        await an_event(caller)
        before = now()
        await deliver(http)

    assert within((await the_delivery())["due_at"], before, 24, 37)


@pytest.mark.parametrize(
    "status", ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent"]
)
async def test_a_redirect_is_a_failure_and_is_not_followed(
    caller: Caller, receiver: Receiver, http: GuardedClient, status: str
) -> None:
    async with a_peer(answer(b"", status, f"Location: {receiver.url}")) as peer:
        await a_subscription(caller, peer.url())
        await an_event(caller)
        await deliver(http)

    delivery = await the_delivery()
    assert (delivery["status"], delivery["last_status_code"]) == ("falhando", int(status[:3]))
    assert receiver.arrivals == []


async def test_an_endpoint_that_is_not_there_is_a_failure_with_a_reason(
    caller: Caller, http: GuardedClient
) -> None:
    async with a_peer(answer()) as peer:
        gone = peer.url()
    id = (await a_subscription(caller, gone))["webhook"]["id"]
    await an_event(caller)

    await deliver(http)

    delivery = await the_delivery()
    assert (delivery["status"], delivery["last_status_code"], delivery["last_error"]) == (
        "falhando",
        None,
        "unreachable",
    )
    assert (await the_health(caller, id))[0] == 1


async def test_an_address_that_became_forbidden_is_not_called(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    await db.execute(
        "UPDATE webhook_subscriptions SET url = 'http://10.0.0.1:9009/' WHERE id = $1", id
    )
    await an_event(caller)

    await deliver(http)

    assert (await the_delivery())["last_error"] == "ssrf_blocked"


# The circuit breaker of a subscription -------------------------------------------------------------------


async def test_failures_are_counted_until_the_next_success(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    receiver.answer = lambda _: 500
    await an_event(caller)
    for _ in range(3):
        await deliver(http)
        await make_due()
    failures, success, failed_at = await the_health(caller, id)
    assert (failures, success) == (3, None)
    assert failed_at is not None

    receiver.answer = lambda _: 200
    await deliver(http)

    failures, success, last_failure = await the_health(caller, id)
    assert (failures, last_failure) == (0, failed_at)
    assert success is not None
    assert success >= failed_at


async def test_one_subscriptions_failures_are_not_anothers(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    bad = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    good = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    receiver.answer = lambda arrival: 500 if arrival.headers["x-svc-webhook-id"] == bad else 200
    await an_event(caller)

    await deliver(http)

    assert (await the_health(caller, bad))[0] == 1
    assert (await the_health(caller, good))[0] == 0


# Claims -------------------------------------------------------------------------------------------


async def test_a_claimed_delivery_is_not_claimed_again_until_its_lease_ends(caller: Caller) -> None:
    await a_subscription(caller)
    await an_event(caller)
    at = now()

    first = await claim_due(at=at, limit=10)
    meanwhile = await claim_due(at=at + LEASE - timedelta(milliseconds=1), limit=10)
    later = await claim_due(at=at + LEASE, limit=10)

    assert len(first) == 1
    assert meanwhile == []
    assert later == first


async def test_claims_take_the_oldest_first_and_no_more_than_asked(caller: Caller) -> None:
    await a_subscription(caller)
    at = now()
    for seconds in (1, 3, 2):
        await an_event(caller, at=at - timedelta(seconds=seconds), n=seconds)
    await an_event(caller, at=at + timedelta(seconds=1), n=0)

    taken = [due.data["n"] for due in await claim_due(at=at, limit=2)]
    rest = [due.data["n"] for due in await claim_due(at=at, limit=2)]

    assert sorted(taken) == [2, 3]
    assert rest == [1], "what is not due yet is left"


async def test_a_delivery_whose_worker_died_is_made_by_the_next(
    caller: Caller, receiver: Receiver, http: GuardedClient
) -> None:
    await a_subscription(caller, receiver.url)
    await an_event(caller)
    assert len(await claim_due(at=now(), limit=10)) == 1

    await deliver(http)
    assert receiver.arrivals == []
    await make_due()
    await deliver(http)

    assert [arrival.headers["x-svc-attempt"] for arrival in receiver.arrivals] == ["1"]


@pytest.fixture
async def hanging() -> AsyncIterator[str]:
    """An endpoint that takes the request and never answers."""

    async def never(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with a_peer(never) as peer:
        yield peer.url()


async def test_no_answer_in_time_is_a_failure(
    caller: Caller, http: GuardedClient, hanging: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempt_module, "post", partial(post, timeout=0.1))
    await a_subscription(caller, hanging)
    await an_event(caller)

    await deliver(http)

    delivery = await the_delivery()
    assert (delivery["status"], delivery["last_status_code"], delivery["last_error"]) == (
        "falhando",
        None,
        "timeout",
    )
    assert delivery["last_latency_ms"] >= 100


def test_an_attempt_takes_less_than_its_lease() -> None:
    assert timedelta(seconds=2 * signature(post).parameters["timeout"].default) < LEASE


async def test_a_wait_begins_when_the_attempt_is_over() -> None:
    """Somebody who hangs is left alone for as long as somebody who fails at once."""
    caller = await a_caller()
    await a_subscription(caller, retry={"maxAttempts": 3, "backoffSeconds": 5})
    await an_event(caller)
    at = now()
    (due,) = await claim_due(at=at, limit=1)

    hung = outcome_of(due, PostResult(None, 15_000, error="timeout"), at=at)
    asked = outcome_of(due, PostResult(429, 10_000, retry_after=20), at=at)

    assert hung.due_at is not None
    assert hung.due_at >= at + timedelta(seconds=15 + 4)
    assert asked.due_at == at + timedelta(seconds=10 + 20)
