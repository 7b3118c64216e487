"""Idempotency-Key at the entry point, on operations whose use cases know nothing of it."""

import asyncio
import json

import httpx
import pytest

from core import contacts, privacy
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Scope
from core.idempotency import concurrent
from rest_api.app import create_app
from rest_api.support.once import plain_body
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.support.races import outside
from tests.support.statements import statements

PHONE = "+5511987654321"
REPLAYED = "idempotent-replayed"
LIST = {"name": "Novembro", "description": "Da campanha"}


def of(token: str, key: str | None = "k") -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **({} if key is None else {"Idempotency-Key": key})}


async def an_organization() -> tuple[str, str, str]:
    """Its id, a key that sees phones, and one that does not."""
    organization = (await a_caller()).organization_id
    whole = await a_key(organization_id=organization, scopes=KEY_SCOPES)
    return (
        organization,
        whole,
        await a_key(organization_id=organization, scopes=KEY_SCOPES - {Scope.PII_FULL}),
    )


async def test_a_secret_is_told_again_and_is_stored_sealed(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()
    body = {"url": "https://example.com/hook", "events": ["sms.delivered"]}

    first = await rest.post("/webhooks", json=body, headers=of(token))
    again = await rest.post("/webhooks", json=body, headers=of(token))

    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.headers.get(REPLAYED), again.headers.get(REPLAYED)) == (None, "true")
    assert again.json() == first.json()
    assert await db.fetchval("SELECT count(*) FROM webhook_subscriptions") == 1
    stored = await db.fetchval("SELECT string_agg(to_jsonb(k)::text, '') FROM idempotency_keys k")
    assert first.json()["reveal"]["secret"] not in stored


async def test_what_a_key_did_that_sees_phones_is_not_told_to_one_that_sees_none(
    rest: httpx.AsyncClient,
) -> None:
    _, whole, masked = await an_organization()
    assert (
        await rest.post("/contacts", json={"phone": PHONE}, headers=of(whole))
    ).status_code == 201

    refused = await rest.post("/contacts", json={"phone": PHONE}, headers=of(masked))
    the_other_way = await rest.post(
        "/contacts", json={"phone": "+5511987650006"}, headers=of(masked, "other")
    )
    told = await rest.post(
        "/contacts", json={"phone": "+5511987650006"}, headers=of(whole, "other")
    )

    assert the_problem(refused, 409)["meta"] == {"code": "CHAVE_REUTILIZADA"}
    must_not_hold(refused, [PHONE])
    assert told.json() == the_other_way.json()
    assert "*" in told.json()["phone"]


async def test_an_erased_contact_is_shown_to_nobody_again_and_is_not_made_again(
    rest: httpx.AsyncClient,
) -> None:
    organization, token, _ = await an_organization()
    caller = await a_caller(organization_id=organization)
    made = await rest.post("/contacts", json={"phone": PHONE, "name": "Zulmira"}, headers=of(token))
    await privacy.erase_contact(caller, made.json()["id"])

    refused = await rest.post(
        "/contacts", json={"phone": PHONE, "name": "Zulmira"}, headers=of(token)
    )

    assert the_problem(refused, 409)["meta"] == {"code": "CHAVE_REUTILIZADA"}
    assert await contacts.Contact.all().count() == 0
    assert await db.fetchval("SELECT answer FROM idempotency_keys") == {}


