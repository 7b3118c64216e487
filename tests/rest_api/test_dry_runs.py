"""A dry run answers what the real call would; nothing of it stays, and nobody is called."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
import pytest

from core import cells, wallet
from core.foundation.database import db, dry_runs
from core.foundation.database.transactions import transaction
from core.foundation.ids import is_id
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import Grant, LocalBuckets, Take
from core.organizations import last_use
from core.providers import registry
from core.webhooks import WebhookSubscription
from rest_api.app import create_app
from tests.contract.replay import nothing_left
from tests.factories.accounts import PASSWORD, a_session
from tests.factories.organizations import a_caller, a_key
from tests.factories.webhooks import a_subscription
from tests.fakes.provider import ScriptedProvider
from tests.fakes.queue import RecordedQueue
from tests.rest_api.problem_answers import the_problem, wrong_fields
from tests.support.races import outside

SMS = {"to": "+5511987650005", "body": "Olá!", "route": "premium"}
CREATE = "mutation($name: String!) { createList(input: {name: $name}) { id name } }"
TWICE = """mutation { first: createList(input: {name: "VIP"}) { id }
  again: createList(input: {name: "VIP"}) { id } other: createList(input: {name: "Outra"}) { id name } }"""


class StoppedBuckets(LocalBuckets):
    """Buckets that nothing flows into, however long a test takes."""

    async def take(self, takes: Sequence[Take]) -> list[Grant]:
        """Grant what is left."""
        return [self._grant(take, 0.0) for take in takes]


async def forget_last_uses(cell: cells.Cell) -> None:
    """Instead of writing them."""
    last_use._noted.clear()


@pytest.fixture
async def rest(
    real_commits: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx.AsyncClient]:
    """Every transaction is one of the database. The last use of a key is not written: that happens
    beside the requests, a moment later.
    """
    monkeypatch.setattr(last_use, "write_uses_of", forget_last_uses)
    rate_limit.use_buckets(LocalBuckets())
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live SMS during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "sms")
    yield provider
    await registry.close_providers()


def of(key: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "X-SVC-Dry-Run": "true", **more}


async def test_a_live_send_is_answered_as_taken_and_no_provider_is_asked(
    rest: httpx.AsyncClient, provider: ScriptedProvider, queue: RecordedQueue
) -> None:
    organization = (await a_caller()).organization_id
    key = await a_key("live", organization_id=organization)
    await wallet.credit(organization, "live", 100_000)

    async with nothing_left():
        answer = await rest.post(
            "/v2/sms/messages", json=SMS, headers=of(key, **{"Idempotency-Key": "k"})
        )

    assert answer.status_code == 201, answer.text
    record = answer.json()
    assert record["billing"]["coins"] > 0
    assert (record["status"], record["replayed"]) == ("sent", False)
    assert is_id("msg", record["id"].removesuffix("_simulado"))
    assert record["id"].endswith("_simulado")
    assert provider.asked == []
    assert queue.jobs == []
    real = await rest.post(
        "/v2/sms/messages",
        json=SMS,
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": "k"},
    )
    assert (real.status_code, real.json()["replayed"]) == (201, False), "the key is free"
    again = await rest.post(
        "/v2/sms/messages", json=SMS, headers=of(key, **{"Idempotency-Key": "k"})
    )
    assert (again.json()["id"], again.json()["replayed"]) == (real.json()["id"], True)


async def test_a_refusal_is_the_real_one_and_leaves_no_trace(rest: httpx.AsyncClient) -> None:
    key = await a_key("live")

    async with nothing_left():
        refused = await rest.post(
            "/v2/sms/messages", json=SMS, headers=of(key, **{"Idempotency-Key": "k"})
        )

    assert "meta" not in the_problem(refused, 503)
    assert await db.fetchval("SELECT count(*) FROM refusal_counts") == 0


async def test_it_takes_no_token_of_a_ceiling(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    key = await a_key(organization_id=caller.organization_id)
    await rest.post("/v2/sms/messages", json=SMS, headers=of(key, **{"Idempotency-Key": "k"}))

    bucket = Take(f"sms:{caller.organization_id}:test", caller.limits.sms_per_second, 0)
    (left,) = await rate_limit.take([bucket])

    assert left.left == caller.limits.sms_per_second


async def test_a_header_that_is_not_understood_does_nothing(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    said = {"Authorization": f"Bearer {key}"}

    async with nothing_left():
        unclear = await rest.post(
            "/v2/lists", json={"name": "VIP"}, headers={**said, "X-SVC-Dry-Run": "1"}
        )
        in_graphql = await rest.post(
            "/graphql", json={"query": TWICE}, headers={**said, "X-SVC-Dry-Run": "yes"}
        )

    assert wrong_fields(the_problem(unclear, 400)) == [("header", "X-SVC-Dry-Run", "invalid")]
    assert in_graphql.status_code == 400
    no = await rest.post(
        "/v2/lists", json={"name": "VIP"}, headers={**said, "X-SVC-Dry-Run": "false"}
    )
    assert no.status_code == 201
    assert await db.fetchval("SELECT count(*) FROM contact_lists") == 1


async def test_what_somebody_else_is_changing_is_waited_for_briefly(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_runs, "LOCK_MILLISECONDS", 50)
    caller = await a_caller()
    key = await a_key(organization_id=caller.organization_id)
    made = await rest.post(
        "/v2/lists", json={"name": "VIP"}, headers={"Authorization": f"Bearer {key}"}
    )
    id = made.json()["id"]

    async with transaction():
        await db.execute("SELECT FROM contact_lists WHERE id = $1 FOR UPDATE", id)
        busy = await outside(rest.patch(f"/v2/lists/{id}", json={"name": "Outra"}, headers=of(key)))
        by_graphql = await outside(
            rest.post(
                "/graphql",
                json={
                    "query": f'mutation {{ updateList(id: "{id}", input: {{name: "O"}}) {{ id }} }}'
                },
                headers=of(key),
            )
        )

    assert the_problem(busy, 409)["meta"] == {"code": "SIMULACAO_OCUPADA"}
    assert by_graphql.json()["errors"][0]["extensions"]["code"] == "CONFLICT"


async def test_a_password_is_not_guessed_by_dry_runs(rest: httpx.AsyncClient) -> None:
    key = await a_session()
    answers = []

    async with nothing_left():
        for password in (PASSWORD, "errada-errada"):
            changes = {"password": "nova-senha-segura-9", "currentPassword": password}
            answers.append(await rest.patch("/v2/me", json=changes, headers=of(key)))

    said = [the_problem(answer, 400)["meta"] for answer in answers]
    assert said == [{"code": "SIMULACAO_NAO_SUPORTADA"}] * 2


async def test_an_endpoint_that_would_be_pinged_is_not_called(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    made = await a_subscription(caller)
    await WebhookSubscription.all().update(status="revoked")
    key = await a_key(organization_id=caller.organization_id)

    async with nothing_left():
        refused = await rest.patch(
            f"/webhooks/{made['webhook']['id']}", json={"status": "active"}, headers=of(key)
        )

    assert refused.json()["meta"] == {"code": "SIMULACAO_NAO_SUPORTADA"}


async def test_one_that_takes_too_long_lets_go(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_runs, "MAX_SECONDS", 0.0)
    key = await a_key()

    refused = await rest.post("/v2/lists", json={"name": "VIP"}, headers=of(key))

    assert the_problem(refused, 409)["meta"] == {"code": "SIMULACAO_OCUPADA"}


async def test_an_organization_has_five_a_second(rest: httpx.AsyncClient) -> None:
    rate_limit.use_buckets(StoppedBuckets())
    caller, other = await a_caller(), await a_caller()
    key, theirs = [await a_key(organization_id=one.organization_id) for one in (caller, other)]

    async def rehearse(token: str) -> httpx.Response:
        return await rest.post("/v2/lists", json={"name": "VIP"}, headers=of(token))

    answers = await asyncio.gather(*(rehearse(key) for _ in range(8)))

    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 3
    assert the_problem(refused[0], 429)["meta"] == {"limitePorSegundo": 5}
    assert int(refused[0].headers["retry-after"]) >= 1
    assert (await rehearse(theirs)).status_code == 201


async def test_mutations_are_rehearsed_as_a_whole(rest: httpx.AsyncClient) -> None:
    key = await a_key()

    async with nothing_left():
        answer = await rest.post("/graphql", json={"query": TWICE}, headers=of(key))

    assert answer.headers["x-svc-dry-run"] == "true"
    content: dict[str, Any] = answer.json()
    assert content["data"]["first"]["id"].endswith("_simulado")
    assert content["data"]["again"] is None
    assert content["data"]["other"]["name"] == "Outra"
    (error,) = content["errors"]
    assert error["extensions"]["code"] == "CONFLICT"


async def test_a_query_takes_no_notice_of_it(rest: httpx.AsyncClient) -> None:
    key = await a_key()

    answer = await rest.post("/graphql", json={"query": "{ me { capacidades } }"}, headers=of(key))

    assert answer.json()["data"] == {"me": {"capacidades": ["DRY_RUN"]}}
    assert "x-svc-dry-run" not in answer.headers
    assert (await rest.get("/v2/me", headers=of(key))).json()["capacidades"] == ["dry-run"]
