"""`svc email-sender`: verified senders, as JSON, and one clear line when something is wrong."""

import json
from typing import Any

from tests.support.processes import svc
from tests.support.service import Service


async def run(service: Service, *words: str) -> tuple[int, str, str]:
    return await svc([*words, "--json"], environment=service.environment)


async def test_senders_are_verified_once_and_listed(service: Service) -> None:
    status, out, err = await run(service, "org", "create", "Padaria")
    assert status == 0, err
    org: str = json.loads(out)["organizationId"]
    where = ("--org", org, "--env", "live")

    records: list[dict[str, Any]] = []
    for address in ("Loja@Example.com", "@example.org", "loja@example.com"):
        status, out, err = await run(service, "email-sender", "verify", address, *where)
        assert status == 0, err
        records.append(json.loads(out))
    status, out, err = await run(service, "email-sender", "list", *where)

    assert records[0] == records[2]
    assert records[1] == {
        "id": records[1]["id"],
        "organizationId": org,
        "env": "live",
        "address": "@example.org",
        "method": "operator",
        "status": "verified",
        "createdAt": records[1]["verifiedAt"],
        "verifiedAt": records[1]["verifiedAt"],
    }
    assert json.loads(out) == {"items": [records[1], records[0]]}


async def test_what_is_no_address_and_nobodys_organization_are_refused(service: Service) -> None:
    status, out, err = await run(
        service, "email-sender", "verify", "loja", "--org", "org_x", "--env", "live"
    )
    assert (status, out, err.count("\n")) == (1, "", 1)
    status, out, err = await run(
        service, "email-sender", "verify", "a@b.test", "--org", "org_x", "--env", "live"
    )
    assert (status, out, err.count("\n")) == (1, "", 1)
