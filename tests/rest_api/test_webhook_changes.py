"""Changing, rotating and validating over REST: statuses, bodies, headers and what never comes back."""

import re
from typing import Any

import httpx
import pytest

from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Scope
from core.webhooks import SubscriptionStatus, WebhookSubscription
from tests.factories.organizations import a_key
from tests.rest_api.contract import the_document
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.support.receiver import a_receiver, signed_by

NOWHERE = "http://127.0.0.1:9009/hooks"
UNKNOWN = "/webhooks/wbh_000000000000000000000"


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


async def test_a_masked_value_without_a_stored_one_is_refused(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    id = (await subscribed(rest, key))["webhook"]["id"]

    answer = await rest.patch(
        f"/webhooks/{id}", json={"headers": [{"key": "X-A", "value": "***"}]}, headers=bearer(key)
    )

    assert wrong_fields(the_problem(answer, 422)) == [
        ("pointer", "/headers/0/value", "VALOR_MASCARADO")
    ]


async def test_a_revoked_subscription_whose_endpoint_fails_is_refused_with_the_reason(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key()
    async with a_receiver() as receiver:
        id = (await subscribed(rest, key, receiver.url))["webhook"]["id"]
        await WebhookSubscription.filter(id=id).update(status=SubscriptionStatus.REVOKED)
        receiver.answer = lambda _: 410

        refused = await rest.patch(
            f"/webhooks/{id}", json={"status": "active"}, headers=bearer(key)
        )
        receiver.answer = lambda _: 200
        resumed = await rest.patch(
            f"/webhooks/{id}", json={"status": "active"}, headers=bearer(key)
        )

    body = the_problem(refused, 422)
    assert body["meta"] == {"motivo": "non_2xx"}
    assert wrong_fields(body) == [("pointer", "/status", "non_2xx")]
    assert (resumed.status_code, resumed.json()["status"]) == (200, "active")
    assert len(receiver.arrivals) == 2


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"description":"\xff"}'])
async def test_a_change_that_cannot_be_read_is_422(rest: httpx.AsyncClient, raw: bytes) -> None:
    key = await a_key()
    id = (await subscribed(rest, key))["webhook"]["id"]

    the_problem(await rest.patch(f"/webhooks/{id}", content=raw, headers=bearer(key)), 422)


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


@pytest.mark.parametrize(
    ("body", "overlaps"),
    [({}, False), ({"overlapSeconds": 0}, False), ({"overlapSeconds": 60}, True)],
)
async def test_a_rotation_may_overlap(
    rest: httpx.AsyncClient, body: dict[str, Any], overlaps: bool
) -> None:
    key = await a_key()
    id = (await subscribed(rest, key))["webhook"]["id"]

    answer = await rest.post(f"/webhooks/{id}/rotate-secret", json=body, headers=bearer(key))

    assert answer.status_code == 200
    assert ((await WebhookSubscription.get(id=id)).previous_secret_cipher is not None) is overlaps


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        (b'{"overlapSeconds":604801}', [("pointer", "/overlapSeconds", "too_large")]),
        (b'{"secret":"whsec_mine"}', [("pointer", "/secret", "unknown_field")]),
        (b"{", []),
        (b" ", []),
        (b"null", [("pointer", "", "wrong_type")]),
    ],
)
async def test_a_rotation_that_is_refused_changes_nothing(
    rest: httpx.AsyncClient, raw: bytes, wrong: list[tuple[str, str, str]]
) -> None:
    key = await a_key()
    before = (await subscribed(rest, key))["webhook"]

    answer = await rest.post(
        f"/webhooks/{before['id']}/rotate-secret", content=raw, headers=bearer(key)
    )

    assert wrong_fields(the_problem(answer, 422)) == wrong
    must_not_hold(answer, ["whsec_mine"])
    assert (await rest.get(f"/webhooks/{before['id']}", headers=bearer(key))).json() == before


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
        ("nonsense", "invalid_url"),
        ("ftp://example.com", "insecure_scheme"),
        ("https://10.0.0.1/", "ssrf_blocked"),
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


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        (b"{}", [("pointer", "/url", "required")]),
        (
            b'{"url":7,"event":"x"}',
            [("pointer", "/event", "unknown_field"), ("pointer", "/url", "wrong_type")],
        ),
        (b"", []),
    ],
)
async def test_a_validation_that_cannot_be_read_is_422(
    rest: httpx.AsyncClient, raw: bytes, wrong: list[tuple[str, str, str]]
) -> None:
    answer = await rest.post("/webhooks/validate", content=raw, headers=bearer(await a_key()))

    assert wrong_fields(the_problem(answer, 422)) == wrong


async def test_the_eleventh_validation_of_a_minute_is_429_with_retry_after(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key()
    for _ in range(10):
        answer = await rest.post(
            "/webhooks/validate", json={"url": "nonsense"}, headers=bearer(key)
        )
        assert answer.status_code == 200

    answer = await rest.post("/webhooks/validate", json={"url": "nonsense"}, headers=bearer(key))

    assert the_problem(answer, 429)["meta"] == {"code": "LIMITE_DE_VALIDACOES"}
    assert answer.headers["retry-after"] in ("5", "6")


async def test_only_post_knows_the_address_of_validation(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/webhooks/validate", headers=bearer(await a_key()))

    the_problem(answer, 405)
    assert answer.headers["allow"] == "OPTIONS, POST"


# All three ----------------------------------------------------------------------------------------

Call = tuple[str, str, dict[str, Any]]

CHANGE: Call = ("PATCH", UNKNOWN, {"status": "paused"})
ROTATE: Call = ("POST", f"{UNKNOWN}/rotate-secret", {})
VALIDATE: Call = ("POST", "/webhooks/validate", {"url": NOWHERE})


@pytest.mark.parametrize(("method", "path", "body"), [CHANGE, ROTATE, VALIDATE])
async def test_without_a_key_it_is_401(
    rest: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    the_problem(await rest.request(method, path, json=body), 401)


@pytest.mark.parametrize(("method", "path", "body"), [CHANGE, ROTATE, VALIDATE])
async def test_without_the_scope_it_is_403_before_the_body_is_read(
    rest: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    key = await a_key(scopes=DEFAULT_KEY_SCOPES - {Scope.WEBHOOKS_WRITE})

    answer = await rest.request(method, path, content=b"{", headers=bearer(key))

    assert the_problem(answer, 403)["meta"] == {"escopoExigido": "webhooks:write"}


@pytest.mark.parametrize(("method", "path", "body"), [CHANGE, ROTATE])
async def test_an_unknown_subscription_is_404(
    rest: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    the_problem(await rest.request(method, path, json=body, headers=bearer(await a_key())), 404)


@pytest.mark.parametrize(("method", "path", "body"), [CHANGE, ROTATE])
async def test_another_organizations_subscription_is_404_and_stays_as_it_is(
    rest: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    key = await a_key()
    before = (await subscribed(rest, key))["webhook"]
    address = path.replace(UNKNOWN, f"/webhooks/{before['id']}")

    the_problem(await rest.request(method, address, json=body, headers=bearer(await a_key())), 404)

    assert (await rest.get(f"/webhooks/{before['id']}", headers=bearer(key))).json() == before


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
