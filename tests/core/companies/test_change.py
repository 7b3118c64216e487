"""Changing a company: what is left out stays, and links are checked when they change."""

from datetime import timedelta
from typing import Any

import pytest

from core import companies
from core.companies import Company
from core.companies.errors import CnpjTaken
from core.contacts import Contact
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.organizations import Account, AccountStatus
from tests.core.companies.conftest import a_member, but_times, strangers, told, without
from tests.factories.companies import a_cnpj, a_company, changed_company, masked, with_wrong_digits
from tests.factories.contacts import a_contact

CLEARABLE = ("cnpj", "segmento", "site", "endereco", "responsavelId", "contatoPrincipalId")


async def a_whole_company(caller: Caller) -> dict[str, Any]:
    return await a_company(
        caller,
        cnpj=a_cnpj(),
        segmento="Alimentação",
        site="https://estrela.example",
        endereco="Rua das Flores, 120",
        responsavelId=await a_member(caller),
        contatoPrincipalId=(await a_contact(caller))["id"],
        atributos={"porte": "pequena", "funcionarios": 12},
    )


async def made_long_ago(id: str) -> None:
    made = await Company.get(id=id)
    before = made.created_at - timedelta(days=1)
    await Company.filter(id=id).update(created_at=before, updated_at=before)


async def test_only_what_is_sent_changes(caller: Caller) -> None:
    made = await a_whole_company(caller)
    await made_long_ago(made["id"])
    before = await companies.get_company(caller, made["id"])

    after = await changed_company(caller, made["id"], nome="Padaria Lua")

    assert but_times(after) == {**but_times(before), "nome": "Padaria Lua"}
    assert after["updatedAt"] > before["updatedAt"]
    assert await companies.get_company(caller, made["id"]) == after
    assert after["contagens"] == {
        "contatos": 0, "negociosAbertos": 0, "valorAberto": 0.0, "ultimaInteracao": None, "valorGanho": 0.0,
        "negociosGanhos": 0,
    }  # fmt: skip


@pytest.mark.parametrize("field", CLEARABLE)
async def test_null_clears_what_a_company_can_do_without(caller: Caller, field: str) -> None:
    made = await a_whole_company(caller)

    after = await changed_company(caller, made["id"], **{field: None})

    assert but_times(after) == {
        name: value for name, value in but_times(made).items() if name != field
    }


@pytest.mark.parametrize("field", ["nome", "atributos"])
async def test_name_and_attributes_are_never_null(caller: Caller, field: str) -> None:
    made = await a_whole_company(caller)

    with pytest.raises(ValidationFailed):
        await changed_company(caller, made["id"], **{field: None})

    assert but_times(await companies.get_company(caller, made["id"])) == but_times(made)


async def test_attributes_are_replaced_as_a_whole(caller: Caller) -> None:
    made = await a_whole_company(caller)

    after = await changed_company(caller, made["id"], atributos={"novo": True})

    assert after["atributos"] == {"novo": True}


@pytest.mark.parametrize(
    "changes",
    [{}, {"nome": "Padaria Estrela"}, {"atributos": {"funcionarios": 12, "porte": "pequena"}}],
)
async def test_what_changes_nothing_does_not_move_its_time(
    caller: Caller, changes: dict[str, Any]
) -> None:
    made = await a_whole_company(caller)
    await made_long_ago(made["id"])
    before = await companies.get_company(caller, made["id"])

    assert await changed_company(caller, made["id"], **changes) == before


async def test_true_in_the_place_of_one_is_a_change(caller: Caller) -> None:
    made = await a_company(caller, atributos={"x": 1})

    assert (await changed_company(caller, made["id"], atributos={"x": True}))["atributos"][
        "x"
    ] is True


async def test_a_cnpj_changes_to_one_that_is_free(caller: Caller) -> None:
    made, cnpj = await a_whole_company(caller), a_cnpj(letters=True)

    assert (await changed_company(caller, made["id"], cnpj=masked(cnpj)))["cnpj"] == cnpj
    assert (await changed_company(caller, made["id"], cnpj=cnpj.lower()))["cnpj"] == cnpj


async def test_a_cnpj_of_another_company_is_refused(caller: Caller) -> None:
    made, other = await a_whole_company(caller), await a_company(caller, cnpj=a_cnpj())

    with pytest.raises(CnpjTaken):
        await changed_company(caller, made["id"], cnpj=masked(other["cnpj"]), nome="Outra")

    assert but_times(await companies.get_company(caller, made["id"])) == but_times(made)


async def test_wrong_check_digits_are_refused(caller: Caller) -> None:
    made = await a_whole_company(caller)

    with pytest.raises(ValidationFailed) as refused:
        await changed_company(caller, made["id"], cnpj=with_wrong_digits(made["cnpj"]))

    assert told(refused.value) == [("/cnpj", "invalid_cnpj")]


async def test_who_left_may_stay_but_not_come_new(caller: Caller) -> None:
    made = await a_whole_company(caller)
    other = await a_company(caller)
    member, contact = made["responsavelId"], made["contatoPrincipalId"]
    await Account.filter(id=member).update(status=AccountStatus.SUSPENDED)
    await Contact.filter(id=contact).delete()

    after = await changed_company(
        caller, made["id"], responsavelId=member, contatoPrincipalId=contact, nome="Lua"
    )

    assert (after["nome"], after["responsavelId"], after["contatoPrincipalId"]) == (
        "Lua",
        member,
        contact,
    )
    with pytest.raises(ValidationFailed) as refused:
        await changed_company(
            caller, other["id"], responsavelId=member, contatoPrincipalId=contact, nome="Lua"
        )
    assert told(refused.value) == [
        ("/contatoPrincipalId", "VINCULO_INVALIDO"),
        ("/responsavelId", "VINCULO_INVALIDO"),
    ]
    assert but_times(await companies.get_company(caller, other["id"])) == but_times(other)


async def test_a_new_link_is_checked(caller: Caller) -> None:
    made, member = await a_whole_company(caller), await a_member(caller)
    suspended = await a_member(caller, AccountStatus.SUSPENDED)

    assert (await changed_company(caller, made["id"], responsavelId=member))[
        "responsavelId"
    ] == member
    with pytest.raises(ValidationFailed):
        await changed_company(caller, made["id"], responsavelId=suspended)
    assert (await companies.get_company(caller, made["id"]))["responsavelId"] == member


async def test_a_company_of_others_does_not_exist(caller: Caller) -> None:
    for stranger in await strangers(caller):
        made = await a_company(stranger)
        for id in (
            made["id"],
            "emp_000000000000000000000",
            "x",
            made["id"].replace("emp_", "cnt_"),
        ):
            with pytest.raises(NotFound):
                await changed_company(caller, id, nome="Minha")
            with pytest.raises(NotFound):
                await companies.get_company(caller, id)
        assert (await companies.get_company(stranger, made["id"]))["nome"] == made["nome"]


async def test_changing_and_reading_need_their_scopes(caller: Caller) -> None:
    made = await a_company(caller)

    with pytest.raises(Forbidden):
        await changed_company(without(caller, Scope.CRM_WRITE), made["id"], nome="Lua")
    with pytest.raises(Forbidden):
        await companies.get_company(without(caller, Scope.CRM_READ), made["id"])
    assert (await companies.get_company(caller, made["id"]))["nome"] == made["nome"]
