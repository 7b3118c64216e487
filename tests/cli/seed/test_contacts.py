"""Seeded contacts are people whom the service could have registered itself."""

from collections import Counter
from datetime import timedelta
from typing import Any

import phonenumbers
import pytest

from core import contacts
from core.contacts import NewContact, OptInStatus
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")

MANY = 400


async def the_contacts(caller: Caller) -> list[Any]:
    return await db.fetch(
        "SELECT * FROM contacts WHERE organization_id = $1 AND env = $2 ORDER BY created_at, id",
        caller.organization_id,
        caller.env,
    )


async def the_consents() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in await db.fetch("SELECT * FROM contact_consents ORDER BY id"):
        found.setdefault(row["contact_id"], []).append(row)
    return found


@pytest.fixture(scope="module")
async def caller(slate_of_the_file: None) -> Caller:
    """Of an organization with seeded contacts."""
    caller = await a_caller()
    assert (await a_seed(caller, contacts=MANY))["contacts"] == MANY
    return caller


async def test_a_contact_could_have_been_created_by_its_own_record(caller: Caller) -> None:
    for row in await the_contacts(caller):
        documents = contacts.revealed_documents(row)
        body = {
            "phone": row["phone"],
            "name": row["name"],
            "email": row["email"],
            "cpf": documents.get("cpf"),
            "cnpj": documents.get("cnpj"),
            "birthDate": documents.get("nascimento"),
            "tags": row["tags"],
            "attributes": row["attributes"],
            "debtorGroups": row["debtor_groups"],
            "externalId": row["external_id"],
            "externalIds": row["external_ids"],
            "source": contacts.Source(row["source"]),
        }
        new = NewContact.model_validate(
            {name: value for name, value in body.items() if value is not None}
        )
        assert new.phone == row["phone"]
        assert new.cpf == documents.get("cpf")
        assert row["identity"] == contacts.phone_identity(caller, row["phone"])
        assert phonenumbers.is_valid_number(phonenumbers.parse(row["phone"]))


async def test_documents_are_nowhere_in_clear(caller: Caller) -> None:
    for row in await the_contacts(caller):
        for plain in map(str, contacts.revealed_documents(row).values()):
            assert not [
                value for value in row.values() if isinstance(value, str) and plain in value
            ]


async def test_they_came_over_two_years_and_more_of_them_lately(caller: Caller) -> None:
    rows = await the_contacts(caller)
    created = [row["created_at"] for row in rows]

    assert AS_OF - timedelta(days=730) <= created[0] < AS_OF - timedelta(days=700)
    assert AS_OF - timedelta(days=20) < created[-1] < AS_OF
    assert sum(at < AS_OF - timedelta(days=365) for at in created) < 0.45 * MANY
    for row in rows:
        touched = [row["created_at"], row["opt_in_revoked_at"], row["last_interaction_at"]]
        assert row["updated_at"] == max(at for at in touched if at is not None) < AS_OF
        assert min(at for at in touched if at is not None) == row["created_at"]


async def test_names_cities_and_tags_are_of_many_kinds(caller: Caller) -> None:
    rows = await the_contacts(caller)

    assert len({row["name"] for row in rows}) > 0.8 * MANY
    assert any(not row["name"].isascii() for row in rows if row["name"])
    assert len({row["attributes"]["cidade"] for row in rows}) > 30
    assert Counter(row["source"] for row in rows).keys() == {"api", "import", "webhook", "manual"}
    assert len({tag for row in rows for tag in row["tags"]}) > 6
    assert len({tuple(row["tags"]) for row in rows}) > 20
    assert any(row["debtor_groups"] for row in rows)
    assert any(row["whatsapp_profile_name"] for row in rows)
    assert all("example" in row["email"].partition("@")[2] for row in rows if row["email"])
    assert all(row["search_text"] for row in rows)


