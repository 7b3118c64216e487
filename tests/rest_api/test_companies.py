"""Companies over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx

from core.companies import Company
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.companies import a_cnpj, masked
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import the_problem, wrong_fields

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
