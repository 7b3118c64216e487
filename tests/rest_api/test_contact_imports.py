"""Imports of contacts over REST: statuses, shapes and masks. (Every answer is also held to the
OpenAPI document.)
"""

from typing import Any

import httpx
import pytest

from core import lists
from core.contacts import Contact
from core.foundation.ids import new_id
from core.foundation.security.caller import Scope
from core.webhooks import WebhookEvent
from rest_api.contact_imports.routes import BODY_LIMIT
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import phones, stored_contact
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

IMPORT = "/contacts/import"
NOTHING = {
    "criados": 0,
    "atualizados": 0,
    "inalterados": 0,
    "ignorados": 0,
    "erros": [],
    "warnings": [],
}


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


async def test_an_import_may_be_tried_first(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    lines = [{"phone": phone} for phone in phones(3)]

    tried = await bring(rest, *lines, {"phone": "12"}, listId=list_id, simular=True)
    left = (await Contact.all().count(), await WebhookEvent.filter(type="contact.created").count())
    done = await bring(rest, *lines, {"phone": "12"}, listId=list_id)

    assert left == (0, 0)
    assert tried == done
    assert (done["criados"], len(done["erros"])) == (3, 1)
    assert (await rest.get("/contacts", params={"listId": list_id})).json()["total"] == 3


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, {"atualizados": 1}),
        ({"seExistir": "atualizar"}, {"atualizados": 1}),
        ({"seExistir": "ignorar"}, {"ignorados": 1}),
    ],
)
async def test_a_known_contact_is_changed_or_left_alone(
    rest: httpx.AsyncClient, options: dict[str, str], told: dict[str, int]
) -> None:
    await a_client(rest)
    (phone,) = phones(1)
    await bring(rest, {"phone": phone, "externalId": "crm-1", "name": "Ana"})

    assert await bring(rest, {"phone": phone, "name": "Bia"}, **options) == {**NOTHING, **told}
    by_id = await bring(
        rest, {"phone": phone, "externalId": "crm-1", "name": "Cid"}, chave="externalId", **options
    )
    assert by_id == {**NOTHING, **told}


async def test_a_known_contact_may_be_an_error(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    (phone,) = phones(1)
    line = {"phone": phone, "externalId": "crm-1", "name": "Ana"}
    await bring(rest, line, silencioso=True)

    for key, code in (
        ("phone", "TELEFONE_JA_CADASTRADO"),
        ("externalId", "EXTERNAL_ID_JA_CADASTRADO"),
    ):
        done = await bring(rest, {**line, "name": "Bia"}, chave=key, seExistir="erro")
        assert [told["codigo"] for told in done["erros"]] == [code]
    assert (await Contact.get()).name == "Ana"
    assert await WebhookEvent.filter(type="contact.created").count() == 0


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, [("/contatos", "required")]),
        ({"contatos": []}, [("/contatos", "too_few")]),
        ({"contatos": [{"phone": "12"}] * 10_001}, [("/contatos", "too_many")]),
        ({"contatos": {"phone": "12"}}, [("/contatos", "wrong_type")]),
        ({"contatos": [{}], "chave": "cpf"}, [("/chave", "not_allowed")]),
        (
            {"contatos": [{}], "seExistir": "x", "simular": 1},
            [("/seExistir", "not_allowed"), ("/simular", "wrong_type")],
        ),
        ({"contatos": [{}], "listId": "lst_x"}, [("/listId", "VINCULO_INVALIDO")]),
        ({"contatos": [{}], "lista": "x"}, [("/lista", "unknown_field")]),
        (
            {"contatos": [{"phone": "+5511987654321", "name": "a\x00"}]},
            [("/contatos/0/name", "nul")],
        ),
    ],
)
async def test_a_faulty_import_is_refused_as_a_whole(
    rest: httpx.AsyncClient, body: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    await a_client(rest)

    answer = await rest.post(IMPORT, json=body)

    assert wrong_fields(the_problem(answer, 422)) == [("pointer", *field) for field in wrong]
    assert await Contact.all().count() == 0


async def test_ten_thousand_lines_are_one_import(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    (phone,) = phones(1)

    done = await bring(rest, *[{"phone": phone}] * 9_999, {"phone": "12"})

    assert (done["criados"], len(done["warnings"]), len(done["erros"])) == (1, 9_998, 1)


async def test_a_body_of_more_than_fifty_megabytes_is_not_read(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    refused = await rest.post(
        IMPORT, content=b"{}", headers={"Content-Length": str(BODY_LIMIT + 1)}
    )
    read = await rest.post(IMPORT, content=b"{}", headers={"Content-Length": str(BODY_LIMIT)})

    assert BODY_LIMIT == 50_000_000
    the_problem(refused, 413)
    the_problem(read, 422)


async def test_a_body_that_is_no_json_cannot_be_read(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    the_problem(await rest.post(IMPORT, content=b'{"contatos": [{'), 400)


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_contacts_and_lists_of_others_are_not_there(
    rest: httpx.AsyncClient, whose: str
) -> None:
    caller = await a_client(rest)
    (phone,) = phones(1)
    await stored_contact(caller, phone=phone, name="Ana", external_id="crm-1")
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await speak_from_the_other_side(rest, caller, whose)

    refused = await rest.post(IMPORT, json={"contatos": [{"phone": phone}], "listId": list_id})
    assert the_problem(refused, 422)["meta"] == {"code": "VINCULO_INVALIDO"}
    assert await bring(rest, {"phone": phone, "name": "Bia", "externalId": "crm-1"}) == {
        **NOTHING,
        "criados": 1,
    }

    assert {contact.name for contact in await Contact.all()} == {"Ana", "Bia"}


async def test_an_import_needs_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_caller("test")
    lines = {"contatos": [{"phone": phones(1)[0]}], "listId": new_id("lst")}

    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_READ})
    )
    assert the_problem(await rest.post(IMPORT, json=lines), 403)["meta"] == {
        "escopoExigido": "contacts:write"
    }
    del rest.headers["Authorization"]
    the_problem(await rest.post(IMPORT, json=lines), 401)

    assert await Contact.all().count() == 0
