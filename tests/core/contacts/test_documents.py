"""Documents: sealed where they are stored, masked where they are shown."""

from typing import Any

import pytest

from core import contacts
from core.contacts import Contact
from core.foundation.database import db
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller
from tests.factories.contacts import a_contact, a_new_contact, changed_contact

CPF, CNPJ, BORN = "52998224725", "12ABC34501DE99", "1990-12-31"


async def test_a_read_shows_masks_and_ciphers_and_never_the_document(caller: Caller) -> None:
    made = await a_contact(caller, cpf="529.982.247-25", cnpj="12.abc.345/01de-99", birthDate=BORN)

    read = await contacts.get_contact(caller, made["id"])

    assert read["documentos"] == {
        "cpf": "***.982.***-**",
        "cnpj": "**.ABC.***/****-**",
        "nascimento": "1990-**-**",
    }
    assert {"cpf", "cnpj", "birthDate"}.isdisjoint(read)
    for plain in (CPF, "529.982.247-25", CNPJ, BORN):
        assert plain not in str(made) + str(read)
    assert len({made[name] for name in ("cpfCipher", "cnpjCipher", "birthDateCipher")}) == 3


async def test_only_the_documents_that_there_are_are_shown(caller: Caller) -> None:
    made = await a_contact(caller, birthDate=BORN)

    assert (await contacts.get_contact(caller, made["id"]))["documentos"] == {
        "nascimento": "1990-**-**"
    }
    assert "documentos" not in await contacts.get_contact(caller, (await a_contact(caller))["id"])


async def test_no_document_is_stored_in_clear(caller: Caller) -> None:
    await a_contact(caller, cpf=CPF, cnpj=CNPJ, birthDate=BORN)

    stored = str(dict((await db.fetch("SELECT * FROM contacts"))[0]))

    for plain in (CPF, CNPJ, BORN):
        assert plain not in stored


async def test_the_same_document_of_two_people_looks_different(caller: Caller) -> None:
    one, other = await a_contact(caller, cpf=CPF), await a_contact(caller, cpf=CPF)

    assert one["cpfCipher"] != other["cpfCipher"]


async def test_a_cipher_opens_in_its_own_contact_and_column_only(caller: Caller) -> None:
    one, other = await a_contact(caller, cpf=CPF), await a_contact(caller)
    await Contact.filter(id=other["id"]).update(cpf_cipher=one["cpfCipher"])
    await Contact.filter(id=one["id"]).update(cnpj_cipher=one["cpfCipher"])

    assert (await contacts.get_contact(caller, other["id"]))["documentos"] == {
        "cpf": "***.***.***-**"
    }
    assert (await contacts.get_contact(caller, one["id"]))["documentos"][
        "cnpj"
    ] == "**.***.***/****-**"


async def test_a_document_changes_and_goes(caller: Caller) -> None:
    made = await a_contact(caller, cpf=CPF, cnpj=CNPJ)

    after = await changed_contact(caller, made["id"], cnpj="11222333000181", cpf=None)

    assert "cpfCipher" not in after
    assert after["cnpjCipher"] != made["cnpjCipher"]
    assert (await contacts.get_contact(caller, made["id"]))["documentos"] == {
        "cnpj": "**.222.***/****-**"
    }


@pytest.mark.parametrize(
    "cnpj", ["12.ABC.345/01DE-99", "12abc34501de99", "11222333000100", "00000000000000"]
)
def test_the_check_digits_of_a_cnpj_are_not_verified(cnpj: str) -> None:
    assert a_new_contact(cnpj=cnpj).cnpj == cnpj.upper().replace(".", "").replace("/", "").replace(
        "-", ""
    )


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("cpf", "52998224724", "invalid_cpf"),
        ("cpf", "11111111111", "invalid_cpf"),
        ("cpf", "٥٢٩٩٨٢٢٤٧٢٥", "invalid_cpf"),
        ("cpf", "", "invalid_cpf"),
        ("cpf", 52998224725, "wrong_type"),
        ("cpf", "***.982.***-**", "VALOR_MASCARADO"),
        ("cnpj", "1122233300018", "invalid_cnpj"),
        ("cnpj", "112223330001AA", "invalid_cnpj"),
        ("cnpj", "11222333000Ç81", "invalid_cnpj"),
        ("cnpj", "12ABC34501D\u017f35", "invalid_cnpj"),
        ("cnpj", "12.\u017fbc.345/01de-35", "invalid_cnpj"),
        ("cnpj", "**.222.***/****-**", "VALOR_MASCARADO"),
        ("birthDate", "31/12/1990", "wrong_format"),
        ("birthDate", "1990-02-30", "wrong_format"),
        ("birthDate", "1990-12-31T00:00:00Z", "wrong_format"),
        ("birthDate", "2999-01-01", "in_the_future"),
        ("birthDate", "1990-**-**", "VALOR_MASCARADO"),
    ],
)
def test_what_is_no_document_is_refused_and_not_repeated(field: str, value: Any, code: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        a_new_contact(**{field: value})

    assert [(error.where, error.code) for error in refused.value.errors] == [(f"/{field}", code)]
    assert not value or str(value) not in str(refused.value) + str(refused.value.errors)
