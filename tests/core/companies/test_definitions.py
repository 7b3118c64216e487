"""What the attributes of companies have to be: the definitions, and what they are for."""

from typing import Any

import pytest

from core import companies
from core.companies import Company, definitions
from core.companies.errors import CheckTookTooLong, KeysRepeated, SensitivePropertyInUse
from core.companies.sensitive import looks_sensitive
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from tests.core.companies.conftest import strangers, told, without
from tests.factories.companies import a_company, changed_company, defined
from tests.factories.organizations import a_caller
from tests.support.races import outside

CPF = {"key": "cpfDoSocio", "type": "string", "label": "CPF do sócio", "required": False}


async def defs(caller: Caller) -> list[dict[str, Any]]:
    return [dict(one) for one in (await companies.list_definitions(caller))["defs"]]


async def test_without_definitions_every_attribute_is_free(caller: Caller) -> None:
    assert await companies.list_definitions(caller) == {"defs": []}

    assert (await a_company(caller, atributos={"qualquer": ["coisa"]}))["atributos"] == {
        "qualquer": ["coisa"]
    }


async def test_definitions_come_back_in_their_order(caller: Caller) -> None:
    sent: list[dict[str, Any]] = [
        {"key": "b", "type": "number"},
        {"key": "a", "type": "date", "label": "Desde", "required": True},
        {"key": "c", "type": "boolean", "label": None},
    ]
    shown = [
        {"key": "b", "type": "number", "required": False},
        {"key": "a", "type": "date", "label": "Desde", "required": True},
        {"key": "c", "type": "boolean", "required": False},
    ]

    assert await defined(caller, *sent) == {"defs": shown}
    assert await defs(caller) == shown


async def test_a_key_that_is_left_out_disappears_and_companies_stay(caller: Caller) -> None:
    await defined(caller, {"key": "a", "type": "string"}, {"key": "b", "type": "string"})
    made = await a_company(caller, atributos={"a": "1", "b": "2"})

    await defined(caller, {"key": "b", "type": "number", "required": True})

    assert [one["key"] for one in await defs(caller)] == ["b"]
    assert (await companies.get_company(caller, made["id"]))["atributos"] == {"a": "1", "b": "2"}


async def test_a_repeated_key_is_a_conflict(caller: Caller) -> None:
    await defined(caller, {"key": "z", "type": "string"})

    with pytest.raises(KeysRepeated) as refused:
        await defined(caller, *({"key": key, "type": "string"} for key in ("a", "b", "a", "a")))

    assert told(refused.value) == [
        ("/defs/2/key", "CHAVE_REPETIDA"),
        ("/defs/3/key", "CHAVE_REPETIDA"),
    ]
    assert [one["key"] for one in await defs(caller)] == ["z"]


async def test_others_have_definitions_of_their_own(caller: Caller) -> None:
    await defined(caller, {"key": "a", "type": "string", "required": True})

    for stranger in await strangers(caller):
        assert await defs(stranger) == []
        await a_company(stranger)
        await defined(stranger)
    assert [one["key"] for one in await defs(caller)] == ["a"]


@pytest.mark.parametrize(
    ("type", "value", "code"),
    [
        ("string", 1, "wrong_type"),
        ("string", True, "wrong_type"),
        ("string", ["a"], "wrong_type"),
        ("number", "1", "wrong_type"),
        ("number", True, "wrong_type"),
        ("boolean", 1, "wrong_type"),
        ("boolean", "true", "wrong_type"),
        ("date", 20261121, "wrong_format"),
        ("date", "21/11/2026", "wrong_format"),
        ("date", "2026-02-30", "wrong_format"),
        ("date", "20261121", "wrong_format"),
        ("date", "2026-W47-6", "wrong_format"),
        ("date", "2026-11-21T00:00:00Z", "wrong_format"),
    ],
)
async def test_a_value_of_another_type_is_refused(
    caller: Caller, type: str, value: Any, code: str
) -> None:
    await defined(caller, {"key": "a/b~c", "type": type})
    made = await a_company(caller)

    for write in (
        a_company(caller, atributos={"a/b~c": value}),
        changed_company(caller, made["id"], atributos={"a/b~c": value}),
    ):
        with pytest.raises(ValidationFailed) as refused:
            await write
        assert told(refused.value) == [("/atributos/a~1b~0c", code)]
    assert await Company.all().count() == 1
    assert (await companies.get_company(caller, made["id"]))["atributos"] == {}


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("string", ""),
        ("number", 0),
        ("number", -1.5),
        ("boolean", False),
        ("date", "2026-11-21"),
        ("date", None),
    ],
)
async def test_a_value_of_its_type_is_taken(caller: Caller, type: str, value: Any) -> None:
    await defined(caller, {"key": "a", "type": type})

    made = await a_company(caller, atributos={"a": value, "sem definição": ["x"]})

    assert made["atributos"] == {"a": value, "sem definição": ["x"]}


