"""From draft to archive: what each move asks, and what becomes of those inside."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import journeys, lists, segments
from core.foundation.clock import clock_set_to, now, wire_time
from core.foundation.database import db
from core.foundation.errors import Conflict, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller
from core.journeys import (
    Activation,
    Archiving,
    Duplication,
    Journey,
    JourneyChanges,
    Migration,
    NewJourneySettings,
)
from core.journeys.entry.present import enrol_present
from core.journeys.entry.take_entries import take_entries
from core.journeys.models import RunsOfArchived
from core.journeys.runs.models import RunState
from core.journeys.runs.program import load_program
from core.numbers import Number
from core.templates import Template, TemplateStatus
from tests.factories.batches import a_desk
from tests.factories.journeys import a_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.queue import let_leave
from tests.factories.stored_contacts import stored_contacts
from tests.support.journeying import due_of, let_in, move_on, recount, standing

PRESENT = Activation(include_present=True)
NEW_ONLY = Activation(include_present=False)
TAG = {"tipo": "atualizarContato", "config": {"tags": ["foi"]}}
SMS = {"tipo": "mensagem", "config": {"canal": "sms", "texto": "Olá"}}
WAIT = {"tipo": "espera", "config": {"duracaoHoras": 48}}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def a_segment(caller: Caller, tag: str = "vip") -> str:
    leaf = {"field": "tag", "operator": "is", "value": tag}
    new = segments.NewSegment.model_validate({"name": tag, "filters": [leaf]})
    return str((await segments.create_segment(caller, new))["id"])


async def a_list(caller: Caller, ids: list[str]) -> str:
    made = await lists.create_list(caller, lists.NewList(name="Lista"))
    await lists.add_members(caller, made["id"], lists.Members(contact_ids=ids))
    return made["id"]


async def an_active_journey(caller: Caller, **changes: Any) -> str:
    journey = await a_journey(caller, **changes)
    await journeys.activate_journey(caller, journey["id"])
    return journey["id"]


async def inside(journey_id: str) -> dict[str, int]:
    """The states of its contacts' runs."""
    rows = await db.fetch(
        "SELECT contact_id, state FROM journey_runs WHERE version_id = $1", journey_id
    )
    return {row["contact_id"]: row["state"] for row in rows}


async def refusal_of(call: Any) -> Mapping[str, Any]:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.meta


async def test_activating_tells_who_enters_what_it_costs_and_when_it_ends(caller: Caller) -> None:
    ids = await stored_contacts(
        caller, [{"tags": ["vip"]}, {"tags": ["vip"]}, {"tags": ["vip"], "opt_in_status": "denied"}, {}]
    )  # fmt: skip
    split = {"id": "s2", "tipo": "divisao", "config": {"ramos": [
        {"percentual": 25, "proximo": "s3"}, {"percentual": 75}]}}  # fmt: skip
    steps = in_a_row(SMS, WAIT, split, SMS)
    del steps["passos"][2]["proximo"]
    journey = await a_journey(caller, gatilho={"segmentId": await a_segment(caller)}, **steps)

    told = await journeys.activate_journey(caller, journey["id"], PRESENT)

    stored = await Journey.get(id=journey["id"])
    assert stored.activated_at is not None
    assert told == {
        "journeyId": journey["id"],
        "entrarao": 2,
        "coinsEstimados": 2 * (800 + 200),
        "terminoEstimado": wire_time(stored.activated_at + timedelta(hours=48)),
    }
    assert await inside(journey["id"]) == {}
    while await take_entries(at=now()):
        pass
    assert await inside(journey["id"]) == dict.fromkeys(ids[:2], RunState.ACTIVE)
    shown = await journeys.get_journey(caller, journey["id"])
    assert (shown["status"], shown["ativadaEm"]) == ("ativa", wire_time(stored.activated_at))
    members = await db.fetch("SELECT contact_id FROM segment_members ORDER BY contact_id")
    assert [row["contact_id"] for row in members] == sorted(ids[:3])
    assert await db.fetch("SELECT 1 FROM audience_changes") == []


