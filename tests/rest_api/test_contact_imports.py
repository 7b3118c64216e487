"""Imports of contacts over REST: statuses, shapes and masks. (Every answer is also held to the
OpenAPI document.)
"""

from typing import Any

import httpx

from tests.factories.stored_contacts import phones, stored_contact
from tests.rest_api.problem_answers import must_not_hold
from tests.rest_api.speaking import a_client

IMPORT = "/contacts/import"


async def bring(rest: httpx.AsyncClient, *contatos: Any, **options: Any) -> dict[str, Any]:
    answer = await rest.post(IMPORT, json={"contatos": list(contatos), **options})
    assert answer.status_code == 200, answer.text
    done: dict[str, Any] = answer.json()
    return done


async def test_lines_become_contacts_and_every_faulty_one_is_told_without_its_values(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    known, new, taken, _ = phones(4)
    await stored_contact(caller, phone=known, external_id="crm-1")

    answer = await rest.post(
        IMPORT,
        json={
            "contatos": [
                {"phone": known, "name": "Ana"},
                {"phone": new, "name": "first"},
                {"phone": "+5511987731", "email": "secret-7731@x", "cpf": "7731"},
                {"phone": "+5511*****7731"},
                {"phone": taken, "externalId": "crm-1", "name": "Zulmira 7731"},
                {"phone": new, "name": "last"},
                "Zulmira 7731",
            ]
        },
    )

    done = answer.json()
    assert {
        name: done[name] for name in ("criados", "atualizados", "inalterados", "ignorados")
    } == {
        "criados": 1,
        "atualizados": 1,
        "inalterados": 0,
        "ignorados": 0,
    }
    assert [(told["linha"], told.get("campo"), told["codigo"]) for told in done["erros"]] == [
        (3, "phone", "invalid_phone"),
        (3, "email", "wrong_format"),
        (3, "cpf", done["erros"][2]["codigo"]),
        (4, "phone", "VALOR_MASCARADO"),
        (5, "externalId", "EXTERNAL_ID_JA_CADASTRADO"),
        (7, None, "wrong_type"),
    ]
    assert [(told["linha"], told["codigo"]) for told in done["warnings"]] == [(2, "linha_repetida")]
    must_not_hold(answer, ["7731", "Zulmira", known, new, "crm-1"])
    page = (await rest.get("/contacts")).json()
    assert {(item["name"], item["source"]) for item in page["items"]} == {
        ("Ana", "api"),
        ("last", "import"),
    }


async def test_ten_thousand_lines_are_one_import(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    (phone,) = phones(1)

    done = await bring(rest, *[{"phone": phone}] * 9_999, {"phone": "12"})

    assert (done["criados"], len(done["warnings"]), len(done["erros"])) == (1, 9_998, 1)
