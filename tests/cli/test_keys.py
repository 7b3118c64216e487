"""`svc key`: the same use cases and the same record as over REST."""

import json
from typing import Any

from tests.support.processes import svc
from tests.support.service import Service

RECORD = {"id", "nome", "env", "prefixo", "scopes", "status", "createdById", "createdAt"}


async def refusal(service: Service, *words: str) -> tuple[int, str]:
    status, out, err = await svc([*words, "--json"], environment=service.environment)
    assert out == ""
    return status, err


async def test_a_key_from_its_issue_to_its_end(service: Service) -> None:
    organization = await service.svc("org", "create", "Padaria")
    org = organization["organizationId"]

    key = await service.svc(
        "key", "create", "--org", org, "--env", "live", "--scopes", "sms:send", "--name", "till"
    )
    assert set(key) == {"id", "key", "env", "scopes"}
    [listed] = (await service.svc("key", "list", "--org", org))["items"]
    assert set(listed) == RECORD
    assert (listed["id"], listed["nome"], listed["status"]) == (key["id"], "till", "ativa")
    assert listed["createdById"] == organization["accountId"]

    new = await service.svc("key", "rotate", key["id"], "--overlap-hours", "1")
    assert set(new) == RECORD | {"key"}
    assert new["key"].startswith("svc_live_")
    assert new["nome"] == "till"

    revoked = await service.svc("key", "revoke", new["id"])
    assert set(revoked) == RECORD | {"revokedAt", "webhooks"}
    items: list[dict[str, Any]] = (await service.svc("key", "list", "--org", org))["items"]
    assert [(item["id"], item["status"]) for item in items] == [
        (new["id"], "revogada"),
        (key["id"], "ativa"),
    ]
    assert (items[1]["replacedById"], "expiraEm" in items[1]) == (new["id"], True)
    assert not [secret for secret in (key["key"], new["key"]) if secret in json.dumps(items)]


async def test_what_is_wrong_is_said_in_one_line(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    key = await service.svc("key", "create", "--org", org, "--env", "test")
    await service.svc("key", "rotate", key["id"])

    for words in (
        ("key", "rotate", "key_of_nobody"),
        ("key", "rotate", key["id"]),
        ("key", "create", "--org", org, "--env", "test", "--name", "x" * 121),
        ("key", "create", "--org", org, "--env", "test", "--scopes", "keys:manage"),
    ):
        status, line = await refusal(service, *words)
        assert status == 1, words
        assert line.startswith("svc: ")
        assert line.count("\n") == 1
    assert (await refusal(service, "key", "rotate", key["id"], "--overlap-hours", "169"))[0] == 2
    assert len((await service.svc("key", "list", "--org", org))["items"]) == 2


async def test_the_webhooks_of_a_key_are_shown_and_paused_where_asked(service: Service) -> None:
    api = await service.api()
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    key = await service.svc(
        "key", "create", "--org", org, "--env", "test", "--scopes", "webhooks:write"
    )
    hook = {"url": "https://example.com/hooks", "events": ["sms.delivered"]}
    headers = {"Authorization": f"Bearer {key['key']}"}
    async with service.http.post(f"{api.url}/webhooks", json=hook, headers=headers) as answer:
        made = (await answer.json())["webhook"]

    shown = {"id": made["id"], "url": made["url"], "status": "active"}
    assert (await service.svc("key", "revoke", key["id"]))["webhooks"] == [shown]
    paused = await service.svc("key", "revoke", key["id"], "--close-webhooks")
    assert paused["webhooks"] == [{**shown, "status": "paused"}]
