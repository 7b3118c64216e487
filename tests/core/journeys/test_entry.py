"""Who comes in: by list, event, segment and by hand; who leaves early; and who never comes in."""

from datetime import timedelta
from typing import Any

import pytest

from core import contacts, customer_events, journeys, lists, privacy, segments
from core.contacts import OptOut
from core.contacts.models import ALL_CHANNELS, OptOutChannel
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.journeys import Activation, NewEntries
from core.journeys.entry.members import compare_due, look_at_changed
from core.journeys.entry.take_entries import take_entries
from core.journeys.runs.models import RunState
from core.journeys.runs.program import Program, load_program
from tests.factories.contacts import changed_contact
from tests.factories.journeys import a_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact, stored_contacts
from tests.support.journeying import move_on, recount, standing

NOBODY, NEW_ONLY = Activation(), Activation(include_present=False)
TAG = {"tipo": "atualizarContato", "config": {"tags": ["foi"]}}
WAIT = {"tipo": "espera", "config": {"duracaoHoras": 48}}
STEPS = in_a_row(WAIT, TAG)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def active(caller: Caller, how: Activation = NOBODY, **changes: Any) -> Program:
    journey = await a_journey(caller, **{**STEPS, **changes})
    await journeys.activate_journey(caller, journey["id"], how)
    return await load_program(journey["id"])


async def it_happens(caller: Caller, contact: str, name: str, **properties: Any) -> None:
    new = customer_events.NewCustomerEvent.model_validate({
        "name": name, "eventId": new_id("x"), "contact": {"contactId": contact}, "properties": properties,
    })  # fmt: skip
    await customer_events.record_event(caller, new)


async def a_segment(caller: Caller, *filters: dict[str, Any]) -> str:
    leaf = {"field": "tag", "operator": "is", "value": "vip"}
    body = {"name": new_id("name"), "filters": list(filters) or [leaf]}
    new = segments.NewSegment.model_validate(body)
    return str((await segments.create_segment(caller, new))["id"])


async def look(program: Program) -> None:
    """Everything that is due about entries, then what it leads to."""
    while await look_at_changed(at=now()):
        pass
    await move_on(program, at=now())


async def runs_of(program: Program) -> dict[str, int]:
    rows = await db.fetch(
        "SELECT contact_id, count(*) AS runs FROM journey_runs WHERE version_id = $1 GROUP BY 1",
        program.version_id,
    )
    return {row["contact_id"]: row["runs"] for row in rows}


async def test_whoever_comes_onto_a_list_enters(caller: Caller) -> None:
    ids = await stored_contacts(caller, [{}, {}, {"opt_in_status": "denied"}])
    made = await lists.create_list(caller, lists.NewList(name="Lista"))
    await lists.add_members(caller, made["id"], lists.Members(contact_ids=ids[:1]))
    program = await active(caller, NEW_ONLY, gatilho={"listId": made["id"]})

    for _ in range(2):
        await lists.add_members(caller, made["id"], lists.Members(contact_ids=ids))
        await look(program)

    assert await standing(program) == {ids[1]: "s0"}
    await lists.remove_members(caller, made["id"], lists.Members(contact_ids=ids))
    await lists.add_members(caller, made["id"], lists.Members(contact_ids=ids))
    await look(program)
    assert await runs_of(program) == {ids[0]: 1, ids[1]: 1}
    await recount(program)


async def test_an_event_lets_in_once_for_each_key(caller: Caller) -> None:
    who = await stored_contact(caller)
    plain = await active(caller, gatilho={"nome": "pedido"})
    keyed = await active(caller, gatilho={"nome": "pedido", "chave": "numero"})

    for number in ("1", "2", "1"):
        await it_happens(caller, who, "pedido", numero=number)
    await it_happens(caller, who, "visita")
    await look(plain)

    assert (await runs_of(plain), await runs_of(keyed)) == ({who: 1}, {who: 2})


async def test_the_goal_ends_the_run_wherever_it_waits(caller: Caller) -> None:
    early, late = await stored_contacts(caller, [{}] * 2)
    program = await active(caller, gatilho={"nome": "cadastro"}, meta={"evento": "compra"})
    await it_happens(caller, late, "compra")
    for who in (early, late):
        await it_happens(caller, who, "cadastro")
    await look(program)

    await it_happens(caller, early, "compra")
    await look(program)

    assert await standing(program) == {early: (RunState.DONE, "meta"), late: "s0"}
    await recount(program)


async def test_a_paused_or_drained_journey_lets_nobody_in(caller: Caller) -> None:
    who = await stored_contact(caller)
    paused, drained = [await active(caller, gatilho={"nome": "cadastro"}) for _ in range(2)]
    await journeys.pause_journey(caller, paused.version_id)
    await journeys.end_entries(caller, drained.version_id)

    await it_happens(caller, who, "cadastro")
    await look(paused)

    assert (await runs_of(paused), await runs_of(drained)) == ({}, {})


