import pytest
from core import contacts
from tests.factories.organizations import a_caller
from tests.factories.contacts import a_contact, a_phone

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_it():
    c = await a_caller()
    one = await a_contact(
        c,
        name="João",
        email="J@x.com",
        cpf="123.456.789-09",
        birthDate="1990-02-03",
        attributes={"a": 1, "l": ["x"]},
        tags=[" vip ", "vip"],
        optIn={"status": "granted", "source": "form", "at": "2020-01-01T00:00:00Z"},
        externalId=12,
        debtorGroups=[{"id": "grp_1", "company": "X", "phones": ["11 98765-4321"]}],
        externalIds={"integration_a": "z"},
    )
    print(one)
    print(await contacts.get_contact(c, one["id"]))
    for q in ("joao", "x.com", "JO", one["phone"][3:]):
        page = await contacts.list_contacts(c, contacts.ContactFilter(q=q))
        assert page["total"] == 1 == len(page["items"]), q
    with pytest.raises(Exception) as e:
        await a_contact(c, phone=one["phone"])
    print(repr(e.value))