async def test_those_on_a_list_enter_where_it_is_said(caller: Caller) -> None:
    ids = await stored_contacts(caller, [{}] * 3)
    on_it = await a_list(caller, ids[:2])
    journey, other = [await a_journey(caller, gatilho={"listId": on_it}) for _ in range(2)]

    assert (await journeys.activate_journey(caller, journey["id"], PRESENT))["entrarao"] == 2
    told = await journeys.activate_journey(caller, other["id"], NEW_ONLY)

    assert (told["entrarao"], told["coinsEstimados"]) == (0, 0)
    assert "terminoEstimado" not in told
    while await enrol_present(at=now()):
        pass
    assert set(await inside(journey["id"])) == set(ids[:2])
    assert await inside(other["id"]) == {}


async def test_everything_that_keeps_a_journey_from_running_is_named_at_once(
    caller: Caller,
) -> None:
    desk = await a_desk(caller)
    await Template.filter(id=desk.template_id).update(status=TemplateStatus.PAUSED)
    await Number.filter(id=desk.number_id).update(partner_removed_at=now())
    by_template = {"tipo": "mensagem", "config": {
        "canal": "whatsapp", "numberId": desk.number_id, "templateId": desk.template_id}}  # fmt: skip
    nowhere = {"tipo": "aguardarEvento", "config": {"evento": "x", "prazoHoras": 1}}
    instead = {"tipo": "mensagem", "config": {"canal": "sms", "texto": "Olá", "aoFalhar": "outroCanal",
        "outrosCanais": [by_template["config"]]}}  # fmt: skip
    segment = await a_segment(caller)
    journey = await a_journey(
        caller, gatilho={"segmentId": segment}, **in_a_row(by_template, instead, nowhere)
    )
    idle = await a_journey(caller, **in_a_row(WAIT))
    empty = await a_journey(caller, passos=[], entradaPasso=None)
    await segments.remove_segment(caller, segment)

    with pytest.raises(ValidationFailed) as refused:
        await journeys.activate_journey(caller, journey["id"])

    assert {error.where: error.code for error in refused.value.errors} == {
        "/incluirAtuais": "INCLUIR_ATUAIS_AUSENTE",
        "/passos/1/config/outrosCanais/0/templateId": "TEMPLATE_INDISPONIVEL",
        "/passos/1/config/outrosCanais/0/numberId": "NUMERO_INDISPONIVEL",
        "/passos/2/config": "PASSO_SEM_DESTINO",
        "/gatilho/segmentId": "VINCULO_INVALIDO",
        "/passos/0/config/templateId": "TEMPLATE_INDISPONIVEL",
        "/passos/0/config/numberId": "NUMERO_INDISPONIVEL",
    }
    assert (await journeys.get_journey(caller, journey["id"]))["status"] == "rascunho"
    refusal = await refusal_of(journeys.activate_journey(caller, idle["id"], PRESENT))
    assert refusal == {"code": "JORNADA_SEM_EFEITO"}
    refusal = await refusal_of(journeys.activate_journey(caller, empty["id"]))
    assert refusal == {"code": "JORNADA_SEM_PASSOS"}
    assert await db.fetch("SELECT 1 FROM journey_watches") == []