async def test_the_ledger_ends_where_the_contact_stands(caller: Caller) -> None:
    ledger = await the_consents()
    rows = await the_contacts(caller)

    assert Counter(row["opt_in_status"] for row in rows).keys() == {"granted", "denied", "unknown"}
    for row in rows:
        moves = [
            move for move in ledger.get(row["id"], []) if move["channel"] == contacts.ALL_CHANNELS
        ]
        assert [move["at"] for move in moves] == sorted(move["at"] for move in moves)
        if row["opt_in_status"] == OptInStatus.UNKNOWN:
            assert moves == []
            continue
        assert (moves[-1]["status"], moves[-1]["identity"]) == (
            row["opt_in_status"],
            row["identity"],
        )
        assert moves[-1]["at"] == (row["opt_in_revoked_at"] or row["opt_in_at"])
        assert (row["opt_in_revoked_at"] is not None) == (
            row["opt_in_status"] == OptInStatus.DENIED
        )
        assert row["opt_in_source"]


async def test_who_denied_is_denied_and_nobody_else(caller: Caller) -> None:
    denied = {
        row["identity"]
        for row in await the_contacts(caller)
        if row["opt_in_status"] == OptInStatus.DENIED
    }
    standing = await db.fetch("SELECT * FROM contact_denials")

    assert {
        row["identity"] for row in standing if row["channel"] == contacts.ALL_CHANNELS
    } == denied
    assert 0.03 * MANY < len(denied) < 0.1 * MANY
    assert {row["channel"] for row in standing} <= {contacts.ALL_CHANNELS, "sms"}


async def test_every_attribute_is_known_as_a_field(caller: Caller) -> None:
    used = {key for row in await the_contacts(caller) for key in row["attributes"]}

    assert {row["key"] for row in await db.fetch("SELECT key FROM contact_attributes")} == used
    assert {row["kind"] for row in await db.fetch("SELECT kind FROM contact_attributes")} == {
        "texto", "numero", "booleano", "lista"
    }  # fmt: skip


async def test_messages_go_to_contacts_who_were_there_and_want_them(caller: Caller) -> None:
    people = {row["id"]: row for row in await the_contacts(caller)}

    await a_seed(caller, messages=1_000)

    rows = await db.fetch("SELECT * FROM messages WHERE direction = 'outbound'")
    known = [row for row in rows if row["contact_id"] is not None]
    assert 0.85 < len(known) / len(rows) < 1
    for row in known:
        person = people[row["contact_id"]]
        assert row["recipient"] == person["phone"]
        assert row["created_at"] >= person["created_at"]
        assert person["opt_in_status"] != OptInStatus.DENIED
    assert len({row["contact_id"] for row in known}) > MANY / 2
    assert not {row["recipient"] for row in rows if row["contact_id"] is None} & {
        p["phone"] for p in people.values()
    }


async def test_who_replied_was_heard_of_then(caller: Caller) -> None:
    await a_seed(caller, messages=3_000)

    people = {row["id"]: row for row in await the_contacts(caller)}
    replies = [
        row
        for row in await db.fetch("SELECT * FROM messages WHERE direction = 'inbound'")
        if row["contact_id"]
    ]
    assert replies
    for reply in replies:
        assert people[reply["contact_id"]]["last_interaction_at"] >= reply["created_at"]


async def test_who_is_a_contact_already_stays_as_he_is() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_seed(other, contacts=20)
    seeded = await the_contacts(other)
    taken = seeded[3]["phone"], next(row["external_id"] for row in seeded[5:] if row["external_id"])
    await contacts.create_contact(caller, NewContact(phone=taken[0], name="Was here before"))
    await contacts.create_contact(caller, NewContact(phone="+5511987650000", external_id=taken[1]))

    answer = await a_seed(caller, contacts=20)

    assert answer["contacts"] == 18
    assert len(await the_contacts(caller)) == 20
    assert (
        await db.fetchval(
            "SELECT name FROM contacts WHERE phone = $1 AND env = 'test' AND organization_id = $2",
            taken[0],
            caller.organization_id,
        )
        == "Was here before"
    )


async def test_who_denied_before_is_not_brought_back() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_seed(other, contacts=10)
    phone = (await the_contacts(other))[0]["phone"]
    await contacts.opt_out(caller, contacts.OptOut(phones=[phone]))

    assert (await a_seed(caller, contacts=10))["contacts"] == 9
    assert phone not in {row["phone"] for row in await the_contacts(caller)}
