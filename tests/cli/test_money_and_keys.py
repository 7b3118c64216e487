"""`svc org|key|wallet|prices|limits`: records as JSON, and one clear line when something is wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.foundation.security.caller import KEY_SCOPES
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

    key = await record(
        service, "key", "create", "--org", org, "--env", "live", "--scopes", "sms:send,sms:read"
    )
    assert key["key"].startswith("svc_live_")
    assert (key["env"], key["scopes"]) == ("live", ["sms:read", "sms:send"])
    [listed] = (await record(service, "key", "list", "--org", org))["items"]
    assert key["key"] not in json.dumps(listed)
    assert (await record(service, "key", "revoke", key["id"]))["revokedAt"] is not None

    credited = await record(
        service, "wallet", "credit", "--org", org, "--env", "live", "--coins", "5000"
    )
    assert credited == {"organizationId": org, "env": "live", "balanceCoins": 5000}
    debited = await record(
        service, "wallet", "debit", "--org", org, "--env", "live", "--coins", "1000"
    )
    assert debited == {"organizationId": org, "env": "live", "balanceCoins": 4000}
    shown = await record(service, "wallet", "show", "--org", org, "--env", "live")
    assert (shown["balanceCoins"], [entry["tipo"] for entry in shown["entries"]]) == (
        4000,
        ["ajuste", "credito"],
    )
    for replayed in (False, True):
        paid = await record(
            service,
            *("wallet", "credit", "--org", org, "--env", "live", "--coins", "500"),
            *("--payment", "pix-1"),
        )
        assert (paid["balanceCoins"], paid["replayed"]) == (4500, replayed)
    limit = await record(
        service, "wallet", "threshold", "--org", org, "--env", "live", "--coins", "7"
    )
    assert limit["limiteAvisoCoins"] == 7

    limits = await record(
        service, "limits", "set", "--org", org, "--env", "live", "--sms-per-second", "120"
    )
    assert limits == {
        "organizationId": org,
        "env": "live",
        "smsPerSecond": 120,
        "graphqlCost": 100_000,
    }


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


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"sms": {"premiun": [{"fromSegment": 1, "coins": 10}]}}, "/sms/premiun"),
        ({"rcs": {"easy": 1}, "mail": 10}, "/rcs/easy"),
        ([], "not a JSON object"),
        ({"email": -1}, "/email"),
        ({"email": float("nan")}, "/email"),
        ({"email": float("-inf")}, "/email"),
        ({"email": 0.08}, "/email"),
        ({"email": 10**30}, "/email"),
        ({"coinBrl": 0.01}, "/coinBrl"),
    ],
)
async def test_a_price_table_with_names_that_mean_nothing_is_refused(
    service: Service, tmp_path: Path, table: Any, told: str
) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    file = tmp_path / "prices.json"
    file.write_text(json.dumps(table), encoding="utf-8")

    status, line = await refusal(service, "prices", "set", "--org", org, "--file", str(file))

    assert status == 2
    assert told in line
    assert (await record(service, "prices", "show", "--org", org))["own"] is False


async def test_an_organization_has_a_name(service: Service) -> None:
    status, line = await refusal(service, "org", "create", " ")

    assert status == 2
    assert "needs a name" in line


async def test_an_amount_is_a_whole_number_of_coins_that_a_ledger_counts(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "test")
    before = await record(service, "wallet", "show", *where)

    for move in ("credit", "debit"):
        for coins in (
            "0",
            "-1",
            f"{10**15 + 1}",
            f"-{10**19}",
            "1.5",
            "1e3",
            "NaN",
            "inf",
            "R$5",
            "",
        ):
            assert (await refusal(service, "wallet", move, *where, f"--coins={coins}"))[0] == 2, (
                coins
            )
    for coins in ("-1", f"{10**19}", "nan"):
        assert (await refusal(service, "wallet", "threshold", *where, f"--coins={coins}"))[
            0
        ] == 2, coins

    assert await record(service, "wallet", "show", *where) == before


async def test_the_help_names_every_scope_of_a_key(service: Service) -> None:
    _, out, _ = await svc(["key", "create", "--help"], environment=service.environment)

    named = set(re.findall(r"[a-z]+:[a-z]+", out.partition("Scopes:")[2].partition("Options:")[0]))
    assert named == set(KEY_SCOPES)


async def test_an_organization_that_is_not_there_is_told_and_gets_nothing(service: Service) -> None:
    where = ("--org", "org_of_nobody", "--env", "test")
    window = ("--start", "22:00", "--end", "08:00", "--timezone", "America/Sao_Paulo")

    for words in (
        ("account", "list", *where[:2]),
        ("key", "list", *where[:2]),
        ("prices", "show", *where[:2]),
        ("prices", "set", *where[:2], "--published"),
        ("wallet", "show", *where),
        ("wallet", "credit", *where, "--coins", "1"),
        ("wallet", "debit", *where, "--coins", "1"),
        ("wallet", "threshold", *where, "--coins", "1"),
        ("limits", "show", *where[:2]),
        ("number", "list", *where),
        ("number", "create", *where, "--phone", "+5511987654321"),
        ("instagram", "list", *where),
        ("email-sender", "list", *where),
        ("push-app", "list", *where),
        ("push-app", "create", "loja", *where),
        ("quiet-hours", "set", *where, *window),
        ("quiet-hours", "clear", *where),
    ):
        assert await refusal(service, *words) == (1, "svc: No organization has this id.\n"), words

    books = await service.books()
    for table in ("push_apps", "quiet_windows"):
        found = await books.fetchval(
            f"SELECT count(*) FROM {table} WHERE organization_id = 'org_of_nobody'"
        )
        assert found == 0, table


async def test_what_is_wrong_is_said_in_one_line(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]

    for words in (
        ("key", "create", "--org", "org_of_nobody", "--env", "test"),
        ("key", "create", "--org", org, "--env", "test", "--scopes", "sms:fly"),
        ("key", "revoke", "key_of_nobody"),
        ("wallet", "debit", "--org", org, "--env", "live", "--coins", "1"),
        ("wallet", "credit", "--org", "org_of_nobody", "--env", "live", "--coins", "1"),
        ("limits", "set", "--org", "org_of_nobody", "--env", "live", "--sms-per-second", "5"),
    ):
        status, line = await refusal(service, *words)
        assert status == 1, words
        assert line.startswith("svc: ")
        assert line.count("\n") == 1

    assert (await refusal(service, "key", "create", "--org", org, "--env", "moon"))[0] == 2
