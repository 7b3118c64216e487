"""`svc org|key|wallet|prices|limits`: records as JSON, and one clear line when something is wrong."""

import json
from pathlib import Path
from typing import Any

from tests.support.processes import svc
from tests.support.service import Service


async def record(service: Service, *words: str) -> dict[str, Any]:
    status, out, err = await svc([*words, "--json"], environment=service.environment)
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


async def refusal(service: Service, *words: str) -> tuple[int, str]:
    status, out, err = await svc([*words, "--json"], environment=service.environment)
    assert out == ""
    return status, err


async def test_an_organization_its_key_and_its_money(service: Service) -> None:
    organization = await record(service, "org", "create", "Padaria")
    org = organization["organizationId"]
    assert set(organization) == {"organizationId", "name", "accountId"}

    key = await record(service, "key", "create", "--org", org, "--env", "live", "--scopes", "sms:send,sms:read")
    assert key["key"].startswith("svc_live_")
    assert (key["env"], key["scopes"]) == ("live", ["sms:read", "sms:send"])
    [listed] = (await record(service, "key", "list", "--org", org))["items"]
    assert key["key"] not in json.dumps(listed)
    assert (await record(service, "key", "revoke", key["id"]))["revokedAt"] is not None

    credited = await record(service, "wallet", "credit", "--org", org, "--env", "live", "--coins", "5000")
    assert credited == {"organizationId": org, "env": "live", "balanceCoins": 5000}
    assert (await record(service, "wallet", "credit", "--org", org, "--env", "live", "--coins=-1000"))[
        "balanceCoins"
    ] == 4000
    shown = await record(service, "wallet", "show", "--org", org, "--env", "live")
    assert (shown["balanceCoins"], [entry["tipo"] for entry in shown["entries"]]) == (4000, ["ajuste", "credito"])
    limit = await record(service, "wallet", "threshold", "--org", org, "--env", "live", "--coins", "7")
    assert limit["limiteAvisoCoins"] == 7

    limits = await record(service, "limits", "set", "--org", org, "--env", "live", "--sms-per-second", "120")
    assert limits == {"organizationId": org, "env": "live", "smsPerSecond": 120, "graphqlCost": 100_000}


async def test_prices_are_set_from_what_they_show(service: Service, tmp_path: Path) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    table = await record(service, "prices", "show", "--org", org)
    table["sms"]["premium"] = [{"fromSegment": 1, "coins": 500}]
    file = tmp_path / "prices.json"
    file.write_text(json.dumps(table), encoding="utf-8")

    own = await record(service, "prices", "set", "--org", org, "--file", str(file))
    back = await record(service, "prices", "set", "--org", org, "--published")

    assert (own["own"], own["sms"]["premium"]) == (True, [{"fromSegment": 1, "coins": 500}])
    assert back["own"] is False


async def test_what_is_wrong_is_said_in_one_line(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]

    for words in (
        ("key", "create", "--org", "org_of_nobody", "--env", "test"),
        ("key", "create", "--org", org, "--env", "test", "--scopes", "sms:fly"),
        ("key", "revoke", "key_of_nobody"),
        ("wallet", "credit", "--org", org, "--env", "live", "--coins=-1"),
        ("wallet", "credit", "--org", "org_of_nobody", "--env", "live", "--coins", "1"),
        ("limits", "set", "--org", "org_of_nobody", "--env", "live", "--sms-per-second", "5"),
    ):
        status, line = await refusal(service, *words)
        assert status == 1, words
        assert line.startswith("svc: ")
        assert line.count("\n") == 1

    assert (await refusal(service, "key", "create", "--org", org, "--env", "moon"))[0] == 2
