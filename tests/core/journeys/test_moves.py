from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.journeys.models import Journey
from core.journeys.runs import move
from core.journeys.runs.batch import RunBatch, StepOutcome, go_on
from core.journeys.runs.counts import counts_of, merge_step_counts
from core.journeys.runs.kinds import KINDS
from core.journeys.runs.kinds.split import share_of
from core.journeys.runs.models import RunState
from core.journeys.runs.program import Program
from core.journeys.runs.walk import Walk
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline
from tests.factories.stored_contacts import stored_contacts
from tests.factories.webhooks import a_subscription
from tests.support.journeying import due_of, let_in, move_on, recount, standing
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")

HOUR = timedelta(hours=1)
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
"""A Friday, nine in the morning in São Paulo."""
VIP = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}}


def pause(hours: float = 1) -> dict[str, Any]:
    """A step that waits."""
    return {"tipo": "espera", "config": {"duracaoHoras": hours}}


async def people(caller: Caller, number: int, **fields: Any) -> list[str]:
    """Contacts."""
    return await stored_contacts(caller, [fields] * number)


async def walked(caller: Caller, *steps: dict[str, Any], **fields: Any) -> tuple[Program, Any]:
    """A journey of these steps in a row, and where somebody stands in it who came at AT."""
    program = await a_running_journey(caller, **in_a_row(*steps))
    (id,) = await people(caller, 1, **fields)
    await let_in(program, [id], at=AT)
    await move_on(program, at=AT)
    return program, (await standing(program))[id]


async def test_who_waits_is_moved_when_it_is_due_and_ends_where_no_way_leads_on() -> None:
    caller = await a_caller()
    program = await a_running_journey(
        caller, **in_a_row(pause(1), pause(2), {"tipo": "saida", "config": {"motivo": "acabou"}})
    )
    ids = await people(caller, 3)
    await let_in(program, ids, at=AT)

    assert await move_on(program, at=AT) == 3
    assert await standing(program) == dict.fromkeys(ids, "s0")
    assert await due_of(program) == {AT + HOUR}
    assert await move_on(program, at=AT + HOUR - timedelta(seconds=1)) == 0
    assert await move_on(program, at=AT + HOUR) == 3
    assert await standing(program) == dict.fromkeys(ids, "s1")
    assert await move_on(program, at=AT + 3 * HOUR) == 3

    assert await standing(program) == dict.fromkeys(ids, (RunState.DONE, "acabou"))
    await recount(program)
    trail = await db.fetch("SELECT seq, step, outcome FROM journey_trail ORDER BY run_id, seq")
    assert [tuple(row) for row in trail][:4] == [(1, 0, 2), (2, 1, 2), (3, 2, 2), (4, 3, 6)]
    short, last = await walked(caller, {"tipo": "atualizarContato", "config": {"tags": ["a"]}})
    assert last == (RunState.DONE, "fim")
    await recount(short)


async def test_a_paused_version_moves_nobody_and_goes_on_where_it_stood() -> None:
    caller = await a_caller()
    program, _ = await walked(caller, pause(1), pause(1))
    await Journey.filter(id=program.version_id).update(status="pausada")

    assert await move_on(program, at=AT + HOUR) == 0

    await Journey.filter(id=program.version_id).update(status="ativa")
    assert await move_on(program, at=AT + HOUR) == 1


async def test_a_condition_is_asked_of_all_at_once_and_another_owner_is_not_seen() -> None:
    caller = await a_caller()
    steps = [
        {
            "id": "c",
            "tipo": "condicao",
            "config": {"filterTree": VIP, "seSim": "sim", "seNao": "nao"},
        },
        {"id": "sim", **pause(1)},
        {"id": "nao", **pause(2)},
    ]
    program = await a_running_journey(caller, passos=steps, entradaPasso="c")
    vips, others = await people(caller, 2, tags=["vip"]), await people(caller, 3)
    await let_in(program, [*vips, *others], at=AT)

    await move_on(program, at=AT)

    assert await standing(program) == dict.fromkeys(vips, "sim") | dict.fromkeys(others, "nao")
    await recount(program)


ENDS: dict[str, dict[str, Any]] = {
    "sim": pause(3),
    "nao": {"tipo": "saida", "config": {"motivo": "acabou"}},
}