@pytest.mark.parametrize("attributes", [{}, {"a": None}, {"b": "x"}])
async def test_a_required_attribute_has_a_value(caller: Caller, attributes: dict[str, Any]) -> None:
    await defined(caller, {"key": "a", "type": "string", "required": True})

    with pytest.raises(ValidationFailed) as refused:
        await a_company(caller, atributos=attributes)

    assert told(refused.value) == [("/atributos/a", "required")]
    assert await Company.all().count() == 0


async def test_a_change_without_attributes_is_not_held_to_later_definitions(caller: Caller) -> None:
    made = await a_company(caller, atributos={"a": 1})
    await defined(caller, {"key": "a", "type": "string", "required": True})

    after = await changed_company(caller, made["id"], nome="Lua")

    assert (after["nome"], after["atributos"]) == ("Lua", {"a": 1})
    for attributes in ({"a": 1}, {}):
        with pytest.raises(ValidationFailed):
            await changed_company(caller, made["id"], atributos=attributes)
    assert (await changed_company(caller, made["id"], atributos={"a": "x"}))["atributos"] == {
        "a": "x"
    }


@pytest.mark.parametrize(
    "name",
    [
        "cpf", "CPF do sócio", "cpfDoSocio", "cpf_socio", "CNPJ", "rg", "numeroRG", "documento", "passaporte",
        "Documento de identidade", "senha", "SENHA_PORTAL", "password", "cartao", "Número do cartão", "numerodocartao",
        "card number", "cvv", "token", "accessToken", "api key", "apiKey",
    ],
)  # fmt: skip
def test_what_looks_like_a_document_password_card_or_token(name: str) -> None:
    assert looks_sensitive(name, None)
    assert looks_sensitive("x", name)


@pytest.mark.parametrize(
    "name",
    [
        "porte",
        "funcionarios",
        "cardapio",
        "origem",
        "Cidade",
        "secretaria",
        "energia",
        "compass",
        "opinion",
        "",
    ],
)
def test_what_does_not(name: str) -> None:
    assert not looks_sensitive(name, name)


@pytest.mark.parametrize("value", ["11122233344", "", 7, False, ["x"]])
@pytest.mark.parametrize(
    "after",
    [
        [],
        [{**CPF, "label": "Outro"}],
        [{"key": "cpfDoSocio", "type": "string"}],
        [{**CPF, "key": "outra"}],
    ],
)
async def test_a_sensitive_property_with_values_stays_under_its_label(
    caller: Caller, after: list[dict[str, Any]], value: Any
) -> None:
    made = await a_company(caller, atributos={"cpfDoSocio": value})
    await defined(caller, CPF)

    with pytest.raises(SensitivePropertyInUse) as refused:
        await defined(caller, *after)

    assert refused.value.meta == {"code": "PROPRIEDADE_SENSIVEL_EM_USO", "chaves": ["cpfDoSocio"]}
    assert await defs(caller) == [CPF]
    await changed_company(caller, made["id"], atributos={})
    await defined(caller, *after)
    assert len(await defs(caller)) == len(after)


async def test_a_label_is_enough_to_look_sensitive(caller: Caller) -> None:
    await defined(caller, {"key": "campo1", "type": "string", "label": "Senha do portal"})
    await a_company(caller, atributos={"campo1": "x"})

    with pytest.raises(SensitivePropertyInUse):
        await defined(caller)


async def test_type_and_obligation_of_a_sensitive_property_may_change(caller: Caller) -> None:
    await a_company(caller, atributos={"cpfDoSocio": "1"})
    await defined(caller, CPF)

    await defined(caller, {**CPF, "type": "number", "required": True})

    assert (await defs(caller))[0]["type"] == "number"


async def test_null_and_values_of_others_are_no_use(caller: Caller) -> None:
    await defined(caller, CPF)
    await a_company(caller, atributos={"cpfDoSocio": None})
    for stranger in await strangers(caller):
        await a_company(stranger, atributos={"cpfDoSocio": "1"})

    assert await defined(caller) == {"defs": []}


async def test_another_property_leaves_also_with_values(caller: Caller) -> None:
    await defined(caller, {"key": "porte", "type": "string"})
    await a_company(caller, atributos={"porte": "média"})

    assert await defined(caller) == {"defs": []}


@pytest.mark.usefixtures("real_commits")
async def test_a_check_that_takes_too_long_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()
    await defined(caller, CPF)
    usual = await db.fetchval("SHOW statement_timeout")
    monkeypatch.setattr(definitions, "LOCK_TIMEOUT", 0.05)

    async with transaction():
        # Whoever looks for values waits for us, and is not patient.
        await db.execute("LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(CheckTookTooLong):
            await outside(defined(caller))

    assert await defs(caller) == [CPF]
    assert await db.fetchval("SHOW statement_timeout") == usual
    assert await defined(caller) == {"defs": []}


def test_the_check_may_take_five_seconds() -> None:
    assert definitions.LOCK_TIMEOUT == 5


async def test_definitions_need_their_scopes(caller: Caller) -> None:
    with pytest.raises(Forbidden):
        await companies.list_definitions(without(caller, Scope.CRM_READ))
    with pytest.raises(Forbidden):
        await defined(without(caller, Scope.CRM_WRITE), CPF)
    assert await defs(caller) == []
