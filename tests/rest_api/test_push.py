"""Push at the door: parsing, statuses, headers and shape."""

import httpx
import pytest

from core import push
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
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


async def test_an_open_needs_no_body(rest: httpx.AsyncClient, headers: dict[str, str]) -> None:
    created = await rest.post(
        "/v2/push/messages", json=SEND, headers={**headers, "Idempotency-Key": "k"}
    )

    answer = await rest.post(f"/v2/push/dispatches/{created.json()['id']}/opened", headers=headers)

    assert answer.json() == {"counted": True}


async def test_without_a_key_nothing_is_sent_and_the_body_makes_none(
    rest: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    refused = await rest.post("/v2/push/messages", json=SEND, headers=headers)

    assert (refused.status_code, refused.json()["code"]) == (400, "BAD_REQUEST")
    assert (await rest.get("/v2/push/messages", headers=headers)).json() == {"items": []}


async def test_both_audiences_are_422_where_it_sends_and_400_where_it_previews(
    rest: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    both = {**SEND, "tokenIds": ["t1"]}
    sent = await rest.post(
        "/v2/push/messages", json=both, headers={**headers, "Idempotency-Key": "k"}
    )
    draft = {name: both[name] for name in ("platforms", "segment", "tokenIds")}
    previewed = await rest.post("/v2/push/preview", json=draft, headers=headers)

    assert (sent.status_code, previewed.status_code) == (422, 400)
    assert sent.json()["meta"] == previewed.json()["meta"] == {"code": "AUDIENCIA_INVALIDA"}


async def test_settings_take_a_scope_of_their_own(rest: httpx.AsyncClient, caller: Caller) -> None:
    key = await a_key(
        "test", scopes=frozenset({Scope.PUSH_SEND}), organization_id=caller.organization_id
    )
    refused = await rest.get("/v2/push/settings", headers={"Authorization": f"Bearer {key}"})

    assert refused.status_code == 403
    assert refused.json()["meta"] == {"escopoExigido": "push:settings"}