@pytest.mark.parametrize("ways", [("sim", "nao"), ("nao", "sim"), ("sim", None), (None, "nao")])
async def test_a_condition_behind_a_wait_is_one_statement_that_writes_what_walking_writes(
    ways: tuple[str | None, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    await a_subscription(caller, events=["journey.completed"])
    named = {name: id for name, id in zip(("seSim", "seNao"), ways, strict=True) if id}
    config = {"filterTree": VIP, **named}
    steps = [
        {"id": "p", **pause(1), "proximo": "c"},
        {"id": "c", "tipo": "condicao", "config": config},
        *({"id": id, **ENDS[id]} for id in named.values()),
    ]
    ids = await people(caller, 3, tags=["vip"]) + await people(caller, 2)
    written: list[Any] = []
    walks: list[Walk] = []
    write_down = Walk.save

    async def noted(walk: Walk) -> None:
        walks.append(walk)
        await write_down(walk)

    monkeypatch.setattr(Walk, "save", noted)
    for _ in ("at once", "step by step"):
        program = await a_running_journey(caller, passos=steps, entradaPasso="p")
        await let_in(program, ids, at=AT)
        await move_on(program, at=AT)
        await db.execute(NOT_WAITED, program.version_id, ids[0])
        walks.clear()
        await move_on(program, at=AT + HOUR)
        written.append((await written_of(program), len(walks)))
        await recount(program)
        await db.execute("DELETE FROM webhook_events")
        monkeypatch.setattr(move, "fork_behind", AsyncMock(return_value=None))

    (at_once, one), (by_steps, two) = written
    assert at_once == by_steps
    assert (one, two) == (1, 2), "only who has not waited yet is walked"


async def written_of(program: Program) -> list[list[tuple[object, ...]]]:
    """All that is written of a version's runs, without ids of its own."""
    return [
        [tuple(row) for row in await db.fetch(sql, program.version_id)]
        for sql in (RUNS, TRAIL, COUNTS, TOLD)
    ]


NOT_WAITED = "UPDATE journey_runs SET wait_since = NULL WHERE version_id = $1 AND contact_id = $2"

RUNS = """
SELECT contact_id, step, seq, state, due_at, wait_event, wait_since, woken_by, step_at, ended_at, end_reason, control
FROM journey_runs WHERE version_id = $1 ORDER BY 1
"""

TRAIL = """
SELECT r.contact_id, t.seq, t.at, t.step, t.outcome, t.facts::text FROM journey_trail t
JOIN journey_runs r ON r.id = t.run_id WHERE r.version_id = $1 ORDER BY 1, 2
"""

COUNTS = """
SELECT step, kind, reason, sum(delta) FROM journey_step_counts WHERE version_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""

TOLD = """
SELECT data ->> 'contactId', data ->> 'quantidade', data ->> 'motivo', data ->> 'em' FROM webhook_events
WHERE data ->> 'journeyId' = $1 ORDER BY 1
"""


async def test_a_segment_that_is_gone_pauses_the_journey_whose_condition_asks_for_it() -> None:
    caller = await a_caller()
    asks = {"field": "segment", "operator": "is", "value": new_id("seg")}
    config = {"filterTree": {"kind": "leaf", "filter": asks}, "seSim": "f"}
    steps = [
        {"id": "p", **pause(1), "proximo": "c"},
        {"id": "c", "tipo": "condicao", "config": {**config, "filterTree": VIP}},
        {"id": "f", **pause(1)},
    ]
    program = await a_running_journey(caller, passos=steps, entradaPasso="p")
    (id,) = await people(caller, 1)
    await let_in(program, [id], at=AT)
    await move_on(program, at=AT)
    journey = await Journey.get(id=program.version_id)
    assert journey.program is not None
    journey.program["steps"][2]["config"] = config
    await journey.save()

    assert await move_on(program, at=AT + HOUR) == 0

    await journey.refresh_from_db()
    assert (journey.status, await standing(program)) == ("pausada", {id: "p"})
    assert journey.paused_by is not None
    assert journey.paused_by["motivo"] == "segmento_removido"


async def test_shares_are_the_same_for_a_contact_over_re_entry_and_versions_and_a_seed_draws_anew() -> (
    None
):
    caller = await a_caller()
    branches = [
        {"percentual": 30, "proximo": "a", "controle": True},
        {"percentual": 70, "proximo": "b"},
    ]
    steps = [
        {"id": "d", "tipo": "divisao", "config": {"ramos": branches}},
        {"id": "a", **pause(1)},
        {"id": "b", **pause(1)},
    ]
    program = await a_running_journey(caller, passos=steps, entradaPasso="d")
    ids = await people(caller, 200)
    await let_in(program, ids, at=AT)
    await move_on(program, at=AT)

    where = await standing(program)
    assert where == {
        id: "a" if share_of(program.lineage_id, "d", id) < 300_000 else "b" for id in ids
    }
    held_out = await db.fetch("SELECT contact_id FROM journey_runs WHERE control")
    assert {row["contact_id"] for row in held_out} == {id for id in ids if where[id] == "a"}
    drawn = [share_of("jor_x", "d", f"cnt_{place}") for place in range(20_000)]
    assert 0.28 < sum(share < 300_000 for share in drawn) / len(drawn) < 0.32
    assert share_of("jor_x", "d", "cnt_1") != share_of("jor_x", "d", "cnt_1", "outra")


async def test_contacts_get_tags_and_attributes_and_who_is_gone_ends_in_error() -> None:
    caller = await a_caller()
    step = {"tipo": "atualizarContato", "config": {"tags": ["novo"], "attributes": {"fase": 2}}}
    program = await a_running_journey(caller, **in_a_row(step, pause()))
    one, gone = await people(caller, 2, tags=["velho"], attributes={"cor": "azul"})
    await let_in(program, [one, gone], at=AT)
    await db.execute("DELETE FROM contacts WHERE id = $1", gone)

    await move_on(program, at=AT)

    row = await db.fetchrow("SELECT tags, attributes FROM contacts WHERE id = $1", one)
    assert row is not None
    assert (row["tags"], row["attributes"]) == (["velho", "novo"], {"cor": "azul", "fase": 2})
    assert await standing(program) == {one: "s1", gone: (RunState.FAILED, "contato_inexistente")}
    await recount(program)


async def test_a_card_is_made_once_and_moved_and_who_has_none_goes_on() -> None:
    caller = await a_caller()
    pipeline = await a_pipeline(caller)
    opened, second = [stage["id"] for stage in pipeline["etapas"]][:2]
    config = {"pipelineId": pipeline["id"]}
    made, _ = await walked(
        caller,
        {"tipo": "cardCriar", "config": config},
        {"tipo": "cardMover", "config": {**config, "etapaId": second}},
        pause(),
        name="Maria",
    )
    _, without = await walked(caller, {"tipo": "cardMover", "config": config}, pause())

    cards = await db.fetch("SELECT title, stage_id FROM cards")
    assert [tuple(card) for card in cards] == [("Maria", second)]
    effects = await db.fetch("SELECT seq, kind FROM journey_effects ORDER BY seq")
    assert [tuple(effect) for effect in effects] == [(2, "card"), (3, "card")]
    assert (without, opened != second) == ("s1", True)
    (told,) = await audited(caller.organization_id, "card.")
    by = (told["actor_kind"], told["actor_id"])
    assert (told["action"], by) == ("card.moved", ("journey", made.version_id))
    await recount(made)


async def test_waits_until_a_clock_or_a_date_of_the_contact() -> None:
    caller = await a_caller()

    async def due(config: dict[str, Any], **fields: Any) -> Any:
        program, where = await walked(caller, {"tipo": "espera", "config": config}, pause(5))
        if fields:
            program, where = await walked(
                caller, {"tipo": "espera", "config": config}, pause(5), **fields
            )
        (until,) = await due_of(program)
        await recount(program)
        return until if where == "s0" else "passed"

    clock = {"ate": {"hora": "09:30", "fuso": "contato"}}
    assert await due(clock) == datetime(2026, 11, 27, 12, 30, tzinfo=UTC)
    assert await due(clock, phone="+5568999990001") == datetime(2026, 11, 27, 14, 30, tzinfo=UTC)
    assert await due(clock, attributes={"fuso": "Europe/Lisbon"}) == datetime(
        2026, 11, 28, 9, 30, tzinfo=UTC
    )
    assert await due({"ate": {"hora": "09:00", "dias": [1]}}) == datetime(
        2026, 11, 30, 12, tzinfo=UTC
    )
    field = {"campo": {"key": "vence", "deslocamentoHoras": -2}}
    assert await due(field, attributes={"vence": "2026-12-01"}) == datetime(
        2026, 12, 1, 1, tzinfo=UTC
    )
    assert await due(field, attributes={"vence": "2026-11-27T08:00:00-03:00"}) == "passed"
    assert await due(field, attributes={"vence": "2026-11-26T09:00:00-03:00"}) == "passed"
    assert await due(field, attributes={"vence": "amanhã"}) == "passed"
    assert await due(field, attributes={"vence": "2028-01-01"}) == "passed"
    reasons = await db.fetch(
        "SELECT facts->>'motivo' AS reason FROM journey_trail WHERE facts IS NOT NULL"
    )
    assert sorted(row["reason"] for row in reasons) == [
        *["distante", "passado"], *["sem_data"] * 6,
    ]  # fmt: skip


async def event(caller: Caller, contact: str, name: str, *, at: datetime, **properties: Any) -> str:
    """A customer event that is recorded at an instant."""
    id = new_id("cev")
    await db.execute(
        "INSERT INTO customer_events (id, organization_id, env, name, event_id, contact_id, occurred_at, properties, created_at) "
        "VALUES ($1, $2, $3, $4, $1, $5, $6, $7::jsonb, $6)",
        *(id, caller.organization_id, caller.env, name, contact, at, properties),
    )
    return id


async def test_who_waits_for_an_event_sees_it_before_and_after_it_came_to_wait() -> None:
    caller = await a_caller()
    wait = {
        "evento": "compra",
        "filtros": {"loja": 1},
        "prazoHoras": 24,
        "seOcorrer": "sim",
        "seExpirar": "nao",
    }
    steps = [
        {"id": "p", **pause(1), "proximo": "w"},
        {"id": "w", "tipo": "aguardarEvento", "config": wait},
        {"id": "sim", **pause(100)},
        {"id": "nao", **pause(100)},
    ]
    program = await a_running_journey(caller, passos=steps, entradaPasso="p")
    await db.execute(
        "INSERT INTO journey_watches (organization_id, env, version_id, kind, ref, created_at) VALUES ($1, $2, $3, 'event', 'compra', $4)",
        caller.organization_id, caller.env, program.version_id, AT,
    )  # fmt: skip
    ids = before, early, after, other, late, never = await people(caller, 6)
    await event(caller, early, "compra", at=AT - HOUR, loja=1)
    await let_in(program, list(ids), at=AT)
    await move_on(program, at=AT)
    await event(caller, before, "compra", at=AT + HOUR / 2, loja=1)
    await move_on(program, at=AT + HOUR)

    assert await standing(program) == dict.fromkeys(ids, "w") | {before: "sim"}

    await event(caller, after, "compra", at=AT + 2 * HOUR, loja=1, mais="x")
    await event(caller, other, "compra", at=AT + 2 * HOUR, loja=2)
    assert await move_on(program, at=AT + 2 * HOUR) == 1
    await event(caller, late, "compra", at=AT + 26 * HOUR, loja=1)
    await move_on(program, at=AT + 26 * HOUR)

    sim, nao = (
        dict.fromkeys([before, after], "sim"),
        dict.fromkeys([early, other, late, never], "nao"),
    )
    assert await standing(program) == sim | nao
    assert await db.fetchval("SELECT count(*) FROM audience_changes") == 0
    await recount(program)


async def test_whom_a_step_cannot_move_ends_in_error_alone_and_many_pause_the_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    program = await a_running_journey(
        caller, **in_a_row({**pause(1), "rotulo": "Pausa"}, {"tipo": "saida"})
    )
    ids = sorted(await people(caller, 120))
    bad = set(ids[:2])

    async def breaks(batch: RunBatch) -> list[StepOutcome]:
        if any(run.contact_id in bad for run in batch.runs):
            await db.execute("SELECT 1 / 0")
        return [go_on()] * len(batch.runs)

    monkeypatch.setitem(KINDS, "inicio", breaks)
    monkeypatch.setattr(move, "steady_way", lambda *_: None)
    await let_in(program, ids[:20], at=AT)
    await move_on(program, at=AT)

    assert await standing(program) == dict.fromkeys(ids[:20], "s0") | dict.fromkeys(
        bad, (RunState.FAILED, "erro_interno")
    )
    await recount(program)
    bad |= set(ids[20:80])
    await let_in(program, ids[20:], at=AT)
    await move_on(program, at=AT)

    journey = await Journey.get(id=program.version_id)
    assert journey.status == "pausada"
    assert journey.paused_by is not None
    assert journey.paused_by["motivo"] == "erro_repetido"
    await recount(program)


async def test_merged_counts_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()
    program = await a_running_journey(caller, **in_a_row(pause(1), pause(1), pause(1)))
    ids = await people(caller, 8)
    for hour, id in enumerate(ids):
        await let_in(program, [id], at=AT + hour * HOUR)
        await move_on(program, at=AT + hour * HOUR)
    before = await counts_of([program.version_id])
    monkeypatch.setattr("core.journeys.runs.counts.MAX_UNMERGED_CHANGES", 2)
    monkeypatch.setattr("core.journeys.runs.counts.RECENT_CHANGES", 5)

    assert await merge_step_counts() > 0

    assert await counts_of([program.version_id]) == before
    await recount(program)


async def test_nothing_due_is_nothing_done() -> None:
    caller = await a_caller()
    program, _ = await walked(caller, pause(1))

    assert await move_on(program, at=AT) == 0
    assert await move.move_due(at=now() - timedelta(days=400)) == 0
