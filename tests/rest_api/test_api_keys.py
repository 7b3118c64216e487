"""API keys over REST: sessions only, shown once, in the words of the interface."""

from datetime import timedelta
from typing import Any

import httpx

from core.foundation.clock import now, wire_time
from tests.factories.accounts import a_session
from tests.rest_api.problem_answers import must_not_hold, the_problem

NEW = {"nome": "checkout", "env": "test", "scopes": ["sms:read", "wallet:read"]}


def of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def issued(rest: httpx.AsyncClient, session: str, **changes: Any) -> dict[str, Any]:
    answer = await rest.post("/v2/api-keys", json={**NEW, **changes}, headers=of(session))
    assert answer.status_code == 201, answer.text
    record: dict[str, Any] = answer.json()
    return record


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