@pytest.mark.parametrize("leaves", [False, True], ids=["into", "out of"])
async def test_whoever_comes_into_a_segment_or_leaves_it_enters(
    caller: Caller, leaves: bool
) -> None:
    there, other = await stored_contacts(caller, [{"tags": ["vip"]}, {}])
    trigger = {"segmentId": await a_segment(caller), "ao": "sair" if leaves else "entrar"}
    program = await active(caller, Activation() if leaves else NEW_ONLY, gatilho=trigger)

    await changed_contact(caller, other, name="Ana")
    await look(program)
    assert await standing(program) == {}
    await changed_contact(caller, other, tags=["vip"])
    await changed_contact(caller, there, tags=[])
    await look(program)

    assert await standing(program) == {there if leaves else other: "s0"}
    members = await db.fetch("SELECT contact_id FROM segment_members")
    assert [row["contact_id"] for row in members] == [other]


async def test_a_segment_is_compared_as_a_whole_where_time_alone_passed(caller: Caller) -> None:
    leaf = {"field": "lastInteraction", "operator": "withinDays", "value": 1}
    ids = await stored_contacts(caller, [{"last_interaction_at": None}, {}])
    segment = await a_segment(caller, leaf)
    program = await active(caller, NEW_ONLY, gatilho={"segmentId": segment})
    await db.execute("ALTER TABLE contacts DISABLE TRIGGER USER")
    await db.execute("UPDATE contacts SET last_interaction_at = $2 WHERE id = $1", ids[0], now())

    assert await compare_due(at=now()) == 0
    assert await compare_due(at=now() + timedelta(seconds=3)) == 1
    await look(program)

    assert await standing(program) == {ids[0]: "s0"}
    assert await compare_due(at=now() + timedelta(minutes=4)) == 0
    assert await compare_due(at=now() + timedelta(minutes=6)) == 1
    await journeys.end_entries(caller, program.version_id)
    await journeys.forget_unwatched()
    assert await db.fetch("SELECT FROM segment_members") == []


async def test_a_segment_that_is_changed_is_compared_at_once(caller: Caller) -> None:
    (who,) = await stored_contacts(caller, [{"tags": ["novo"]}])
    segment = await a_segment(caller)
    program = await active(caller, NEW_ONLY, gatilho={"segmentId": segment})
    await db.execute("UPDATE journey_watches SET checked_at = checked_at - interval '1 second'")
    leaf = {"field": "tag", "operator": "is", "value": "novo"}
    changes = segments.SegmentChanges.model_validate({"filters": [leaf]})
    await segments.change_segment(caller, segment, changes)

    assert await compare_due(at=now()) == 1
    await look(program)

    assert await standing(program) == {who: "s0"}


async def test_those_present_enter_by_slices(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.journeys.entry.present.SLICE", 2)
    ids = await stored_contacts(caller, [{"tags": ["vip"]}] * 5)
    segment = await a_segment(caller)
    program = await active(caller, Activation(include_present=True), gatilho={"segmentId": segment})

    while await take_entries(at=now()):
        pass

    assert await runs_of(program) == dict.fromkeys(ids, 1)


async def test_contacts_enter_by_hand(caller: Caller) -> None:
    ids = await stored_contacts(caller, [{}, {}, {"opt_in_status": "denied"}])
    theirs = await stored_contact(await a_caller())
    program = await active(caller)

    told = await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=ids))
    again = await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=ids))
    with pytest.raises(ValidationFailed) as refused:
        await journeys.enter_journey(
            caller, program.version_id, NewEntries(contact_ids=[ids[0], theirs, "cnt_x"])
        )

    assert (told["entraram"], told["naoEntraram"]) == (2, 1)
    assert (again["entraram"], again["naoEntraram"]) == (0, 3)
    assert [error.where for error in refused.value.errors] == ["/contactIds/1", "/contactIds/2"]
    assert await runs_of(program) == dict.fromkeys(ids[:2], 1)


async def test_an_organization_has_only_so_many_inside(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.journeys.entry.limit.MAX_RUNS", 1)
    ids = await stored_contacts(caller, [{}] * 2)
    program = await active(caller)
    await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=ids[:1]))

    with pytest.raises(ServiceError) as refused:
        await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=ids[1:]))

    assert refused.value.meta == {"code": "LIMITE_DE_EXECUCOES"}


async def test_whoever_opts_out_of_everything_leaves(caller: Caller) -> None:
    gone, stays = await stored_contacts(caller, [{}] * 2)
    program = await active(caller)
    await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=[gone, stays]))
    await move_on(program, at=now())

    await contacts.opt_out(caller, OptOut(contact_ids=[gone], channel=ALL_CHANNELS))
    await contacts.opt_out(caller, OptOut(contact_ids=[stays], channel=OptOutChannel.SMS))
    await move_on(program, at=now())

    assert await standing(program) == {gone: (RunState.CANCELED, "opt_out"), stays: "s0"}
    await recount(program)


async def test_an_erased_contact_leaves_and_its_trail_says_nothing_of_it(caller: Caller) -> None:
    who = await stored_contact(caller, tags=["vip"])
    program = await active(caller, NEW_ONLY, gatilho={"segmentId": await a_segment(caller)})
    await journeys.enter_journey(caller, program.version_id, NewEntries(contact_ids=[who]))
    await move_on(program, at=now())
    await changed_contact(caller, who, name="Ana")

    await privacy.erase_contact(caller, who)

    assert await standing(program) == {who: (RunState.CANCELED, "contato_apagado")}
    for table in ("segment_members", "dirty_contacts", "audience_changes", "contact_caps"):
        assert await db.fetch(f"SELECT FROM {table} WHERE contact_id = $1", who) == []
    facts = await db.fetch("SELECT facts FROM journey_trail WHERE facts IS NOT NULL")
    assert facts == []
