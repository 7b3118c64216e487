"""Requests of a sandbox whose clock was moved happen at its time, at both entry points."""

from datetime import timedelta

import httpx
import pytest

from core.foundation.clock import real_now, wire_time
from core.organizations import authenticate
from tests.factories.organizations import a_key
from tests.support.graphql import data_of

pytestmark = pytest.mark.usefixtures("clean_slate")

SMS = {"to": "+5511987650005", "body": "Oi", "route": "premium"}


async def test_a_request_happens_at_the_time_of_its_sandbox(rest: httpx.AsyncClient) -> None:
    key, others = await a_key(), await a_key()
    at = (real_now() + timedelta(days=10)).replace(microsecond=0)
    headers = {"Authorization": f"Bearer {key}"}
    put = await rest.put(
        "/v2/sandbox/clock", headers=headers, json={"agora": at.isoformat(), "congelado": True}
    )
    assert put.json()["agora"] == wire_time(at)

    sent = await rest.post(
        "/v2/sms/messages", headers={**headers, "Idempotency-Key": "k"}, json=SMS
    )
    by_others = await rest.post(
        "/v2/sms/messages",
        headers={"Authorization": f"Bearer {others}", "Idempotency-Key": "k"},
        json=SMS,
    )

    refused = await rest.get("/v2/sms/messages/msg_1", headers=headers)
    by_graphql = await rest.post("/graphql", headers=headers, json={"query": "{ me { id } }"})

    assert sent.json()["createdAt"] == wire_time(at)
    assert refused.status_code == 404
    for answer in (sent, refused, by_graphql):
        assert answer.headers["x-svc-clock"] == wire_time(at)
    assert "x-svc-clock" not in by_others.headers
    assert by_others.json()["createdAt"] < wire_time(real_now() + timedelta(minutes=1))


async def test_the_clock_over_graphql(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    at = (real_now() + timedelta(days=10)).replace(microsecond=0)
    caller = await authenticate(key, request_id=None)
    told = await data_of(
        caller,
        "mutation ($at: DateTime!) { setSandboxClock(input: {agora: $at, congelado: true}) { agora status } }",
        at=at.isoformat(),
    )
    assert told == {"setSandboxClock": {"agora": wire_time(at), "status": "PRONTO"}}

    caller = await authenticate(key, request_id=None)
    list_made = await data_of(
        caller, 'mutation { createList(input: {name: "Maio"}) { createdAt } }'
    )
    assert list_made["createList"]["createdAt"] == wire_time(at)
    assert await data_of(caller, "{ sandboxClock { congelado } }") == {
        "sandboxClock": {"congelado": True}
    }
