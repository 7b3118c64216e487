"""Companies for tests, through the use cases; bodies are written as on the wire."""

import itertools
from typing import Any

import orjson

from cli.seed.brazil.companies import cnpj_number
from core import companies
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body, read_query

_numbers = itertools.count(1)


def a_cnpj(*, letters: bool = False) -> str:
    """A valid CNPJ that no other test has, without mask."""
    return cnpj_number(next(_numbers), letters=letters)


def masked(cnpj: str) -> str:
    """The same with its mask."""
    return f"{cnpj[:2]}.{cnpj[2:5]}.{cnpj[5:8]}/{cnpj[8:12]}-{cnpj[12:]}"


def with_wrong_digits(cnpj: str) -> str:
    """The same with a check digit that does not fit."""
    return cnpj[:-1] + str((int(cnpj[-1]) + 1) % 10)


async def a_company(caller: Caller, **fields: Any) -> dict[str, Any]:
    """Create a company; answers the record."""
    body = {"nome": "Padaria Estrela", **fields}
    made = read_body(companies.NewCompany, orjson.dumps(body))
    return dict(await companies.create_company(caller, made))


async def changed_company(caller: Caller, id: str, /, **changes: Any) -> dict[str, Any]:
    """Change a company by fields of the body; answers the record."""
    wanted = read_body(companies.CompanyChanges, orjson.dumps(changes))
    return dict(await companies.change_company(caller, id, wanted))


async def imported(caller: Caller, *lines: Any) -> dict[str, Any]:
    """Import lines: `{criadas, atualizadas, erros}`."""
    body = orjson.dumps({"empresas": lines})
    return dict(await companies.import_companies(caller, read_body(companies.CompanyImport, body)))


async def listed(caller: Caller, **query: str) -> dict[str, Any]:
    """A page, by the parameters of the query."""
    filter = read_query(companies.CompanyFilter, query.items())
    return dict(await companies.list_companies(caller, filter))


async def defined(caller: Caller, *defs: dict[str, Any]) -> dict[str, Any]:
    """Make these the definitions of attributes."""
    body = orjson.dumps({"defs": defs})
    wanted = read_body(companies.AttributeDefinitions, body)
    return dict(await companies.replace_definitions(caller, wanted))
