"""Erasing a contact: nothing names the person any more, and the statistics stay."""

from dataclasses import replace

import pytest

from core import contacts, customer_events, email, lists, privacy, push, short_links, sms
from core.audit import AuditEntry
from core.cards.models import Activity, Card, CardContact
from core.companies.models import Company
from core.contacts import Contact, ContactDenial
from core.customer_events import CustomerEvent, EventContact, NewCustomerEvent
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import new_id
from core.foundation.security.caller import Scope
from core.push.models import PushApp
from tests.core.privacy.conftest import LINK, PERSONAL, PHONE, Person, found_in
from tests.factories.emails import an_email
from tests.factories.organizations import a_caller
from tests.factories.push import a_device
from tests.factories.sms import a_send
from tests.factories.stored_cards import a_stored_card
from tests.factories.stored_contacts import stored_contact
from tests.support.plans import rows_read
from tests.support.sql_tables import rows_of

STAGE = {
    "pipelineId": "ppl_of_the_test",
    "id": "stg_of_the_test",
    "nome": "New",
    "resultado": "aberta",
}
GONE_WITHIN_30_DAYS = ("webhook_events", "idempotency_keys")
"""Events and idempotency rows are frozen, and forgotten by their age."""


async def test_nothing_names_the_person_any_more(person: Person) -> None:
    before = await found_in(PERSONAL, but=GONE_WITHIN_30_DAYS)
    assert {needle for held in before.values() for needle in held} >= set(PERSONAL) - {
        "52998224725",
        "1187654321",
    }

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


@pytest.mark.usefixtures("clean_slate")
async def test_devices_that_were_registered_before_their_contact_go_with_it_and_are_exported() -> (
    None
):
    caller = await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    session = replace(caller, kind="session", scopes=caller.scopes | {Scope.CONTACTS_PII})
    await PushApp.create(
        organization_id=live.organization_id,
        env="live",
        app_id="loja",
        created_at=now(),
        updated_at=now(),
    )
    for token, user in (
        ("by-id", {"externalId": "c-1"}),
        ("by-phone", {"userPhone": "+551187651234"}),
        ("by-email", {"userEmail": "Rui@Example.org", "userName": "Rui"}),
        ("nobody's", {}),
        ("another's", {"externalId": "c-2", "userEmail": "ana@example.org"}),
    ):
        await a_device(caller, token, **user)
    await a_device(live, "live", externalId="c-1")
    await a_device(await a_caller(), "theirs", externalId="c-1")
    id = await stored_contact(
        caller, phone="+5511987651234", email="rui@example.org", external_id="c-1"
    )
    # One that knows its contact by now, and one of another contact with the same address.
    await a_device(caller, "linked", externalId="c-1")
    other = await stored_contact(caller, phone="+5511970000078")
    await a_device(caller, "of another", contactId=other, userEmail="rui@example.org")

    exported = (await privacy.export_contact(session, id))["dispositivos"]
    await privacy.erase_contact(caller, id)

    assert len(exported) == 4
    assert {"Rui@Example.org", "+551187651234", "c-1"} <= {
        text for device in exported for text in device.values() if isinstance(text, str)
    }
    left = await db.fetch("SELECT token FROM push_devices")
    assert {row["token"] for row in left} == {
        "nobody's",
        "another's",
        "live",
        "theirs",
        "of another",
    }
    entry = await AuditEntry.get(action="contact.deleted")
    assert entry.facts["devices"] == 4


@pytest.mark.usefixtures("clean_slate")
async def test_nobody_elses_devices_are_read_for_those_of_a_contact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await db.execute(MANY_DEVICES, caller.organization_id, 4_000)
    await db.execute("ANALYZE push_devices")
    theirs = push.devices_of(caller, "cnt_7", "c-8", ["+5511900000010", "p12@example.org"])

    assert await rows_read(theirs, "push_devices", monkeypatch) <= 8


MANY_DEVICES = """
INSERT INTO push_devices (id, organization_id, env, app_id, token, token_hash, platform, contact_id, external_id, user_phone,
                          user_email, opted_in, created_at, updated_at)
SELECT 'dev_' || n, $1, 'test', 'loja', n::text, int4send(n), 'ios', CASE n % 2 WHEN 1 THEN 'cnt_' || n END, 'c-' || n,
       '+55119' || lpad(n::text, 8, '0'), 'P' || n || '@example.org', true, now(), now()
FROM generate_series(1, $2::int) n
"""


async def test_an_address_is_the_same_in_any_case(person: Person) -> None:
    caller = await a_caller(organization_id=person.caller.organization_id)
    contact = await stored_contact(caller, email="Rui@example.org", phone="+5511970000077")
    letter = await an_email(caller, to="RUI@Example.org")

    await privacy.erase_contact(caller, contact)

    assert (await email.get_message(caller, letter["id"]))["to"] == "***"


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


