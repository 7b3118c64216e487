"""Erasures beside whatever would bring the person back: lists, events, imports, other erasures."""

import asyncio

import pytest

from core import contact_imports, contacts, customer_events, lists, privacy
from core.audit import AuditEntry
from core.contacts import Contact
from core.customer_events import CustomerEvent, EventContact, NewCustomerEvent
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.push.models import PushDevice
from tests.core.privacy.conftest import PHONE, a_person
from tests.factories.organizations import a_caller
from tests.factories.push import a_device
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.support.races import outside, somebody_waits


@pytest.mark.usefixtures("real_commits")
async def test_a_contact_that_is_put_on_a_list_while_it_is_erased_leaves_no_trace() -> None:
    caller = await a_caller()

    async def put(list_id: str, contact_id: str) -> lists.MembersMoved:
        return await lists.add_members(caller, list_id, lists.Members(contact_ids=[contact_id]))

    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    for place in range(6):
        new = contacts.NewContact(phone=f"+551198765000{place}")
        id = (await contacts.create_contact(caller, new))["id"]
        await asyncio.gather(put(list_id, id), privacy.erase_contact(caller, id), put(list_id, id))

    assert await lists.ContactListMember.all().count() == 0
    assert (await lists.get_list(caller, list_id))["size"] == 0


@pytest.mark.usefixtures("real_commits")
async def test_an_event_that_is_recorded_while_its_contact_is_erased_bears_no_trace_of_it() -> None:
    caller = await a_caller()
    id = await stored_contact(caller, external_id="crm-1")
    event = {"name": "visit", "event_id": "visit-1", "contact": EventContact(contact_id=id)}

    async with transaction():
        await customer_events.record_event(caller, NewCustomerEvent.model_validate(event))
        erasing = outside(privacy.erase_contact(caller, id))
        await somebody_waits()
    await erasing

    stored = await CustomerEvent.get()
    assert (stored.contact_id, stored.contact_external_id) == (None, None)


@pytest.mark.usefixtures("real_commits")
async def test_a_list_that_is_deleted_while_a_member_is_erased_waits_for_it() -> None:
    caller = await a_caller()
    id = await stored_contact(caller)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await lists.add_members(caller, list_id, lists.Members(contact_ids=[id]))

    async with transaction():
        await lists.hold_members_apart_from_erasures(caller, erasing=True)
        deleting = outside(lists.delete_list(caller, list_id))
        await somebody_waits()
        # Were the list locked already, this would never end: each would wait for the other.
        await privacy.erase_contact(caller, id)
    await deleting

    assert await lists.ContactList.all().count() == await lists.ContactListMember.all().count() == 0


@pytest.mark.usefixtures("real_commits")
async def test_an_import_on_to_a_list_and_an_opt_out_and_an_erasure_wait_in_one_order() -> None:
    caller = await a_caller()
    id = await stored_contact(caller, phone=PHONE)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    line = {"phone": PHONE, "name": "Ana"}

    async with transaction():
        await contacts.lock_opt_outs(caller, opting_out=True)
        importing = outside(
            contact_imports.import_contacts(
                caller, contact_imports.ContactImport(contatos=[line], list_id=list_id)
            )
        )
        await somebody_waits()
        # Had the import taken the lock of the lists first, this would never end.
        await privacy.erase_contact(caller, id)
    done = await importing

    assert done["criados"] == 1
    (member,) = await lists.ContactListMember.all()
    assert (member.contact_id != id, await Contact.filter(id=member.contact_id).exists()) == (
        True,
        True,
    )


@pytest.mark.usefixtures("real_commits")
async def test_a_contact_is_erased_by_one_of_many_at_once() -> None:
    caller: Caller = await a_caller()
    person = await a_person(caller)

    outcomes = await asyncio.gather(
        *(privacy.erase_contact(caller, person.id) for _ in range(4)), return_exceptions=True
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType"] + ["NotFound"] * 3
    assert await AuditEntry.filter(action="contact.deleted").count() == 1


@pytest.mark.usefixtures("real_commits")
async def test_a_device_is_linked_to_its_contact_before_an_erasure_or_not_at_all() -> None:
    caller = await a_caller()
    id = await stored_contact(caller, phone=PHONE, external_id="c-1")
    await a_device(caller, "before", externalId="c-1")

    async with transaction():
        await a_device(caller, "during", externalId="c-1")
        erasing = outside(privacy.erase_contact(caller, id))
        await somebody_waits()
    await erasing

    assert await PushDevice.all().count() == 0
    assert "contactId" not in await a_device(caller, "behind", externalId="c-1")


@pytest.mark.usefixtures("real_commits")
async def test_an_erasure_waits_for_reports_of_the_sandbox_and_not_they_for_it() -> None:
    """Whoever reports holds the report and then locks the message: the other way round the two
    could wait for each other.
    """
    caller = await a_caller()
    id = await stored_contact(caller, phone=PHONE)
    sent = await a_send(caller, to=PHONE)

    async with transaction():
        await db.execute("SELECT FROM sandbox_reports WHERE message_id = $1 FOR UPDATE", sent["id"])
        erasing = outside(privacy.erase_contact(caller, id))
        await somebody_waits()
        assert (
            await db.fetchval("SELECT id FROM messages WHERE id = $1 FOR UPDATE NOWAIT", sent["id"])
            == sent["id"]
        )
    await erasing

    assert (
        await db.fetchval("SELECT recipient FROM messages WHERE id = $1", sent["id"]) == PHONE[-4:]
    )
