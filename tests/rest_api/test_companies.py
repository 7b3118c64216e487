"""Companies over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx
import pytest

from core.companies import Company
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, Caller, Scope
from tests.factories.companies import a_cnpj, masked
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

COMPANIES = "/v2/companies"
DEFINITIONS = "/v2/organizations/me/company-attribute-defs"


async def a_client(rest: httpx.AsyncClient) -> Caller:
    """A caller of a new organization; from now on the client calls with a key of it."""
    caller = await a_caller("test")
    await speak_as(rest, organization_id=caller.organization_id)
    return caller


async def speak_as(
    rest: httpx.AsyncClient, *, scopes: frozenset[Scope] = KEY_SCOPES, **how: Any
) -> None:
    """The client calls with another key."""
    rest.headers["Authorization"] = (
        f"Bearer {await a_key(how.pop('env', 'test'), scopes=scopes, **how)}"
    )


async def made(rest: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    """A new company, as it was answered."""
    answer = await rest.post(COMPANIES, json={"nome": "Padaria", **fields})
    assert answer.status_code == 201, answer.text
    record: dict[str, Any] = answer.json()
    return record


async def test_a_company_is_created_read_changed_listed_and_deleted(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)
    cnpj = a_cnpj(letters=True)

    created = await made(rest, cnpj=masked(cnpj).lower(), atributos={"porte": "média"})
    address = f"{COMPANIES}/{created['id']}"
    read = await rest.get(address)
    changed = await rest.patch(address, json={"nome": "Padaria Lua", "segmento": None})
    listed = await rest.get(COMPANIES, params={"q": masked(cnpj)})
    deleted = await rest.delete(address)

    assert created["cnpj"] == cnpj
    assert set(read.json()["contagens"]) - set(created["contagens"]) == {
        "valorGanho",
        "negociosGanhos",
    }
    assert {**read.json(), "contagens": created["contagens"]} == created
    assert changed.json() == {
        **read.json(),
        "nome": "Padaria Lua",
        "updatedAt": changed.json()["updatedAt"],
    }
    assert listed.json() == {
        "items": [{**changed.json(), "contagens": created["contagens"]}],
        "total": 1,
    }
    assert (deleted.status_code, deleted.content) == (204, b"")
    the_problem(await rest.get(address), 404)


async def test_a_second_page_is_reached_by_its_cursor(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    for name in "CAB":
        await made(rest, nome=name)

    first = (await rest.get(COMPANIES, params={"limit": 2})).json()
    second = (await rest.get(COMPANIES, params={"limit": 2, "cursor": first["nextCursor"]})).json()

    assert [item["nome"] for item in first["items"] + second["items"]] == ["A", "B", "C"]
    assert (first["total"], second["total"], "nextCursor" in second) == (3, 3, False)


async def test_a_taken_cnpj_is_409_and_is_not_repeated(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    cnpj = a_cnpj()
    await made(rest, cnpj=cnpj)

    answer = await rest.post(COMPANIES, json={"nome": "Zulmira", "cnpj": masked(cnpj)})

    assert the_problem(answer, 409)["meta"] == {"code": "CNPJ_JA_CADASTRADO"}
    must_not_hold(answer, [cnpj, masked(cnpj), "Zulmira"])
    assert await Company.all().count() == 1


async def test_every_wrong_link_and_attribute_is_named_at_once(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    await rest.put(
        DEFINITIONS, json={"defs": [{"key": "porte", "type": "string", "required": True}]}
    )

    answer = await rest.post(
        COMPANIES,
        json={
            "nome": "A",
            "responsavelId": "acc_x",
            "contatoPrincipalId": "cnt_x",
            "atributos": {"porte": 1},
        },
    )

    problem = the_problem(answer, 422)
    assert problem["meta"] == {"code": "VINCULO_INVALIDO"}
    assert wrong_fields(problem) == [
        ("pointer", "/atributos/porte", "wrong_type"),
        ("pointer", "/contatoPrincipalId", "VINCULO_INVALIDO"),
        ("pointer", "/responsavelId", "VINCULO_INVALIDO"),
    ]
    assert await Company.all().count() == 0


async def test_an_import_answers_counts_and_the_lines_that_failed(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    cnpj = a_cnpj()
    await made(rest, cnpj=cnpj)

    answer = await rest.post(
        f"{COMPANIES}/import",
        json={
            "empresas": [
                {"nome": "Lua", "cnpj": cnpj},
                {"nome": "Sol"},
                {"nome": "Zulmira", "site": "zulmira"},
            ]
        },
    )

    assert answer.json() == {
        "criadas": 1,
        "atualizadas": 1,
        "erros": [
            {"linha": 3, "mensagem": "site: Send an http(s) address, such as https://example.com"}
        ],
    }
    must_not_hold(answer, ["ulmira"])


async def test_definitions_are_replaced_and_a_sensitive_one_stays(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    sent = [
        {"key": "senhaPortal", "type": "string", "required": False},
        {"key": "x", "type": "date", "required": True},
    ]

    replaced = await rest.put(DEFINITIONS, json={"defs": sent})
    await made(rest, atributos={"senhaPortal": "7731", "x": "2026-11-21"})
    refused = await rest.put(DEFINITIONS, json={"defs": []})

    assert replaced.json() == {"defs": sent}
    assert the_problem(refused, 409)["meta"] == {
        "code": "PROPRIEDADE_SENSIVEL_EM_USO",
        "chaves": ["senhaPortal"],
    }
    must_not_hold(refused, ["7731"])
    assert (await rest.get(DEFINITIONS)).json() == {"defs": sent}


async def test_deleting_needs_a_scope_of_its_own(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address = f"{COMPANIES}/{(await made(rest))['id']}"
    await speak_as(rest, organization_id=caller.organization_id, scopes=DEFAULT_KEY_SCOPES)

    assert the_problem(await rest.delete(address), 403)["meta"] == {"escopoExigido": "crm:delete"}
    assert (await rest.get(address)).status_code == 200


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_companies_of_others_are_404(rest: httpx.AsyncClient, whose: str) -> None:
    caller = await a_client(rest)
    address = f"{COMPANIES}/{(await made(rest))['id']}"
    if whose == "another organization":
        await speak_as(rest)
    else:
        await speak_as(rest, env="live", organization_id=caller.organization_id)

    the_problem(await rest.get(address), 404)
    the_problem(await rest.patch(address, json={"nome": "Minha"}), 404)
    the_problem(await rest.delete(address), 404)
    assert (await rest.get(COMPANIES)).json() == {"items": [], "total": 0}
