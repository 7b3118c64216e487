"""Push over REST: parsing, statuses, headers and shape."""

import httpx
import pytest

from core import push
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller, a_key
from tests.factories.push import BROWSER_KEYS

SEND = {
    "title": "Oi",
    "body": "Tudo bem?",
    "platforms": ["android", "web"],
    "segment": "all_opt_in",
}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def headers(caller: Caller) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {await a_key('test', organization_id=caller.organization_id)}"
    }


async def test_a_notification_from_the_device_to_the_open(
    rest: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    web = {
        "appId": "loja",
        "token": "https://push.example.com/1",
        "platform": "web",
        **BROWSER_KEYS,
    }
    for device in ({"appId": "loja", "token": "t1"}, web):
        assert (await rest.post("/v2/push/tokens", json=device, headers=headers)).json()["criado"]
    out = await rest.post(
        "/v2/push/tokens/opt-out", json={"appId": "loja", "token": web["token"]}, headers=headers
    )
    assert (out.status_code, out.json()["optedIn"]) == (200, False)

    preview = await rest.post(
        "/v2/push/preview",
        json={"platforms": ["android", "web"], "segment": "all_opt_in"},
        headers=headers,
    )
    assert (preview.json()["reach"], preview.json()["coins"]) == (1, 20)
    created = await rest.post(
        "/v2/push/messages", json=SEND, headers={**headers, "Idempotency-Key": "k"}
    )
    assert created.status_code == 201
    again = await rest.post(
        "/v2/push/messages", json=SEND, headers={**headers, "Idempotency-Key": "k"}
    )
    assert again.json() == created.json()

    while await push.start_due(at=now()) + await push.drain_sandbox(at=now()):
        pass
    id = created.json()["id"]
    for counted in (True, False):
        answer = await rest.post(
            f"/v2/push/dispatches/{id}/opened", json={"token": "t1"}, headers=headers
        )
        assert answer.json() == {"counted": counted}
    read = (await rest.get(f"/v2/push/messages/{id}", headers=headers)).json()
    assert read["metrics"] == {"reach": 1, "delivered": 1, "opened": 1, "failed": 0, "optedOut": 0}
    assert (
        await rest.get("/v2/push/messages?status=sent&status=failed", headers=headers)
    ).json() == {"items": [read]}
