"""API keys at the door: sessions only, shown once, in the words of the interface."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES
from tests.factories.accounts import a_session
from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

NEW = {"nome": "checkout", "env": "test", "scopes": ["sms:read", "wallet:read"]}


def of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def issued(rest: httpx.AsyncClient, session: str, **changes: Any) -> dict[str, Any]:
    answer = await rest.post("/v2/api-keys", json={**NEW, **changes}, headers=of(session))
    assert answer.status_code == 201, answer.text
    record: dict[str, Any] = answer.json()
    return record


async def number_of_keys() -> int:
    number: int = await db.fetchval("SELECT count(*) FROM api_keys")
    return number


async def test_a_key_is_issued_used_read_and_revoked(rest: httpx.AsyncClient) -> None:
    session = await a_session("live")
    end = wire_time(now() + timedelta(days=30))

    record = await issued(rest, session, expiraEm=end, ips=["127.0.0.0/8", "2001:DB8::7"])

    key = record.pop("key")
    assert record == {
        "id": record["id"],
        "nome": "checkout",
        "env": "test",
        "prefixo": key[:12],
        "scopes": ["sms:read", "wallet:read"],
        "ips": ["127.0.0.0/8", "2001:db8::7"],
        "status": "ativa",
        "expiraEm": end,
        "createdById": record["createdById"],
        "createdAt": record["createdAt"],
    }
    assert (await rest.get("/v2/sms/messages", headers=of(key))).status_code == 200
    read = await rest.get(f"/v2/api-keys/{record['id']}", headers=of(session))
    assert {**read.json(), "lastUsedAt": None} == {**record, "lastUsedAt": None, "webhooks": []}
    must_not_hold(read, [key])
    page = await rest.get("/v2/api-keys?status=ativa&env=test&limit=10", headers=of(session))
    assert ([item["id"] for item in page.json()["items"]], page.json()["total"]) == (
        [record["id"]],
        1,
    )
    must_not_hold(page, [key])

    for _ in range(2):
        gone = await rest.delete(f"/v2/api-keys/{record['id']}", headers=of(session))
        assert (gone.status_code, gone.content) == (204, b"")

    assert the_problem(await rest.get("/v2/sms/messages", headers=of(key)), 401)["meta"] == {
        "motivo": "revogada"
    }
    assert (await rest.get(f"/v2/api-keys/{record['id']}", headers=of(session))).json()[
        "status"
    ] == "revogada"


async def test_a_revocation_tells_of_the_webhooks_and_pauses_them_where_asked(
    rest: httpx.AsyncClient,
) -> None:
    session = await a_session("test")
    new = {"nome": "k", "env": "test", "scopes": ["webhooks:write"]}
    issued = (await rest.post("/v2/api-keys", json=new, headers=of(session))).json()
    hook = {"url": "http://127.0.0.1:9009/hooks", "events": ["sms.delivered"]}
    made = (await rest.post("/webhooks", json=hook, headers=of(issued["key"]))).json()["webhook"]
    address = f"/v2/api-keys/{issued['id']}"

    the_problem(await rest.delete(f"{address}?encerrarWebhooks=perhaps", headers=of(session)), 422)
    assert (await rest.get(address, headers=of(session))).json()["status"] == "ativa"
    for query, status in (("", "active"), ("?encerrarWebhooks=true", "paused"), ("", "paused")):
        told = await rest.delete(address + query, headers=of(session))
        assert (told.status_code, told.json()["status"]) == (200, "revogada")
        assert told.json()["webhooks"] == [{"id": made["id"], "url": made["url"], "status": status}]


async def test_all_that_is_wrong_with_a_new_key_is_named_at_once(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    body = {
        "nome": "",
        "env": "production-secret",
        "scopes": ["sms:read", "keys:manage", "secret:scope"],
        "expiraEm": "2020-01-01T00:00:00Z",
        "ips": ["203.0.113.7", "secret-host"],
        "secret": 1,
    }

    answer = await rest.post("/v2/api-keys", json=body, headers=of(session))

    assert wrong_fields(the_problem(answer, 422)) == [
        ("pointer", "/env", "not_allowed"),
        ("pointer", "/expiraEm", "too_small"),
        ("pointer", "/ips/1", "wrong_format"),
        ("pointer", "/nome", "too_short"),
        ("pointer", "/scopes/1", "session_only"),
        ("pointer", "/scopes/2", "not_allowed"),
        ("pointer", "/secret", "unknown_field"),
    ]
    must_not_hold(answer, ["production-secret", "secret:scope", "secret-host"])
    assert await number_of_keys() == 0


async def test_the_networks_of_a_key_are_minded_and_can_be_changed(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    record = await issued(rest, session, ips=["203.0.113.0/24"])
    here = of(record["key"])

    refused = await rest.get("/v2/sms/messages", headers=here)
    assert the_problem(refused, 401)["meta"] == {"motivo": "ip_nao_permitido"}

    changed = await rest.patch(
        f"/v2/api-keys/{record['id']}", json={"ips": None}, headers=of(session)
    )
    assert changed.status_code == 200
    assert "ips" not in changed.json()
    assert (await rest.get("/v2/sms/messages", headers=here)).status_code == 200


async def test_scopes_only_become_fewer(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    record = await issued(rest, session)
    address = f"/v2/api-keys/{record['id']}"

    narrower = await rest.patch(address, json={"scopes": ["sms:read"]}, headers=of(session))
    wider = await rest.patch(
        address, json={"scopes": ["sms:read", "wallet:read"]}, headers=of(session)
    )

    assert narrower.json()["scopes"] == ["sms:read"]
    body = the_problem(wider, 422)
    assert body["meta"] == {"code": "ESCOPO_AMPLIADO"}
    assert wrong_fields(body) == [("pointer", "/scopes/1", "ESCOPO_AMPLIADO")]
    assert the_problem(await rest.get("/v2/wallet", headers=of(record["key"])), 403)
    assert (await rest.get(address, headers=of(session))).json()["scopes"] == ["sms:read"]


async def test_a_key_is_rotated_with_an_overlap(rest: httpx.AsyncClient) -> None:
    session = await a_session("live")
    old = await issued(rest, session)
    address = f"/v2/api-keys/{old['id']}"

    answer = await rest.post(f"{address}/rotate", headers=of(session))  # no body: a day

    assert answer.status_code == 201
    new = answer.json()
    assert (new["nome"], new["env"], new["scopes"]) == (old["nome"], old["env"], old["scopes"])
    for key in (old["key"], new["key"]):
        assert (await rest.get("/v2/sms/messages", headers=of(key))).status_code == 200
    record = (await rest.get(address, headers=of(session))).json()
    assert (record["status"], record["replacedById"]) == ("ativa", new["id"])
    assert record["expiraEm"] > wire_time(now() + timedelta(hours=23))
    again = the_problem(await rest.post(f"{address}/rotate", json={}, headers=of(session)), 409)
    assert again["meta"] == {"code": "CHAVE_JA_ROTACIONADA", "replacedById": new["id"]}


async def test_a_key_is_rotated_without_an_overlap(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    old = await issued(rest, session)

    answer = await rest.post(
        f"/v2/api-keys/{old['id']}/rotate", json={"sobreposicaoHoras": 0}, headers=of(session)
    )

    assert (await rest.get("/v2/sms/messages", headers=of(answer.json()["key"]))).status_code == 200
    refused = await rest.get("/v2/sms/messages", headers=of(old["key"]))
    assert the_problem(refused, 401)["meta"] == {"motivo": "expirada"}


async def test_an_overlap_beyond_a_week_is_refused(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    old = await issued(rest, session)

    answer = await rest.post(
        f"/v2/api-keys/{old['id']}/rotate", json={"sobreposicaoHoras": 169}, headers=of(session)
    )

    assert wrong_fields(the_problem(answer, 422)) == [
        ("pointer", "/sobreposicaoHoras", "too_large")
    ]
    assert await number_of_keys() == 1


async def test_an_ended_key_neither_changes_nor_rotates(rest: httpx.AsyncClient) -> None:
    session = await a_session()
    record = await issued(rest, session)
    address = f"/v2/api-keys/{record['id']}"
    await rest.delete(address, headers=of(session))

    for answer in (
        await rest.patch(address, json={"nome": "another"}, headers=of(session)),
        await rest.post(f"{address}/rotate", json={}, headers=of(session)),
    ):
        assert the_problem(answer, 409)["meta"] == {"code": "CHAVE_REVOGADA"}
    assert await number_of_keys() == 1


async def each_operation(rest: httpx.AsyncClient, token: str, id: str) -> dict[str, httpx.Response]:
    address = f"/v2/api-keys/{id}"
    return {
        "read": await rest.get(address, headers=of(token)),
        "change": await rest.patch(address, json={"nome": "another"}, headers=of(token)),
        "rotate": await rest.post(f"{address}/rotate", json={}, headers=of(token)),
        "revoke": await rest.delete(address, headers=of(token)),
    }


async def test_another_organizations_key_is_not_there(rest: httpx.AsyncClient) -> None:
    owner, stranger = await a_session(), await a_session()
    record = await issued(rest, owner)
    before = (await rest.get(f"/v2/api-keys/{record['id']}", headers=of(owner))).json()

    for answer in (await each_operation(rest, stranger, record["id"])).values():
        the_problem(answer, 404)

    assert (await rest.get("/v2/api-keys", headers=of(stranger))).json() == {
        "items": [],
        "total": 0,
    }
    assert (await rest.get(f"/v2/api-keys/{record['id']}", headers=of(owner))).json() == before


@pytest.mark.parametrize("id", ["key_000000000000000000000", "x", "key_" + "x" * 300])
async def test_an_unknown_id_is_not_there(rest: httpx.AsyncClient, id: str) -> None:
    for answer in (await each_operation(rest, await a_session(), id)).values():
        the_problem(answer, 404)


async def test_neither_a_key_nor_an_operator_keeps_keys(rest: httpx.AsyncClient) -> None:
    owner = await a_session()
    record = await issued(rest, owner)
    tokens = [await a_key(scopes=KEY_SCOPES), await a_session(role="operator")]
    number = await number_of_keys()

    for token in tokens:
        answers = await each_operation(rest, token, record["id"])
        answers["list"] = await rest.get("/v2/api-keys", headers=of(token))
        answers["issue"] = await rest.post("/v2/api-keys", json=NEW, headers=of(token))
        for answer in answers.values():
            assert the_problem(answer, 403)["meta"] == {"escopoExigido": "keys:manage"}
    assert await number_of_keys() == number


@pytest.mark.parametrize("query", ["status=active", "env=prod", "limit=0", "skip=-1", "cursor=x"])
async def test_a_parameter_that_cannot_be_read_is_named(
    rest: httpx.AsyncClient, query: str
) -> None:
    answer = await rest.get(f"/v2/api-keys?{query}", headers=of(await a_session()))

    [(kind, where, _)] = wrong_fields(the_problem(answer, 422))
    assert (kind, where) == ("parameter", query.partition("=")[0])
