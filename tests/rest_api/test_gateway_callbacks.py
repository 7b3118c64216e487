"""Callbacks of the gateway: who may post them, what a bad one is told, and what the good ones do."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from core import sms
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.security.caller import Caller
from core.providers import registry
from rest_api.providers import gateway as route
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_key
from tests.factories.sms import a_send
from tests.fakes.gateway import (
    SIGNATURE,
    FakeGateway,
    a_gateway,
    breaks,
    drops,
    hangs,
    is_out_of_credit,
    refuses,
    throttles,
)
from tests.support.money import Balances, balances_of, moved_for, the_message, told
from tests.support.stored import nothing_stored

BODY = {"to": "+5511987650005", "body": "Olá! Seu pedido saiu.", "route": "premium"}


@pytest.fixture
async def gateway(database: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeGateway]:
    """A gateway on this machine, configured as an operator does, and open."""
    async with a_gateway() as fake:
        monkeypatch.setenv("SVC_GATEWAY_URL", fake.url)
        monkeypatch.setenv("SVC_GATEWAY_SECRET", fake.secret)
        monkeypatch.setenv("SVC_GATEWAY_TIMEOUT_SECONDS", "0.5")
        settings.current.cache_clear()
        await registry.open_providers(settings.current())
        yield fake
        await registry.close_providers()
        monkeypatch.undo()
        settings.current.cache_clear()


async def post(
    rest: httpx.AsyncClient,
    gateway: FakeGateway,
    caller: Caller | str,
    kind: str,
    body: Any,
    *,
    headers: dict[str, str] | None = None,
) -> httpx.Response:
    """Post a callback, signed as the gateway does unless headers are given."""
    organization_id = caller if isinstance(caller, str) else caller.organization_id
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    path = f"/providers/gateway/{organization_id}/{kind}"
    return await rest.post(
        path,
        content=raw,
        headers=gateway.headers_for(raw, to=path) if headers is None else headers,
    )


def must_be_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["instance"].startswith("/providers/gateway/")
    assert problem["requestId"] == answer.headers["x-request-id"]
    return problem


# Who may ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["receipts", "replies"])
@pytest.mark.parametrize(
    "wrong",
    [
        "missing",
        "another secret",
        "old",
        "early",
        "of another body",
        "of another kind",
        "of another organization",
        "garbled",
        "empty",
    ],
)
async def test_without_the_right_signature_nothing_is_read(
    rest: httpx.AsyncClient, gateway: FakeGateway, kind: str, wrong: str
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    item = gateway.receipt(id) if kind == "receipts" else gateway.reply(id)
    raw = json.dumps(item).encode()
    path = f"/providers/gateway/{caller.organization_id}/{kind}"
    other = "replies" if kind == "receipts" else "receipts"
    headers = {
        "missing": {},
        "another secret": gateway.headers_for(raw, to=path, secret="not the shared secret"),
        "old": gateway.headers_for(raw, to=path, at=time.time() - 302),
        "early": gateway.headers_for(raw, to=path, at=time.time() + 302),
        "of another body": gateway.headers_for(raw + b" ", to=path),
        "of another kind": gateway.headers_for(raw, to=path.replace(kind, other)),
        "of another organization": gateway.headers_for(
            raw, to=path.replace(caller.organization_id, (await a_live_caller()).organization_id)
        ),
        "garbled": {SIGNATURE: "v1=1,t=x"},
        "empty": {SIGNATURE: ""},
    }[wrong]

    async with nothing_stored():
        answer = await post(rest, gateway, caller, kind, raw, headers=headers)

    problem = must_be_problem(answer, 401, "UNAUTHORIZED")
    assert problem["meta"] == {"motivo": "assinatura"}
    assert (await the_message(id))["status"] == "sent"
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 0


async def test_a_signature_within_five_minutes_holds(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller()
    raw = json.dumps(gateway.receipt((await a_send(caller))["id"])).encode()

    for at in (time.time() - 290, time.time() + 290):
        path = f"/providers/gateway/{caller.organization_id}/receipts"
        headers = gateway.headers_for(raw, to=path, at=at)
        assert (
            await post(rest, gateway, caller, "receipts", raw, headers=headers)
        ).status_code == 200


async def test_a_gateway_of_old_is_heard_until_its_version_ends(
    rest: httpx.AsyncClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    raw = json.dumps(gateway.receipt((await a_send(caller))["id"])).encode()
    headers = gateway.old_headers_for(raw)
    today = now().date()  # it may just be midnight: tomorrow may be today by the time it is asked

    for until, status in ((today + timedelta(days=2), 200), (today, 401)):
        monkeypatch.setenv("SVC_CALLBACKS_V1_UNTIL", until.isoformat())
        settings.current.cache_clear()
        assert (
            await post(rest, gateway, caller, "receipts", raw, headers=headers)
        ).status_code == status
    assert (await post(rest, gateway, caller, "receipts", raw)).status_code == 200


async def test_an_api_key_is_no_signature(rest: httpx.AsyncClient, gateway: FakeGateway) -> None:
    caller = await a_live_caller()
    key = await a_key("live", organization_id=caller.organization_id)

    answer = await post(
        rest, gateway, caller, "receipts", {}, headers={"Authorization": f"Bearer {key}"}
    )

    must_be_problem(answer, 401, "UNAUTHORIZED")


@pytest.mark.parametrize("organization_id", ["org_000000000000000000000", "x", "%00", "org_1%00"])
@pytest.mark.parametrize("kind", ["receipts", "replies"])
async def test_an_unknown_organization_is_404(
    rest: httpx.AsyncClient, gateway: FakeGateway, organization_id: str, kind: str
) -> None:
    item = gateway.receipt("msg_1") if kind == "receipts" else gateway.reply("msg_1")

    async with nothing_stored():
        answer = await post(rest, gateway, organization_id, kind, item)

    must_be_problem(answer, 404, "NOT_FOUND")
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 0


async def test_where_no_gateway_is_configured_there_is_no_such_address(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_live_caller(0)
    fake = FakeGateway()

    for kind in ("receipts", "replies"):
        must_be_problem(
            await post(rest, fake, caller, kind, fake.receipt("msg_1")), 404, "NOT_FOUND"
        )


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
async def test_only_post_is_taken(
    rest: httpx.AsyncClient, gateway: FakeGateway, method: str
) -> None:
    caller = await a_live_caller(0)

    answer = await rest.request(method, f"/providers/gateway/{caller.organization_id}/receipts")

    must_be_problem(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "POST"


# What is read -------------------------------------------------------------------------------------


async def test_one_receipt_or_a_batch_is_taken(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller()
    ids = [(await a_send(caller))["id"] for _ in range(3)]

    one = await post(rest, gateway, caller, "receipts", gateway.receipt(ids[0]))
    batch = await post(
        rest,
        gateway,
        caller,
        "receipts",
        {"items": [gateway.receipt(id, "UNDELIV") for id in ids[1:]]},
    )
    none = await post(rest, gateway, caller, "receipts", {"items": []})

    assert [(answer.status_code, answer.json()) for answer in (one, batch, none)] == [
        (200, {"received": 1}),
        (200, {"received": 2}),
        (200, {"received": 0}),
    ]
    assert [(await the_message(id))["status"] for id in ids] == [
        "delivered",
        "undelivered",
        "undelivered",
    ]


async def test_a_bad_item_is_named_and_its_neighbours_are_stored(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller()
    good, late = [(await a_send(caller))["id"] for _ in range(2)]
    items = [
        gateway.receipt(good),
        gateway.receipt(late, type="nonsense", to=None),
        7,
        gateway.receipt(late, "UNDELIV"),
    ]

    answer = await post(rest, gateway, caller, "receipts", {"items": items})

    problem = must_be_problem(answer, 400, "BAD_REQUEST")
    assert {error["pointer"] for error in problem["errors"]} == {
        "/items/1/type",
        "/items/1/to",
        "/items/2",
    }
    assert "nonsense" not in answer.text
    assert (await the_message(good))["status"] == "delivered"
    assert (await the_message(late))["status"] == "undelivered"

    async with nothing_stored():
        again = await post(rest, gateway, caller, "receipts", {"items": items})
    must_be_problem(again, 400, "BAD_REQUEST")


async def test_a_bad_reply_is_named_and_its_neighbours_are_stored(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    items = [
        gateway.reply(id),
        gateway.reply(id, id="mo_2", inReplyTo=None),
        gateway.reply(id, id="mo_3", body="\x00"),
    ]

    answer = await post(rest, gateway, caller, "replies", {"items": items})

    problem = must_be_problem(answer, 400, "BAD_REQUEST")
    assert {error["pointer"] for error in problem["errors"]} == {
        "/items/1/reference",
        "/items/2/body",
    }
    assert [
        reply["body"] for reply in (await sms.list_replies(caller, sms.ReplyFilter()))["items"]
    ] == ["SIM"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "BAD_REQUEST"),
        (b"{", 400, "BAD_REQUEST"),
        (b"\xff", 400, "BAD_REQUEST"),
        (b"[]", 400, "BAD_REQUEST"),
        (b"{}", 400, "BAD_REQUEST"),
        (b'{"items": 1}', 422, "VALIDATION_ERROR"),
        (b'{"items": [' + b"1," * 500 + b"1]}", 422, "VALIDATION_ERROR"),
        (b" " * 2_000_001, 413, "BAD_REQUEST"),
    ],
)
async def test_an_unreadable_body_is_refused_whole(
    rest: httpx.AsyncClient, gateway: FakeGateway, body: bytes, status: int, code: str
) -> None:
    caller = await a_live_caller(0)

    async with nothing_stored():
        answer = await post(rest, gateway, caller, "receipts", body)

    must_be_problem(answer, status, code)


async def test_a_database_that_is_away_asks_the_gateway_to_come_back(
    rest: httpx.AsyncClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(organization_id: str) -> bool:
        raise DatabaseUnreachable("refused")

    monkeypatch.setattr(route, "enter_organization", away)

    answer = await post(rest, gateway, "org_1", "receipts", gateway.receipt("msg_1"))

    must_be_problem(answer, 503, "SERVICE_UNAVAILABLE")
    assert answer.headers["retry-after"] == "1"


async def test_a_fault_of_ours_is_a_500_that_says_nothing(
    rest: httpx.AsyncClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(organization_id: str) -> bool:
        raise RuntimeError("a secret")

    monkeypatch.setattr(route, "enter_organization", broken)

    answer = await post(rest, gateway, "org_1", "receipts", gateway.receipt("msg_1"))

    must_be_problem(answer, 500, "INTERNAL")
    assert "secret" not in answer.text


# End to end ---------------------------------------------------------------------------------------


async def send(
    rest: httpx.AsyncClient, key: str, idempotency_key: str, **changes: Any
) -> httpx.Response:
    return await rest.post(
        "/v2/sms/messages",
        json=BODY | changes,
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": idempotency_key},
    )


async def test_a_live_sms_goes_out_comes_back_delivered_and_is_answered(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller(10_000)
    key = await a_key("live", organization_id=caller.organization_id)

    sent = await send(rest, key, "k", metadata={"order": "A-1"})
    again = await send(rest, key, "k", metadata={"order": "A-1"})
    id = sent.json()["id"]
    receipt = await post(
        rest, gateway, caller, "receipts", gateway.receipt(id, bill_factor=1, account_id=7)
    )
    reply = await post(rest, gateway, caller, "replies", gateway.reply(id, "NÃO, obrigado"))

    assert (sent.status_code, sent.json()["status"], sent.json()["provider"]) == (
        201,
        "sent",
        "gateway",
    )
    assert (again.status_code, again.json()) == (201, {**sent.json(), "replayed": True})
    (seen,) = gateway.sends
    assert seen.signed
    assert json.loads(seen.body) == {
        "id": id,
        "organizationId": caller.organization_id,
        "channel": "sms",
        "to": "+5511987650005",
        "text": "Ola! Seu pedido saiu.",
        "route": "premium",
    }
    assert (receipt.status_code, reply.status_code) == (200, 200)
    auth = {"Authorization": f"Bearer {key}"}
    read = (await rest.get(f"/v2/sms/messages/{id}", headers=auth)).json()
    assert (read["status"], read["to"], read["providerReceipt"]["account_id"]) == (
        "delivered",
        "+5511*****0005",
        7,
    )
    (answered,) = (
        await rest.get("/v2/sms/replies", headers=auth, params={"inReplyTo": id})
    ).json()["items"]
    assert (answered["body"], answered["from"]) == ("NÃO, obrigado", "+5511*****0005")
    assert (await rest.get(f"/v2/sms/replies/{answered['id']}", headers=auth)).json() == answered
    assert [type for type, _ in await told(caller)] == ["sms.delivered", "sms.received"]
    balance = (await rest.get("/v2/wallet", headers=auth)).json()
    assert (balance["disponivelCoins"], balance["reservadoCoins"], balance["devidoCoins"]) == (
        9_000,
        0,
        0,
    )
    assert (await rest.get("/v2/wallet/conferencia", headers=auth)).json()["confere"] is True


async def test_a_refused_recipient_is_201_failed_and_free(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller(10_000)
    gateway.will(refuses("blacklisted"))

    answer = await send(rest, await a_key("live", organization_id=caller.organization_id), "k")

    record = answer.json()
    assert (answer.status_code, record["status"], record["reason"]) == (
        201,
        "failed",
        "blacklisted",
    )
    assert record["billing"] == {"coins": 0}
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert [type for type, _ in await told(caller)] == ["sms.failed"]


async def test_clear_refusals_are_429_503_and_502_and_free_the_key(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller(10_000)
    key = await a_key("live", organization_id=caller.organization_id)
    gateway.will(throttles("7"), is_out_of_credit(), breaks(500))

    answers = [await send(rest, key, "k") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [429, 503, 502, 201]
    assert [answer.json().get("code") for answer in answers[:3]] == [
        "RATE_LIMITED",
        "SERVICE_UNAVAILABLE",
        "DEPENDENCY_FAILED",
    ]
    assert answers[0].headers["retry-after"] == "7"
    assert answers[3].json()["replayed"] is False
    for answer in answers[:3]:
        read = await rest.get(
            f"/v2/sms/messages/{answer.json()['meta']['messageId']}",
            headers={"Authorization": f"Bearer {key}"},
        )
        assert (read.status_code, read.json()["status"], "reason" in read.json()) == (
            200,
            "failed",
            False,
        )
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert await told(caller) == []


async def test_a_gateway_that_cannot_be_reached_is_502_and_frees_the_key(
    rest: httpx.AsyncClient, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller(10_000)
    key = await a_key("live", organization_id=caller.organization_id)
    monkeypatch.setenv("SVC_GATEWAY_URL", "http://127.0.0.1:1")
    settings.current.cache_clear()
    await registry.open_providers(settings.current())

    answer = await send(rest, key, "k")

    assert answer.status_code == 502
    assert "code" not in answer.json()["meta"]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert await db.fetchval("SELECT count(*) FROM idempotency_keys") == 0


@pytest.mark.parametrize("silence", ["drops", "hangs"])
async def test_a_gateway_that_takes_the_message_and_falls_silent_is_asked_about_it(
    rest: httpx.AsyncClient, gateway: FakeGateway, silence: str
) -> None:
    caller = await a_live_caller(10_000)
    key = await a_key("live", organization_id=caller.organization_id)
    gateway.will(drops() if silence == "drops" else hangs(asyncio.Event(), accepted=True))

    answer = await send(rest, key, "k")
    again = await send(rest, key, "k")
    await sms.reconcile(at=now() + timedelta(minutes=1))
    after = await send(rest, key, "k")

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["meta"]["code"]) == (
        502,
        "DEPENDENCY_FAILED",
        "RESULTADO_DESCONHECIDO",
    )
    id = problem["meta"]["messageId"]
    assert (
        again.status_code,
        again.json()["id"],
        again.json()["status"],
        again.json()["replayed"],
    ) == (
        201,
        id,
        "sending",
        True,
    )
    assert (after.status_code, after.json()["id"], after.json()["status"]) == (201, id, "sent")
    assert len(gateway.sends) == 1
    assert [seen.method for seen in gateway.seen] == ["POST", "GET"]
    assert await moved_for(id) == [("reserva", 800), ("captura", 800)]


async def test_a_receipt_by_the_gateways_reference_reaches_its_message(
    rest: httpx.AsyncClient, gateway: FakeGateway
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]

    answer = await post(
        rest, gateway, caller, "receipts", gateway.receipt(id, "EXPIRED", reference=None)
    )

    assert answer.status_code == 200
    assert ((await the_message(id))["status"], (await the_message(id))["reason"]) == (
        "failed",
        "expired",
    )