async def test_a_link_of_the_person_leads_nowhere_and_its_clicks_stay_counted(
    person: Person,
) -> None:
    code = await db.fetchval("SELECT code FROM short_links")
    assert (
        await short_links.follow_link(
            code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now()
        )
        == LINK
    )

    await privacy.erase_contact(person.caller, person.id)

    with pytest.raises(NotFound):
        await short_links.follow_link(
            code, user_agent="Mozilla/5.0 (iPhone)", method="GET", at=now()
        )
    assert await db.fetchval("SELECT clicks FROM short_links") == 1


async def test_lists_lose_the_member_and_their_size_says_so(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    assert (await lists.get_list(person.caller, person.list_id))["size"] == 0
    assert await lists.ContactListMember.all().count() == 0


async def test_the_audit_has_counts_only(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    entry = await AuditEntry.get(action="contact.deleted")
    assert entry.subject_id == person.id
    assert entry.facts == {
        "messages": 3,
        "links": 1,
        "customerEvents": 1,
        "lists": 1,
        "journeyRuns": 0,
        "refusedSends": 0,
        "devices": 0,
        "cards": 0,
        "cardNotes": 0,
        "companies": 0,
    }


async def test_deals_and_companies_lose_the_contact_and_their_notes_are_counted(
    person: Person,
) -> None:
    caller, other = person.caller, await stored_contact(person.caller)
    principal = await a_stored_card(caller, STAGE, contact_id=person.id)
    besides = await a_stored_card(caller, STAGE, contact_id=other)
    untouched = await a_stored_card(caller, STAGE, contact_id=other)
    for card, contact_id in (
        (principal, person.id),
        (besides, person.id),
        (besides, other),
        (untouched, other),
    ):
        await CardContact.create(
            **owned_by(caller), card_id=card.id, contact_id=contact_id, position=1
        )
    for card, text in (
        (besides, "Zulmira called"),
        (besides, None),
        (untouched, "Nothing to do with it"),
    ):
        await Activity.create(
            id=new_id("atv"),
            **owned_by(caller),
            card_id=card.id,
            kind="nota",
            text=text,
            created_by_id="acc_of_the_test",
            created_at=now(),
            updated_at=now(),
        )
    company = await Company.create(
        id=new_id("emp"),
        **owned_by(caller),
        name="Padaria",
        main_contact_id=person.id,
        attributes={},
        created_by_id="acc_of_the_test",
        created_at=now(),
        updated_at=now(),
    )

    await privacy.erase_contact(caller, person.id)

    cards = {card.id: card for card in await Card.all()}
    assert [cards[card.id].contact_id for card in (principal, besides, untouched)] == [
        None,
        other,
        other,
    ]
    assert [cards[card.id].version for card in (principal, besides, untouched)] == [2, 2, 1]
    assert {link.contact_id for link in await CardContact.all()} == {other}
    assert (await Company.get(id=company.id)).main_contact_id is None
    facts = (await AuditEntry.get(action="contact.deleted")).facts
    assert {name: facts[name] for name in ("cards", "cardNotes", "companies")} == {
        "cards": 2,
        "cardNotes": 1,
        "companies": 1,
    }
    assert (await Activity.get(text="Zulmira called")).card_id == besides.id


async def test_events_that_came_before_the_contact_lose_its_external_id(person: Person) -> None:
    await CustomerEvent.filter(id=person.event_id).update(contact_id=None)
    stranger = await a_caller()
    for caller, who in ((stranger, "crm-zulmira"), (person.caller, "crm-other")):
        event = {"name": "visit", "event_id": who, "contact": EventContact(external_id=who)}
        await customer_events.record_event(caller, NewCustomerEvent.model_validate(event))

    await privacy.erase_contact(person.caller, person.id)

    assert {event.event_id: event.contact_external_id for event in await CustomerEvent.all()} == {
        "order-1": None,
        "crm-zulmira": "crm-zulmira",
        "crm-other": "crm-other",
    }


async def test_who_said_no_stays_unwritten_to(person: Person) -> None:
    out = contacts.OptOut(contact_ids=[person.id])
    await contacts.opt_out(person.caller, out)

    await privacy.erase_contact(person.caller, person.id)

    assert await rows_of(ContactDenial).count() >= 1
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
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=person.caller.organization_id
    )

    with pytest.raises(Forbidden):
        await privacy.erase_contact(reader, person.id)

    assert await Contact.all().count() == 1


async def test_a_contact_is_erased_once(person: Person) -> None:
    await privacy.erase_contact(person.caller, person.id)

    with pytest.raises(NotFound):
        await privacy.erase_contact(person.caller, person.id)