async def test_a_change_of_an_active_journey_makes_its_next_version(caller: Caller) -> None:
    first = await an_active_journey(caller)
    renamed = JourneyChanges.model_validate({"name": "Dois", "meta": {"evento": "compra"}})

    draft = await journeys.change_journey(caller, first, renamed)

    assert (draft["status"], draft["versao"], draft["versaoDe"]) == ("rascunho", 2, first)
    assert (draft["name"], draft["metaEvento"]) == ("Dois", "compra")
    again = await journeys.change_journey(
        caller, draft["id"], JourneyChanges.model_validate({"meta": None, "name": "Três"})
    )
    assert (again["id"], again["name"], "meta" in again) == (draft["id"], "Três", False)
    told = {"name": "Quatro", "updatedAt": again["updatedAt"]}
    changes = JourneyChanges.model_validate(told)
    assert (await journeys.change_journey(caller, draft["id"], changes))["name"] == "Quatro"
    refusal = await refusal_of(journeys.change_journey(caller, draft["id"], changes))
    assert refusal["code"] == "VERSAO_DESATUALIZADA"
    assert refusal["updatedAt"] > again["updatedAt"], "even if it was changed in the same instant"
    refusal = await refusal_of(journeys.change_journey(caller, first, renamed))
    assert refusal == {"code": "VERSAO_DESATUALIZADA", "journeyId": draft["id"]}
    before = await journeys.get_journey(caller, first)
    assert (before["status"], before["name"] != "Dois") == ("ativa", True)

    await journeys.activate_journey(caller, draft["id"])

    before = await journeys.get_journey(caller, first)
    assert (before["status"], before["substituidaPor"]) == ("ativa", draft["id"])
    assert before["entradasEncerradas"] is True
    assert (await Journey.get(id=draft["id"])).lineage_id == first


async def test_what_comes_of_a_change_is_checked_whole(caller: Caller) -> None:
    journey = await a_journey(caller, reentrada="apos_concluir", intervaloReentradaHoras=5)
    changes = JourneyChanges.model_validate(
        {"reentrada": "nunca", "entradaPasso": "nada", "gatilho": {"listId": "lst_x"}}
    )

    with pytest.raises(ValidationFailed) as refused:
        await journeys.change_journey(caller, journey["id"], changes)

    assert {error.where: error.code for error in refused.value.errors} == {
        "/intervaloReentradaHoras": "not_allowed",
        "/entradaPasso": "PASSO_DESCONHECIDO",
    }
    assert await journeys.get_journey(caller, journey["id"]) == journey


async def test_a_copy_is_a_draft_of_its_own(caller: Caller) -> None:
    first = await an_active_journey(caller, sairQuando={"kind": "leaf", "filter": {
        "field": "tag", "operator": "is", "value": "sair"}})  # fmt: skip
    original = await journeys.get_journey(caller, first)

    copy = await journeys.duplicate_journey(caller, first)
    named = await journeys.duplicate_journey(caller, first, Duplication(name="Outra"))

    assert (copy["name"], named["name"]) == (f"{original['name']} (cópia)", "Outra")
    assert (copy["status"], copy["versao"], "ativadaEm" in copy) == ("rascunho", 1, False)
    assert (copy["passos"], copy["sairQuando"]) == (original["passos"], original["sairQuando"])
    assert (await Journey.get(id=copy["id"])).lineage_id == copy["id"]


async def test_a_paused_journey_goes_on_only_with_what_it_needs(caller: Caller) -> None:
    segment = await a_segment(caller)
    journey = (await a_journey(caller, gatilho={"segmentId": segment}))["id"]
    await journeys.activate_journey(caller, journey, NEW_ONLY)

    assert (await journeys.pause_journey(caller, journey))["status"] == "pausada"
    assert (await journeys.resume_journey(caller, journey))["status"] == "ativa"
    await journeys.delete_segment(caller, segment)
    with pytest.raises(ValidationFailed) as refused:
        await journeys.resume_journey(caller, journey)

    assert [error.where for error in refused.value.errors] == ["/gatilho/segmentId"]
    assert (await journeys.get_journey(caller, journey))["pausadaPor"][
        "motivo"
    ] == "segmento_removido"


