"""Erasing a contact: nothing names the person any more, and the statistics stay."""

import asyncio
from typing import Any

import pytest

from core import contacts, lists, privacy, short_links, sms
from core.audit import AuditEntry
from core.contacts import Contact, ContactDenial
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import new_id
from tests.core.privacy.conftest import LINK, PERSONAL, PHONE, Person, a_person, found_in
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send

GONE_WITHIN_30_DAYS = ("webhook_events", "idempotency_keys")
"""Events and idempotency rows are frozen, and forgotten by their age."""


async def test_nothing_names_the_person_any_more(person: Person) -> None:
    before = await found_in(PERSONAL, but=GONE_WITHIN_30_DAYS)
    assert {needle for held in before.values() for needle in held} >= set(PERSONAL) - {"52998224725", "1187654321"}

    await privacy.erase_contact(person.caller, person.id)

    assert await found_in((*PERSONAL, person.id), but=(*GONE_WITHIN_30_DAYS, "audit_entries")) == {}


async def test_messages_keep_status_cost_and_dates(person: Person) -> None:
    columns = "id, status, coins, segments, created_at, sent_at, campaign_id, direction"
    before = await db.fetch(f"SELECT {columns} FROM messages ORDER BY id")

    await privacy.erase_contact(person.caller, person.id)

    assert await db.fetch(f"SELECT {columns} FROM messages ORDER BY id") == before
    for row in await db.fetch("SELECT recipient, contact_id FROM messages"):
        assert (row["recipient"], row["contact_id"]) == ("4321", None)
    reader = await a_caller(organization_id=person.caller.organization_id)
    assert (await sms.get_message(reader, person.messages[0]))["to"] == "4321"
    page = await sms.list_replies(reader, sms.ReplyFilter())
    assert [(item["from"], item["body"]) for item in page["items"]] == [("4321", "")]


async def test_messages_of_others_are_left_alone(person: Person) -> None:
    other = await a_send(person.caller, to="+5511987650006")
    stranger = await a_caller()
    theirs = await a_send(stranger, to=PHONE)
    live = await a_caller("live", organization_id=person.caller.organization_id)
    await contacts.create_contact(live, contacts.NewContact(phone=PHONE))

    await privacy.erase_contact(person.caller, person.id)

    for id, phone in ((other["id"], "+5511987650006"), (theirs["id"], PHONE)):
        assert await db.fetchval("SELECT recipient FROM messages WHERE id = $1", id) == phone
    assert await Contact.filter(env="live").count() == 1


async def test_a_link_of_the_person_leads_nowhere_and_its_clicks_stay_counted(person: Person) -> None:
    code = await db.fetchval("SELECT code FROM short_links")
    assert await short_links.follow_link(code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now()) == LINK

    await privacy.erase_contact(person.caller, person.id)

    with pytest.raises(NotFound):
        await short_links.follow_link(code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now())
    assert await db.fetchval("SELECT clicks FROM short_links") == 1


async def test_lists_lose_the_member_and_their_size_says_so(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    assert (await lists.get_list(person.caller, person.list_id))["size"] == 0
    assert await lists.ContactListMember.all().count() == 0


async def test_the_audit_has_counts_only(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    entry = await AuditEntry.get(action="contact.deleted")
    assert entry.subject_id == person.id
    assert entry.facts == {"messages": 3, "links": 1, "customerEvents": 1, "lists": 1}


async def test_who_said_no_stays_unwritten_to(person: Person) -> None:
    out = contacts.OptOut(contact_ids=[person.id])
    await contacts.opt_out(person.caller, out)

    await privacy.erase_contact(person.caller, person.id)

    assert await ContactDenial.all().count() >= 1
    again = await contacts.create_contact(person.caller, contacts.NewContact(phone="+551187654321"))
    assert again["optIn"]["status"] == "denied"


async def test_who_never_said_no_starts_anew(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    again = await contacts.create_contact(person.caller, contacts.NewContact(phone=PHONE))
    assert again["id"] != person.id
    assert again["optIn"]["status"] == "unknown"


@pytest.mark.parametrize("id", ["cnt_x", "nonsense", "", new_id("cnt")])
async def test_an_unknown_contact_is_not_there(person: Person, id: str) -> None:
    with pytest.raises(NotFound):
        await privacy.erase_contact(person.caller, id)

    assert await Contact.all().count() == 1


@pytest.mark.parametrize("env", ["test", "live"])
async def test_a_contact_of_others_is_not_there(person: Person, env: str) -> None:
    same = person.caller.organization_id if env == "live" else None
    stranger = await a_caller("live" if env == "live" else "test", organization_id=same)

    with pytest.raises(NotFound):
        await privacy.erase_contact(stranger, person.id)

    assert await Contact.all().count() == 1


async def test_erasing_needs_its_scope(person: Person) -> None:
    reader = await a_caller(scopes=frozenset({Scope.CONTACTS_READ}), organization_id=person.caller.organization_id)

    with pytest.raises(Forbidden):
        await privacy.erase_contact(reader, person.id)

    assert await Contact.all().count() == 1


async def test_a_contact_is_erased_once(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    with pytest.raises(NotFound):
        await privacy.erase_contact(person.caller, person.id)


@pytest.mark.usefixtures("real_commits")
async def test_a_contact_that_is_put_on_a_list_while_it_is_erased_leaves_no_trace() -> None:
    caller = await a_caller()

    async def put(list_id: str, contact_id: str) -> dict[str, Any]:
        return await lists.add_members(caller, list_id, lists.Members(contact_ids=[contact_id]))

    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    for place in range(6):
        new = contacts.NewContact(phone=f"+551198765000{place}")
        id = (await contacts.create_contact(caller, new))["id"]
        await asyncio.gather(put(list_id, id), privacy.erase_contact(caller, id), put(list_id, id))

    assert await lists.ContactListMember.all().count() == 0
    assert (await lists.get_list(caller, list_id))["size"] == 0


@pytest.mark.usefixtures("real_commits")
async def test_a_contact_is_erased_by_one_of_many_at_once() -> None:
    caller: Caller = await a_caller()
    person = await a_person(caller)

    outcomes = await asyncio.gather(
        *(privacy.erase_contact(caller, person.id) for _ in range(4)), return_exceptions=True
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType"] + ["NotFound"] * 3
    assert await AuditEntry.filter(action="contact.deleted").count() == 1
