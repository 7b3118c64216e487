"""Lines that name a company."""

import orjson

from core import contact_imports
from core.contact_imports import ContactImport
from core.contacts import Contact
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from tests.core.contacts.conftest import a_company_id, caller, strangers
from tests.factories.stored_contacts import phones, stored_contact

__all__ = ["caller"]


async def test_a_line_whose_company_is_not_there_is_refused_alone(caller: Caller) -> None:
    company_id = await a_company_id(caller)
    theirs = [await a_company_id(stranger) for stranger in await strangers(caller)]
    known, *new = phones(5)
    await stored_contact(caller, phone=known)
    companies = [company_id, company_id, new_id("emp"), *theirs]
    lines = [
        {"phone": phone, "companyId": id}
        for phone, id in zip([known, *new], companies, strict=True)
    ]

    done = await contact_imports.import_contacts(
        caller,
        read_body(ContactImport, orjson.dumps({"contatos": [*lines, {"phone": "+5511912345678"}]})),
    )

    assert (done["criados"], done["atualizados"]) == (2, 1)
    assert [(told["linha"], told["campo"], told["codigo"]) for told in done["erros"]] == [
        (number, "companyId", "VINCULO_INVALIDO") for number in (3, 4, 5)
    ]
    assert await Contact.filter(company_id=company_id).count() == 2
    assert await Contact.filter(company_id__in=theirs).count() == 0


async def test_a_line_may_tell_the_role_alone(caller: Caller) -> None:
    known, new = phones(2)
    await stored_contact(caller, phone=known)
    lines = [{"phone": phone, "papelNaEmpresa": "decisor"} for phone in (known, new)]

    done = await contact_imports.import_contacts(
        caller, read_body(ContactImport, orjson.dumps({"contatos": lines}))
    )

    assert (done["criados"], done["atualizados"], done["erros"]) == (1, 1, [])
    assert await Contact.filter(company_id=None, company_role="decisor").count() == 2
