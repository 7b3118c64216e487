"""Changing, rotating and validating over REST: statuses, bodies, headers and what never comes back."""

import re
from typing import Any

import httpx
import pytest

from tests.factories.organizations import a_key
from tests.rest_api.contract import the_document
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.support.receiver import a_receiver, signed_by

NOWHERE = "http://127.0.0.1:9009/hooks"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def subscribed(
    rest: httpx.AsyncClient, key: str, url: str = NOWHERE, **fields: Any
) -> dict[str, Any]:
    """`{webhook, reveal}` of a new subscription."""
    answer = await rest.post(
        "/webhooks", json={"url": url, "events": ["sms.failed"], **fields}, headers=bearer(key)
    )
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


# PATCH --------------------------------------------------------------------------------------------


async def test_a_change_answers_200_with_the_whole_record(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    before = (await subscribed(rest, key, headers=[{"key": "X-A", "value": "secret of mine"}]))[
        "webhook"
    ]
    address = f"/webhooks/{before['id']}"

    answer = await rest.patch(
        address, json={"status": "paused", "description": "Shop"}, headers=bearer(key)
    )

    assert answer.status_code == 200
    expected = {
        **before,
        "status": "paused",
        "description": "Shop",
        "updatedAt": answer.json()["updatedAt"],
    }
    assert answer.json() == expected
    assert (await rest.get(address, headers=bearer(key))).json() == expected
    must_not_hold(answer, ["secret of mine"])


async def test_an_empty_change_answers_200_unchanged(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    before = (await subscribed(rest, key))["webhook"]

    answer = await rest.patch(f"/webhooks/{before['id']}", json={}, headers=bearer(key))

    assert (answer.status_code, answer.json()) == (200, before)


async def test_the_address_is_refused_by_name_beside_every_other_wrong_field(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key()
    before = (await subscribed(rest, key))["webhook"]
    body = {
        "url": "https://example.com/other",
        "status": "revoked",
        "headers": [{"key": "Host", "value": "a-value-sent"}],
        "secretVersion": 3,
    }

    answer = await rest.patch(f"/webhooks/{before['id']}", json=body, headers=bearer(key))

    assert wrong_fields(the_problem(answer, 422)) == [
        ("pointer", "/headers/0/key", "reserved_header"),
        ("pointer", "/secretVersion", "unknown_field"),
        ("pointer", "/status", "not_allowed"),
        ("pointer", "/url", "immutable"),
    ]
    must_not_hold(answer, ["https://example.com/other", "a-value-sent"])
    assert (await rest.get(f"/webhooks/{before['id']}", headers=bearer(key))).json() == before


# Rotation -----------------------------------------------------------------------------------------


async def test_a_rotation_without_a_body_answers_the_new_secret_once(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key()
    made = await subscribed(rest, key)
    address = f"/webhooks/{made['webhook']['id']}"

    answer = await rest.post(f"{address}/rotate-secret", headers=bearer(key))

    assert answer.status_code == 200
    revealed = answer.json()
    assert list(revealed) == ["id", "secret", "secretVersion", "createdAt"]
    assert (revealed["id"], revealed["secretVersion"]) == (made["webhook"]["id"], 2)
    assert re.fullmatch(r"whsec_[A-Za-z0-9_-]+", revealed["secret"])
    secrets = [revealed["secret"], made["reveal"]["secret"]]
    assert secrets[0] != secrets[1]
    for later in (
        await rest.get(address, headers=bearer(key)),
        await rest.get("/webhooks", headers=bearer(key)),
        await rest.patch(address, json={"status": "paused"}, headers=bearer(key)),
    ):
        must_not_hold(later, secrets)


# Validation ---------------------------------------------------------------------------------------


async def test_a_good_endpoint_is_told_with_status_and_time(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    async with a_receiver() as receiver:
        body = {"url": receiver.url, "headers": [{"key": "X-Tenant", "value": "a"}]}
        answer = await rest.post("/webhooks/validate", json=body, headers=bearer(key))

        assert answer.status_code == 200
        assert list(answer.json()) == ["ok", "statusCode", "latencyMs"]
        (ping,) = receiver.arrivals
        assert (ping.event["type"], ping.event["data"], ping.headers["x-tenant"]) == (
            "webhook.ping",
            {},
            "a",
        )
        assert not signed_by("whsec_", ping)
    assert (await rest.get("/webhooks", headers=bearer(key))).json()["total"] == 0


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com", "insecure_scheme"),
        ("http://127.0.0.1:1/", "ssrf_blocked"),
        ("http://127.0.0.1:9/", "ssrf_blocked"),
    ],
)
async def test_a_bad_address_is_200_with_a_reason(
    rest: httpx.AsyncClient, url: str, reason: str
) -> None:
    answer = await rest.post("/webhooks/validate", json={"url": url}, headers=bearer(await a_key()))

    assert answer.status_code == 200
    assert list(answer.json()) == ["ok", "reason", "message"]
    assert (answer.json()["ok"], answer.json()["reason"]) == (False, reason)
    must_not_hold(answer, [url])


# The document -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "method", "statuses", "required"),
    [
        ("/webhooks/{id}", "patch", {"200", "401", "403", "404", "422"}, True),
        ("/webhooks/{id}/rotate-secret", "post", {"200", "401", "403", "404", "409", "422"}, False),
        ("/webhooks/validate", "post", {"200", "401", "403", "422", "429"}, True),
    ],
)
def test_the_document_tells_statuses_bodies_and_examples(
    path: str, method: str, statuses: set[str], required: bool
) -> None:
    operation = the_document()["paths"][path][method]

    assert set(operation["responses"]) == statuses | {"413", "500", "503"}
    assert operation["x-scope"] == "webhooks:write"
    assert operation["requestBody"]["required"] is required
    assert operation["requestBody"]["content"]["application/json"]["examples"]


def test_the_document_does_not_offer_what_a_change_refuses() -> None:
    schemas = the_document()["components"]["schemas"]
    fields = schemas["SubscriptionChanges"]["properties"]

    assert set(fields) == {"events", "status", "description", "headers", "retry"}
    assert schemas["WebhookSwitch"]["enum"] == ["active", "paused"]
    assert all("default" not in field for field in fields.values())
    assert [name for name, field in fields.items() if "null" in repr(field)] == ["description"]
