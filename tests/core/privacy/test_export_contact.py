"""Giving a person what is known of them."""

from datetime import UTC, datetime

import orjson
import pytest

from core import privacy
from core.audit import AuditEntry
from core.customer_events import CustomerEvent
from core.foundation.clock import clock_set_to, wire_time
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import new_id
from core.journeys.runs.enrol import enrol
from tests.core.privacy.conftest import CPF, EMAIL, LINK, NAME, PHONE, TEXT, Person
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.support.journeying import move_on


async def test_everything_that_is_stored_is_told_in_clear(person: Person) -> None:
    exported = await privacy.export_contact(person.session, person.id)

    whole = orjson.dumps(exported).decode()
    for value in (PHONE, NAME, EMAIL, CPF, TEXT, LINK, "203.0.113.77", "VIP", "order-1"):
        assert value in whole
    assert exported["documentos"] == {"cpf": CPF, "nascimento": "1980-02-03"}
    assert {message["id"] for message in exported["mensagens"]} == set(person.messages)
    assert [consent["status"] for consent in exported["consentimentos"]] == ["granted"]


async def test_journeys_that_the_person_is_in_are_told(person: Person) -> None:
    program = await a_running_journey(
        person.caller, gatilho={"nome": "signup", "chave": "pedido"}, **in_a_row({"tipo": "saida"})
    )
    with clock_set_to(AT):
        await enrol(program, IN_BY_KEY, [person.id], at=AT, entry_key_sql="e.key")
        inside = await privacy.export_contact(person.session, person.id)
        await move_on(program, at=AT)
        through = await privacy.export_contact(person.session, person.id)

    told = {"journeyId": program.version_id, "chave": "A-1", "entrouEm": wire_time(AT)}
    (run,) = inside["jornadas"]
    assert {name: value for name, value in run.items() if name in told} == told
    assert (run["estado"], "terminouEm" in run) == ("ativa", False)
    (run,) = through["jornadas"]
    assert (run["estado"], run["terminouEm"], run["motivo"]) == (
        "concluida",
        wire_time(AT),
        "saida",
    )


AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
IN_BY_KEY = "SELECT $1::text AS contact_id, 'A-1' AS key"


async def test_the_look_is_audited_with_counts_only(person: Person) -> None:
    await privacy.export_contact(person.session, person.id)

    entry = await AuditEntry.get(action="contact.data_exported")
    assert (entry.actor_kind, entry.actor_id) == ("account", person.caller.account_id)
    assert entry.facts["mensagens"] == 3
    assert all(isinstance(count, int) for count in entry.facts.values())


async def test_a_key_exports_nobody(person: Person) -> None:
    with pytest.raises(Forbidden):
        await privacy.export_contact(person.caller, person.id)

    assert await AuditEntry.filter(action="contact.data_exported").count() == 0


async def test_contacts_of_others_and_unknown_ones_are_not_there(person: Person) -> None:
    with pytest.raises(NotFound):
        await privacy.export_contact(person.session, new_id("cnt"))
    stranger = Person(await a_caller(), person.id, "", (), "")
    with pytest.raises(NotFound):
        await privacy.export_contact(stranger.session, person.id)


async def test_events_that_came_before_the_contact_are_exported_too(person: Person) -> None:
    await CustomerEvent.filter(id=person.event_id).update(contact_id=None)

    exported = await privacy.export_contact(person.session, person.id)

    assert [event["eventId"] for event in exported["eventos"]] == ["order-1"]
