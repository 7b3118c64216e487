"""The audit trail at the door."""

import httpx
import pytest

from tests.factories.accounts import a_session
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import the_problem, wrong_fields


def of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_who_issued_and_revoked_a_key_is_told(rest: httpx.AsyncClient) -> None:
    session = await a_session("test")
    new = {"nome": "checkout", "env": "test", "scopes": ["audit:read"]}
    issued = (await rest.post("/v2/api-keys", json=new, headers=of(session))).json()
    await rest.delete(
        f"/v2/api-keys/{issued['id']}",
        headers={**of(session), "X-Request-Id": "request-of-the-test"},
    )

    answer = await rest.get(f"/v2/audit?subjectId={issued['id']}", headers=of(session))

    assert answer.status_code == 200
    revoked, created = answer.json()["items"]
    assert (revoked["action"], created["action"]) == ("apikey.revoked", "apikey.created")
    assert revoked["actor"] == created["actor"] == {"kind": "account", "id": issued["createdById"]}
    assert (revoked["requestId"], revoked["subjectId"]) == ("request-of-the-test", issued["id"])


async def test_a_key_that_may_read_the_trail_reads_its_own_environment(
    rest: httpx.AsyncClient,
) -> None:
    organization_id = (await a_caller()).organization_id
    test, live = (
        await a_key("test", organization_id=organization_id),
        await a_key("live", organization_id=organization_id),
    )

    pages = {key: (await rest.get("/v2/audit", headers=of(key))).json() for key in (test, live)}

    assert [item["action"] for item in pages[test]["items"]] == ["apikey.created"]
    assert [item["action"] for item in pages[live]["items"]] == [
        "apikey.created",
        "organization.opened",
    ]
    assert pages[live]["items"][0]["actor"] == {"kind": "system"}


async def test_pages_follow_each_other(rest: httpx.AsyncClient) -> None:
    organization_id = (await a_caller()).organization_id
    keys = [await a_key("test", organization_id=organization_id) for _ in range(3)]

    first = (await rest.get("/v2/audit?limit=2", headers=of(keys[0]))).json()
    second = (
        await rest.get(f"/v2/audit?limit=2&cursor={first['nextCursor']}", headers=of(keys[0]))
    ).json()

    assert (len(first["items"]), len(second["items"])) == (2, 1)
    assert "nextCursor" not in second
    assert len({item["id"] for item in first["items"] + second["items"]}) == 3


@pytest.mark.parametrize("query", ["limit=0", "cursor=x", "from=yesterday", "to=2026"])
async def test_a_parameter_that_cannot_be_read_is_named(
    rest: httpx.AsyncClient, query: str
) -> None:
    answer = await rest.get(f"/v2/audit?{query}", headers=of(await a_key()))

    [(kind, where, _)] = wrong_fields(the_problem(answer, 422))
    assert (kind, where) == ("parameter", query.partition("=")[0])
