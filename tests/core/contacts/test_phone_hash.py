"""What `phoneHash` gives away: with SVC_PHONE_HASH=keyed nothing to those who may not see phones,
wherever it shows.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from core import contacts
from core.foundation import settings
from core.foundation.security.caller import Caller
from tests.core.contacts.conftest import as_session, without_personal_data
from tests.factories.contacts import a_contact, changed_contact
from tests.factories.organizations import a_caller
from tests.support.graphql import data_of

PHONE = "+5511987654321"
READ = '{{ contact(id: "{id}") {{ phoneHash }} contacts(first: 1) {{ nodes {{ phoneHash }} }} }}'
CREATE = 'mutation { createContact(input: {phone: "+5511912345678"}) { phone phoneHash } }'


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SVC_PHONE_HASH", "keyed")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


def of_the_interface(caller: Caller, phone: str = PHONE) -> str:
    return sha256(f"{caller.organization_id}:{phone}".encode()).hexdigest()


def of_the_key(caller: Caller, phone: str = PHONE) -> str:
    key = settings.current().hash_key.encode()
    return hmac.new(key, f"{caller.organization_id}:{phone}".encode(), "sha256").hexdigest()


async def everywhere(caller: Caller, id: str) -> set[str]:
    """The hash in every read and in the answer of a change, over REST's records and over GraphQL."""
    page = await contacts.list_contacts(caller, contacts.ContactFilter())
    shown = await data_of(caller, READ.format(id=id))
    records: list[Any] = [
        await contacts.get_contact(caller, id),
        *page["items"],
        *await contacts.contacts_by_ids(caller, [id]),
        await changed_contact(caller, id, name="Ana"),
        shown["contact"],
        *shown["contacts"]["nodes"],
    ]
    return {record["phoneHash"] for record in records}


async def test_it_is_what_the_interface_says_unless_told_otherwise(caller: Caller) -> None:
    id = (await a_contact(caller, phone=PHONE))["id"]
    for who in (caller, without_personal_data(caller)):
        assert await everywhere(who, id) == {of_the_interface(caller)}


@pytest.mark.usefixtures("keyed")
async def test_keyed_it_is_undone_by_nobody_who_may_not_see_phones(caller: Caller) -> None:
    id = (await a_contact(caller, phone=PHONE))["id"]
    assert await everywhere(without_personal_data(caller), id) == {of_the_key(caller)}
    assert await everywhere(caller, id) == {of_the_interface(caller)}
    assert await everywhere(as_session(caller), id) == {of_the_interface(caller)}


@pytest.mark.usefixtures("keyed")
async def test_keyed_it_is_in_the_answer_to_who_creates(caller: Caller) -> None:
    blind = without_personal_data(caller)
    assert (await a_contact(blind, phone=PHONE))["phoneHash"] == of_the_key(caller)
    made = (await data_of(blind, CREATE))["createContact"]
    assert made == {"phone": "+5511*****5678", "phoneHash": of_the_key(caller, "+5511912345678")}


@pytest.mark.usefixtures("keyed")
async def test_keyed_it_still_tells_equal_phones_of_one_organization(caller: Caller) -> None:
    other_side = await a_caller("live", organization_id=caller.organization_id)
    stranger = await a_caller()
    here, there, elsewhere = [
        (await a_contact(without_personal_data(who), phone=PHONE))["phoneHash"]
        for who in (caller, other_side, stranger)
    ]
    assert here == there != elsewhere
