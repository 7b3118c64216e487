"""The audit trail at the entry point."""

import httpx

from tests.factories.accounts import a_session


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
