"""`svc account`, and the owner that `svc org create` makes: records as JSON, and passwords that
nobody sees.
"""

import json
from typing import Any

from tests.support.processes import svc
from tests.support.service import Service

PASSWORD = "correct horse battery staple"


async def record(service: Service, *words: str, typed: str = "") -> dict[str, Any]:
    """The record of a command, which shows no password."""
    status, out, err = await svc([*words, "--json"], environment=service.environment, typed=typed)
    assert status == 0, err
    assert PASSWORD not in out + err
    assert "argon2" not in out + err
    answer: dict[str, Any] = json.loads(out)
    return answer


async def refusal(service: Service, *words: str, typed: str = "") -> tuple[int, str]:
    status, out, err = await svc([*words, "--json"], environment=service.environment, typed=typed)
    assert out == ""
    return status, err


async def log_in(
    service: Service, url: str, email: str, password: str = PASSWORD
) -> tuple[int, dict[str, Any]]:
    body = {"email": email, "password": password, "env": "test"}
    async with service.http.post(f"{url}/v2/sessions", json=body) as answer:
        return answer.status, await answer.json()


async def test_people_are_added_changed_and_listed(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]

    ana = await record(
        service, "account", "create", "--org", org, "--email", "Ana@padaria.test", "--name", "Ana"
    )
    bia = await record(
        service, "account", "create", "--org", org, "--email", "bia@padaria.test", "--name", "Bia",
        "--status", "invited", "--role", "admin", "--password", "-", typed=f"{PASSWORD}\n",
    )  # fmt: skip
    changed = await record(
        service, "account", "set", "--account", ana["accountId"], "--status", "suspended"
    )

    opened = await record(
        service, "account", "set", "--account", ana["accountId"], "--remove-second-factor"
    )
    assert opened["status"] == "suspended", "nothing else changes"
    assert (set(ana), ana["status"]) == ({"accountId", "status"}, "active")
    assert bia["status"] == "invited"
    assert set(changed) == {"id", "organizationId", "name", "email", "role", "status", "createdAt"}
    assert (changed["id"], changed["email"]) == (ana["accountId"], "ana@padaria.test")
    assert (changed["role"], changed["status"]) == ("operator", "suspended")
    listed = (await record(service, "account", "list", "--org", org))["items"]
    assert [(item["name"], item["role"], item["status"]) for item in listed] == [
        ("Owner", "owner", "active"),
        ("Ana", "operator", "suspended"),
        ("Bia", "admin", "invited"),
    ]


async def test_a_person_logs_in_with_the_password_that_was_typed_until_it_is_suspended(
    service: Service,
) -> None:
    api = await service.api()
    owner = await record(
        service,
        "org",
        "create",
        "Padaria",
        "--email",
        "owner@padaria.test",
        "--password",
        "-",
        typed=PASSWORD,
    )

    status, opened = await log_in(service, api.url, "OWNER@padaria.test")
    assert (status, opened["account"]["id"], opened["account"]["role"]) == (
        201,
        owner["accountId"],
        "owner",
    )
    await record(
        service,
        "account",
        "set",
        "--account",
        owner["accountId"],
        "--password",
        "-",
        typed="another password",
    )
    assert (await log_in(service, api.url, "owner@padaria.test"))[0] == 401
    assert (await log_in(service, api.url, "owner@padaria.test", "another password"))[0] == 201
    await record(
        service, "account", "set", "--account", owner["accountId"], "--status", "suspended"
    )
    assert (await log_in(service, api.url, "owner@padaria.test", "another password"))[0] == 401


async def test_what_is_wrong_is_said_in_one_line(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    ana = ("account", "create", "--org", org, "--email", "ana@padaria.test", "--name", "Ana")
    await record(service, *ana)

    for words in (
        ana,
        (
            "account",
            "create",
            "--org",
            "org_of_nobody",
            "--email",
            "ana@padaria.test",
            "--name",
            "Ana",
        ),
        ("account", "create", "--org", org, "--email", "ana", "--name", "Ana"),
        ("account", "set", "--account", "acc_of_nobody", "--status", "active"),
        ("org", "create", "Padaria", "--email", "ana"),
    ):
        status, line = await refusal(service, *words)
        assert status == 1, words
        assert line.startswith("svc: ")
        assert line.count("\n") == 1

    for wrong in (
        (*ana, "--password", PASSWORD),
        (*ana, "--password", "-"),
        (*ana, "--role", "god"),
        ("account", "set", "--account", "acc_of_nobody"),
        ("org", "create", "Padaria", "--password", "-"),
    ):
        status, line = await refusal(service, *wrong)
        assert status == 2, wrong
        assert PASSWORD not in line
    too_short = await refusal(
        service, "account", "set", "--account", "acc_x", "--password", "-", typed="short\n"
    )
    assert too_short[0] == 1
    assert "short" not in too_short[1].replace("too short", "")


async def test_a_suspension_takes_the_keys_along_where_asked(service: Service) -> None:
    organization = await service.svc("org", "create", "Padaria")
    org, owner = organization["organizationId"], organization["accountId"]
    key = await service.svc("key", "create", "--org", org, "--env", "live")
    words = ("account", "set", "--account", owner)

    status, out, err = await svc(
        [*words, "--status", "active", "--suspend-keys"], environment=service.environment
    )
    assert (status, out) == (2, "")
    assert "--status suspended" in err
    await service.svc(*words, "--status", "suspended")
    assert [one["status"] for one in (await service.svc("key", "list", "--org", org))["items"]] == [
        "ativa"
    ]
    assert (await service.svc(*words, "--status", "suspended", "--suspend-keys"))[
        "status"
    ] == "suspended"
    [ended] = (await service.svc("key", "list", "--org", org))["items"]
    assert (ended["id"], ended["status"]) == (key["id"], "revogada")
