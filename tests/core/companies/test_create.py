"""Creating a company: its fields, its CNPJ, and whom it points to."""

from typing import Any

import pytest

from core import companies
from core.companies import Company
from core.companies.errors import CnpjTaken
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope, system_caller
from core.organizations import AccountStatus
from tests.core.companies.conftest import a_member, strangers, told, without
from tests.factories.companies import a_cnpj, a_company, masked
from tests.factories.contacts import a_contact

NOTHING = {"contatos": 0, "negociosAbertos": 0, "valorAberto": 0.0, "ultimaInteracao": None}


async def test_a_company_comes_back_as_it_went_in(caller: Caller) -> None:
    cnpj, contact, member = a_cnpj(), await a_contact(caller), await a_member(caller)
    fields: dict[str, Any] = {
        "nome": "Padaria Estrela Ltda",
        "segmento": "Alimentação",
        "site": "https://estrela.example/a?b=c",
        "endereco": "Rua das Flores, 120",
        "responsavelId": member,
        "contatoPrincipalId": contact["id"],
        "atributos": {"texto": "x", "numero": 1.5, "sim": True, "nada": None, "lista": ["a", "b"]},
    }

    made = await a_company(caller, cnpj=masked(cnpj), **fields)

    assert made["id"].startswith("emp_")
    assert made == {
        "id": made["id"],
        "organizationId": caller.organization_id,
        **fields,
        "cnpj": cnpj,
        "createdById": caller.account_id,
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
        "contagens": NOTHING,
    }
    read = dict[str, Any](await companies.get_company(caller, made["id"]))
    assert read.pop("contagens") == {**NOTHING, "valorGanho": 0.0, "negociosGanhos": 0}
    assert read == {name: value for name, value in made.items() if name != "contagens"}


async def test_a_name_is_enough_and_what_has_no_value_is_absent(caller: Caller) -> None:
    made = await a_company(caller, nome="  Oficina  ", cnpj=None, site=None, responsavelId=None)

    assert made["nome"] == "Oficina"
    assert set(made) == {
        "id", "organizationId", "nome", "atributos", "createdById", "createdAt", "updatedAt", "contagens"
    }  # fmt: skip


async def test_what_the_shell_makes_belongs_to_the_organization(caller: Caller) -> None:
    made = await a_company(system_caller(caller.organization_id, "test"))

    assert made["createdById"] == caller.organization_id


@pytest.mark.parametrize(
    "written",
    ["12.ABC.345/01DE-35", "12abc34501de35", " 12ABC345/01DE-35", "12 ABC 345 01DE 35"],
)
async def test_a_cnpj_with_letters_is_stored_in_upper_case_without_mask(
    caller: Caller, written: str
) -> None:
    assert (await a_company(caller, cnpj=written))["cnpj"] == "12ABC34501DE35"


@pytest.mark.parametrize(
    "written",
    [
        "12.ABC.345/01DE-36",
        "11222333000182",
        "00000000000000",
        "1122233300018",
        "112223330001811",
        "12ABC34501DEA5",
        "",
        "padaria",
        "12abc34501de3\u0665",
        "1\u017fabc34501de35",
    ],
)
async def test_a_cnpj_whose_check_digits_do_not_fit_is_refused(
    caller: Caller, written: str
) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_company(caller, cnpj=written)

    assert told(refused.value) == [("/cnpj", "invalid_cnpj")]
    assert not written or written not in str(refused.value.errors)
    assert await Company.all().count() == 0


async def test_a_masked_cnpj_is_not_taken_back(caller: Caller) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_company(caller, cnpj="**.345.***/****-**")

    assert refused.value.meta["code"] == "VALOR_MASCARADO"


@pytest.mark.parametrize("letters", [False, True])
async def test_a_cnpj_is_registered_once_however_it_is_written(
    caller: Caller, letters: bool
) -> None:
    cnpj = a_cnpj(letters=letters)
    await a_company(caller, cnpj=cnpj)

    for written in (cnpj, masked(cnpj), cnpj.lower()):
        with pytest.raises(CnpjTaken) as refused:
            await a_company(caller, nome="Outra", cnpj=written)
        assert refused.value.meta == {"code": "CNPJ_JA_CADASTRADO"}
        assert cnpj not in str(refused.value.errors) + refused.value.detail
    assert await Company.all().count() == 1


async def test_each_organization_and_environment_has_its_own_cnpjs(caller: Caller) -> None:
    cnpj = a_cnpj()
    await a_company(caller, cnpj=cnpj)

    for stranger in await strangers(caller):
        assert (await a_company(stranger, cnpj=cnpj))["cnpj"] == cnpj


async def test_companies_without_a_cnpj_repeat_freely(caller: Caller) -> None:
    one, other = await a_company(caller), await a_company(caller)

    assert one["id"] != other["id"]


async def test_somebody_who_is_no_active_member_is_not_responsible(caller: Caller) -> None:
    ids = [
        await a_member(caller, AccountStatus.SUSPENDED),
        await a_member(caller, AccountStatus.INVITED),
        str((await strangers(caller))[0].account_id),
        "acc_000000000000000000000",
        "x",
    ]

    for id in ids:
        with pytest.raises(ValidationFailed) as refused:
            await a_company(caller, responsavelId=id)
        assert told(refused.value) == [("/responsavelId", "VINCULO_INVALIDO")]
        assert refused.value.meta["code"] == "VINCULO_INVALIDO"
    assert await Company.all().count() == 0


async def test_the_main_contact_is_one_of_this_organization_and_environment(caller: Caller) -> None:
    strange = [(await a_contact(stranger))["id"] for stranger in await strangers(caller)]

    for id in [*strange, "cnt_000000000000000000000", "x"]:
        with pytest.raises(ValidationFailed) as refused:
            await a_company(caller, contatoPrincipalId=id)
        assert told(refused.value) == [("/contatoPrincipalId", "VINCULO_INVALIDO")]
    assert await Company.all().count() == 0


async def test_each_link_leads_to_one_of_its_own_kind(caller: Caller) -> None:
    member, contact = await a_member(caller), (await a_contact(caller))["id"]

    for wrong, id in (("/responsavelId", contact), ("/contatoPrincipalId", member)):
        with pytest.raises(ValidationFailed) as refused:
            await a_company(caller, responsavelId=id, contatoPrincipalId=id)
        assert told(refused.value) == [(wrong, "VINCULO_INVALIDO")]


@pytest.mark.parametrize(
    "site",
    ["estrela.example", "ftp://estrela.example", "javascript:alert(1)", "https://", "http://a b"],
)
async def test_a_site_is_an_address_of_the_web(caller: Caller, site: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_company(caller, site=site)

    assert told(refused.value) == [("/site", "wrong_format")]


async def test_creating_needs_its_scope(caller: Caller) -> None:
    with pytest.raises(Forbidden):
        await a_company(without(caller, Scope.CRM_WRITE))

    assert await Company.all().count() == 0