async def test_the_status_of_the_first_answer_comes_again(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()
    event = {"name": "compra", "eventId": "e-1", "contact": {"phone": PHONE}}

    first = await rest.post("/v2/events", json=event, headers=of(token))
    again = await rest.post("/v2/events", json=event, headers=of(token))
    keyless = await rest.post("/v2/events", json=event, headers=of(token, None))
    later = await rest.post("/v2/events", json=event, headers=of(token, "later"))
    later_again = await rest.post("/v2/events", json=event, headers=of(token, "later"))

    answers = [
        (one.status_code, one.json()["duplicate"])
        for one in (first, again, keyless, later, later_again)
    ]
    assert answers == [(201, False), (201, False), (200, True), (200, True), (200, True)]


async def test_a_body_is_the_same_however_it_is_written(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()
    turned = json.dumps(dict(reversed(LIST.items())), indent=2).encode()

    first = await rest.post("/v2/lists", json=LIST, headers=of(token))
    again = await rest.post("/v2/lists", content=turned, headers=of(token))
    other = await rest.post("/v2/lists", json={**LIST, "name": "novembro"}, headers=of(token))

    assert (again.status_code, again.json()) == (201, first.json())
    assert the_problem(other, 409)["meta"] == {"code": "CHAVE_REUTILIZADA"}


def test_what_only_our_own_reader_takes_is_told_apart_by_its_bytes() -> None:
    told = [plain_body(raw) for raw in (b'{"a": NaN}', b'{"a":  NaN}', b"{}", b"")]

    assert told[0] != told[1]
    assert told[2:] == [{}, {}]


async def test_no_body_says_what_an_empty_one_says(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()
    subscription = {"url": "https://example.com/hook", "events": ["sms.delivered"]}
    id = (await rest.post("/webhooks", json=subscription, headers=of(token, None))).json()[
        "webhook"
    ]["id"]

    first = await rest.post(f"/webhooks/{id}/rotate-secret", headers=of(token))
    again = await rest.post(f"/webhooks/{id}/rotate-secret", json={}, headers=of(token))

    assert again.json() == first.json()
    assert await db.fetchval("SELECT secret_version FROM webhook_subscriptions") == 2


async def test_a_key_belongs_to_its_organization_environment_and_operation(
    rest: httpx.AsyncClient,
) -> None:
    organization, token, _ = await an_organization()
    live = await a_key("live", organization_id=organization)
    _, stranger, _ = await an_organization()

    made = [
        await rest.post("/v2/lists", json=LIST, headers=of(one)) for one in (token, live, stranger)
    ]
    elsewhere = await rest.post("/v2/companies", json={"nome": "Padaria"}, headers=of(token))

    assert [answer.status_code for answer in (*made, elsewhere)] == [201] * 4
    assert not [answer for answer in (*made, elsewhere) if REPLAYED in answer.headers]
    assert len({answer.json()["id"] for answer in made}) == 3


async def test_a_request_without_a_key_costs_no_statement_for_one(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()

    async with statements() as keyless:
        await rest.post("/v2/lists", json=LIST, headers=of(token, None))
    async with statements() as keyed:
        await rest.post("/v2/lists", json={"name": "Dezembro"}, headers=of(token))

    assert not about_keys(keyless)
    assert len(about_keys(keyed)) == 3


def about_keys(asked: list[str]) -> list[str]:
    return [one for one in asked if "idempotency_keys" in one or "advisory" in one]


async def test_an_operation_that_honours_no_key_takes_any(rest: httpx.AsyncClient) -> None:
    _, token, _ = await an_organization()
    draft = {"body": "Olá"}

    answers = [
        await rest.post("/v2/sms/preview", json=draft, headers=of(token, key))
        for key in ("k", "k", "x" * 256)
    ]

    assert [answer.status_code for answer in answers] == [200] * 3
    assert await db.fetchval("SELECT count(*) FROM idempotency_keys") == 0


@pytest.mark.usefixtures("real_commits")
async def test_while_the_first_is_under_way_the_second_waits_and_is_told_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(concurrent, "POLL_SECONDS", 0.01)
    organization, token, _ = await an_organization()
    held, done = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        """As the first would: it holds the key until it has committed."""
        from core.foundation.database.transactions import transaction
        from core.idempotency.idempotent import LOCK

        async with transaction():
            assert await db.fetchval(LOCK, f"{organization} test POST /v2/lists k")
            held.set()
            await done.wait()

    first = outside(hold())
    await held.wait()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=create_app()), base_url="http://svc.test"
    ) as client:
        refused = await client.post("/v2/lists", json=LIST, headers=of(token))
        done.set()
        await first
        made = await client.post("/v2/lists", json=LIST, headers=of(token))

    assert the_problem(refused, 409)["meta"] == {"code": "IDEMPOTENCIA_EM_ANDAMENTO"}
    assert refused.headers["retry-after"] == "1"
    assert (made.status_code, REPLAYED in made.headers) == (201, False)