@pytest.mark.parametrize("runs", RunsOfArchived)
async def test_archiving_takes_those_inside_out_or_lets_them_finish(
    caller: Caller, runs: RunsOfArchived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.journeys.entry.take_out.SLICE", 2)
    ids = await stored_contacts(caller, [{}] * 5)
    journey = (await a_journey(caller, gatilho={"listId": await a_list(caller, ids)}))["id"]
    await journeys.activate_journey(caller, journey, PRESENT)
    await enrol_present(at=now())

    archived = await journeys.archive_journey(caller, journey, Archiving(runs=runs))
    while await take_entries(at=now()):
        pass

    assert archived["status"] == "arquivada"
    taken_out = runs is RunsOfArchived.CANCEL
    state = RunState.CANCELED if taken_out else RunState.ACTIVE
    assert await inside(journey) == dict.fromkeys(ids, state)
    assert (await Journey.get(id=journey)).enrol_cursor is None
    for call in (journeys.pause_journey, journeys.resume_journey, journeys.activate_journey):
        assert await refusal_of(call(caller, journey)) == {"code": "JORNADA_ARQUIVADA"}


async def test_an_active_journey_is_activated_once(caller: Caller) -> None:
    journey = await an_active_journey(caller)

    assert await refusal_of(journeys.activate_journey(caller, journey)) == {"code": "JORNADA_ATIVA"}
    await journeys.pause_journey(caller, journey)
    refused = await refusal_of(journeys.activate_journey(caller, journey))
    assert refused == {"code": "STATUS_NAO_PERMITE", "status": "pausada"}
    ended = await journeys.end_entries(caller, journey)
    assert (ended["status"], ended["entradasEncerradas"]) == ("pausada", True)


async def test_a_time_of_day_that_passed_in_a_pause_is_waited_for_anew(caller: Caller) -> None:
    clock = {"tipo": "espera", "config": {"ate": {"hora": "10:00", "fuso": "America/Sao_Paulo"}}}
    hours = {"tipo": "espera", "config": {"duracaoHoras": 1}}
    people = await stored_contacts(caller, [{}] * 2)
    by_clock, by_hours = [
        await load_program(await an_active_journey(caller, **in_a_row(wait, TAG)))
        for wait in (clock, hours)
    ]
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for program in (by_clock, by_hours):
        await let_in(program, people, at=at)
        await move_on(program, at=at)
        await journeys.pause_journey(caller, program.version_id)
    late = at + timedelta(hours=5)
    for program in (by_clock, by_hours):
        assert await move_on(program, at=late) == 0
        with clock_set_to(late):
            await journeys.resume_journey(caller, program.version_id)
        await move_on(program, at=late)

    assert await due_of(by_clock) == {datetime(2026, 12, 1, 13, tzinfo=UTC)}
    assert await standing(by_hours) == dict.fromkeys(people, (RunState.DONE, "fim"))


async def test_after_a_long_pause_each_gets_one_message_and_waits_its_full_wait_again(
    caller: Caller, own_buckets: None
) -> None:
    ids = await stored_contacts(caller, [{}] * 2)
    program = await load_program(await an_active_journey(caller, **in_a_row(WAIT, SMS, WAIT, SMS)))
    at = now()
    await let_in(program, ids, at=at)
    await move_on(program, at=at)
    await journeys.pause_journey(caller, program.version_id)
    late = at + timedelta(days=30)
    with clock_set_to(late):
        await journeys.resume_journey(caller, program.version_id)
        await move_on(program, at=late)
        await let_leave(at=late)
        await move_on(program, at=late)

    assert await standing(program) == dict.fromkeys(ids, "s2")
    assert await due_of(program) == {late + timedelta(hours=48)}
    assert await db.fetchval("SELECT count(*) FROM messages") == len(ids)


async def test_those_inside_go_on_in_a_newer_version_where_the_map_says(caller: Caller) -> None:
    ids = await stored_contacts(caller, [{}] * 3)
    first = await load_program(
        await an_active_journey(caller, **in_a_row(WAIT, {"tipo": "espera", "config": {"duracaoHoras": 1}}, TAG))
    )  # fmt: skip
    at = now()
    await let_in(first, ids, at=at)
    await move_on(first, at=at)
    await db.execute("UPDATE journey_runs SET step = 2 WHERE contact_id = $1", ids[2])
    steps = {**in_a_row(TAG, WAIT, TAG), "meta": {"evento": "compra"}}
    draft = await journeys.change_journey(
        caller, first.version_id, JourneyChanges.model_validate(steps)
    )
    await journeys.activate_journey(caller, draft["id"])
    second = await load_program(draft["id"])

    def by(**fields: Any) -> Migration:
        return Migration.model_validate(fields)

    wrong = by(mapa={"s0": "nada", "x": "s1"})
    with pytest.raises(ValidationFailed) as refused:
        await journeys.migrate_runs(caller, draft["id"], wrong)
    assert {error.where: error.code for error in refused.value.errors} == {
        "/mapa/s0": "PASSO_DESCONHECIDO",
        "/mapa/x": "PASSO_DESCONHECIDO",
        "/passosSemMapa": "MAPA_INCOMPLETO",
    }
    rehearsed = await journeys.migrate_runs(
        caller, draft["id"], by(mapa={"s0": "s1"}, passosSemMapa="manter", simular=True)
    )
    assert rehearsed == {"journeyId": draft["id"], "movidas": 2, "encerradas": 0, "mantidas": 1}
    assert await standing(second) == {}
    told = await journeys.migrate_runs(
        caller, draft["id"], by(mapa={"s0": "s1"}, passosSemMapa="encerrar")
    )

    assert (told["movidas"], told["encerradas"], told["mantidas"]) == (2, 1, 0)
    await move_on(second, at=now())
    assert await standing(second) == dict.fromkeys(ids[:2], "s1")
    assert await standing(first) == {
        **dict.fromkeys(ids[:2], (RunState.CANCELED, "migrada")),
        ids[2]: (RunState.CANCELED, "encerrada_na_migracao"),
    }
    await recount(second)


async def test_whoever_matches_the_exit_leaves_before_a_message(caller: Caller) -> None:
    gone, stays = await stored_contacts(caller, [{"tags": ["comprou"]}, {}])
    leaf = {"field": "tag", "operator": "is", "value": "comprou"}
    program = await load_program(
        await an_active_journey(caller, sairQuando={"kind": "leaf", "filter": leaf})
    )
    at = now()
    await let_in(program, [gone, stays], at=at)
    await move_on(program, at=at)

    where = await standing(program)
    assert where[gone] == (RunState.DONE, "sair_quando")
    assert where[stays] != where[gone]


async def test_settings_of_all_journeys(caller: Caller) -> None:
    assert await journeys.get_journey_settings(caller) == {"teto": None}
    cap = {"mensagens": 3, "dias": 7}
    new = NewJourneySettings.model_validate({"teto": cap})

    assert await journeys.put_journey_settings(caller, new) == {"teto": cap}
    assert await journeys.get_journey_settings(caller) == {"teto": cap}
    assert await journeys.get_journey_settings(await a_caller()) == {"teto": None}


async def test_an_organization_watches_20_segments(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.journeys.readiness.MAX_WATCHED", 1)
    first, second = await a_segment(caller), await a_segment(caller, "novo")
    for segment in (first, first):
        journey = await a_journey(caller, gatilho={"segmentId": segment})
        await journeys.activate_journey(caller, journey["id"], NEW_ONLY)
    journey = await a_journey(caller, gatilho={"segmentId": second})

    with pytest.raises(ValidationFailed) as refused:
        await journeys.activate_journey(caller, journey["id"], NEW_ONLY)

    assert refused.value.meta == {"code": "LIMITE_DE_SEGMENTOS"}


async def test_anothers_journey_is_not_there(caller: Caller) -> None:
    theirs = (await a_journey(await a_caller()))["id"]
    changes = JourneyChanges(name="Minha")

    for call in (
        journeys.activate_journey(caller, theirs),
        journeys.change_journey(caller, theirs, changes),
        journeys.duplicate_journey(caller, theirs),
        journeys.end_entries(caller, theirs),
        journeys.pause_journey(caller, theirs),
        journeys.resume_journey(caller, theirs),
    ):
        with pytest.raises(ServiceError) as refused:
            await call
        assert refused.value.code == "NOT_FOUND"
        assert not isinstance(refused.value, Conflict)
