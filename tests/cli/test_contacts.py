"""`svc contacts`: the setting of the ninth digit, as JSON, and one clear line when something is
wrong.
"""

import json
from typing import Any

from core.foundation.security.caller import KEY_SCOPES
from tests.support.processes import svc
from tests.support.service import Service

WITH, WITHOUT = "+5511987654321", "+551187654321"


async def run(service: Service, *words: str) -> tuple[int, str, str]:
    return await svc([*words, "--json"], environment=service.environment)


async def record(service: Service, *words: str) -> dict[str, Any]:
    status, out, err = await run(service, *words)
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


async def ninth_digit(service: Service, org: str, flag: str) -> tuple[int, str, str]:
    return await run(service, "contacts", "ninth-digit", "--org", org, flag)


async def test_the_ninth_digit_is_switched_off_and_on_again(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    scopes = ",".join(KEY_SCOPES)
    key = (
        await record(service, "key", "create", "--org", org, "--env", "test", "--scopes", scopes)
    )["key"]
    url = (await service.up()).apis[0].url

    async def created(phone: str) -> int:
        headers = {"Authorization": f"Bearer {key}"}
        async with service.http.post(
            f"{url}/contacts", json={"phone": phone}, headers=headers
        ) as answer:
            return answer.status

    assert [await created(WITHOUT), await created(WITH)] == [201, 409]
    status, out, err = await ninth_digit(service, org, "--off")
    assert (status, json.loads(out)) == (
        0,
        {"organizationId": org, "unifiesNinthDigit": False, "contactsRefiled": 1},
    ), err
    assert [await created(WITH), await created(WITHOUT)] == [201, 409]

    status, out, err = await ninth_digit(service, org, "--on")
    assert (status, out) == (1, "")
    assert err.startswith("svc: ")
    assert err.count("\n") == 1
    assert "87654321" not in err


async def test_an_unknown_organization_and_a_missing_choice_are_told(service: Service) -> None:
    status, out, err = await ninth_digit(service, "org_of_nobody", "--off")
    assert (status, out, err.count("\n")) == (1, "", 1)

    assert (await run(service, "contacts", "ninth-digit", "--org", "org_of_nobody"))[0] == 2


async def test_the_words_of_opt_out_are_shown_and_chosen(service: Service) -> None:
    org = (await record(service, "org", "create", "Padaria"))["organizationId"]
    of_the_org = ("--org", org, "--env", "test")
    assert (await record(service, "contacts", "words", "show", *of_the_org))["volta"] == [
        "VOLTAR",
        "START",
    ]
    chosen = await record(
        service, "contacts", "words", "set", *of_the_org, "--leave", "SAIR", "--leave", "Não quero"
    )
    assert chosen == {"saida": ["SAIR", "Não quero"], "volta": []}
    assert await record(service, "contacts", "words", "show", *of_the_org) == chosen

    status, out, err = await run(service, "contacts", "words", "set", *of_the_org, "--leave", "…")
    assert (status, out, err.count("\n")) == (1, "", 1)
    nobody = ("--org", "org_of_nobody", "--env", "test")
    assert (await run(service, "contacts", "words", "set", *nobody, "--leave", "SAIR"))[0] == 1
    assert await record(service, "contacts", "words", "show", *of_the_org) == chosen
