"""Who is on the way through a journey, and what is counted of it."""

from datetime import timedelta
from typing import Any

import pytest

from core import journeys
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.run_id import key_of_run, run_id
from core.foundation.security.caller import Caller
from core.journeys.figures import listed_figures
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import CountKind, RunState
from core.journeys.runs.program import Program
from tests.factories.journeys import a_running_journey, enrolled
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link
from tests.factories.stored_contacts import stored_contacts
from tests.factories.stored_messages import stored_message

pytestmark = pytest.mark.usefixtures("clean_slate")

OLA, PAUSA = 1, 2
"""The places of two steps of the journey that factories make."""


async def some(caller: Caller, count: int = 5) -> tuple[Program, list[str]]:
    """A journey with so many contacts at its start; the ids of their runs."""
    program = await a_running_journey(caller, meta={"evento": "purchase"})
    return program, await enrolled(program, await stored_contacts(caller, [{}] * count))


async def put_on(step: int, runs: list[str]) -> None:
    """Put runs on a step, each due an hour after the one before."""
    for place, id in enumerate(runs):
        await db.execute(
            "UPDATE journey_runs SET step = $2, due_at = $3 WHERE id = $1",
            key_of_run(id),
            step,
            now() + timedelta(hours=place),
        )


async def listed(caller: Caller, program: Program, **asked: object) -> list[str]:
    """The ids of a list, page by page."""
    found: list[str] = []
    cursor = None
    while True:
        filter = journeys.RunFilter.model_validate({**asked, "limit": 2, "cursor": cursor})
        page = await journeys.list_runs(caller, program.version_id, filter)
        found += [item["id"] for item in page["items"]]
        if (cursor := page.next_cursor) is None:
            return found


def test_the_id_of_a_run_is_its_key() -> None:
    for key in (
        "00000000-0000-7000-8000-000000000000",
        "ffffffff-ffff-7fff-bfff-ffffffffffff",
        "019aabcd-1234-7abc-9def-0123456789ab",
    ):
        assert str(key_of_run(run_id(key))) == key
    assert [key_of_run(id) for id in (new_id("cnt"), f"run_{'z' * 21}", "run_", "")] == [None] * 4


async def test_runs_are_listed_newest_first_or_in_the_order_in_which_they_go_on() -> None:
    caller = await a_caller()
    program, runs = await some(caller)
    first, second, third, fourth, fifth = runs
    await put_on(PAUSA, [third, first])
    await put_on(OLA, [fourth])
    await finish_runs(
        caller.organization_id, caller.env, "r.id = $7", [key_of_run(fifth)],
        state=RunState.DONE, reason="meta", at=now(),
    )  # fmt: skip

    newest = sorted(runs, reverse=True)
    assert await listed(caller, program) == newest
    assert await listed(caller, program, estado="ativa") == [second, fourth, third, first]
    assert await listed(caller, program, passo="pausa") == [third, first]
    assert await listed(caller, program, estado="concluida") == [fifth]
    assert await listed(caller, program, passo="nada") == []
    assert await listed(caller, program, passo="pausa", estado="concluida") == []
    whole = await journeys.get_run(caller, third)
    assert await listed(caller, program, contactId=whole["contactId"]) == [third]


async def test_a_cursor_of_another_order_is_refused() -> None:
    caller = await a_caller()
    program, _ = await some(caller)
    page = await journeys.list_runs(
        caller, program.version_id, journeys.RunFilter.model_validate({"limit": 2})
    )

    for asked in ({"passo": "ola", "cursor": page.next_cursor}, {"cursor": "WzEsMiwzXQ"}):
        with pytest.raises(ValidationFailed):
            await journeys.list_runs(
                caller, program.version_id, journeys.RunFilter.model_validate(asked)
            )


async def test_a_run_is_shown_with_its_trail_and_why_it_ended() -> None:
    caller = await a_caller()
    program, (run, *_) = await some(caller, 1)
    await put_on(PAUSA, [run])
    entered = await journeys.get_run(caller, run)
    assert (entered["estado"], entered["passo"], entered["trilha"]) == ("ativa", "pausa", [])

    await journeys.take_out(caller, program.version_id, run)
    await journeys.take_out(caller, program.version_id, run)  # changes nothing any more

    ended = await journeys.get_run(caller, run)
    assert (ended["estado"], ended["motivo"]) == ("cancelada", "retirada")
    assert "segueEm" not in ended
    (entry,) = ended["trilha"]
    assert entry == {
        "em": ended["terminouEm"],
        "passo": "pausa",
        "resultado": "encerrada",
        "fatos": {"motivo": "retirada"},
    }
    (noted,) = await db.fetch(
        "SELECT subject_id, facts FROM audit_entries WHERE action = 'journey_run.taken_out'"
    )
    assert (noted["subject_id"], noted["facts"]) == (run, {"journeyId": program.version_id})
    page = await journeys.list_runs(caller, program.version_id, journeys.RunFilter())
    assert [{**item, "trilha": [entry]} for item in page["items"]] == [ended]


async def test_a_run_of_another_journey_or_owner_is_not_found() -> None:
    caller, stranger = await a_caller(), await a_caller()
    program, (run,) = await some(caller, 1)
    other = await a_running_journey(caller)

    with pytest.raises(NotFound):
        await journeys.take_out(caller, other.version_id, run)
    with pytest.raises(NotFound):
        await journeys.take_out(caller, "x" * 100, run)
    with pytest.raises(NotFound):
        await journeys.take_out(stranger, program.version_id, run)
    with pytest.raises(NotFound):
        await journeys.get_run(stranger, run)
    assert (await journeys.get_run(caller, run))["estado"] == "ativa"


async def test_what_is_counted_is_the_sum_of_the_deltas() -> None:
    caller = await a_caller()
    program, runs = await some(caller)
    for step, kind, reason, delta in (
        (OLA, CountKind.ENTERED, "", 3),
        (OLA, CountKind.ENTERED, "", 2),
        (OLA, CountKind.LEFT, "", 3),
        (OLA, CountKind.FAILED, "", 1),
        (OLA, CountKind.SKIPPED, "opt_out", 1),
        (OLA, CountKind.SKIPPED, "teto", 2),
        (OLA, CountKind.SENT, "", 2),
        (OLA, CountKind.READ, "", 1),
    ):
        await db.execute(
            "INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, reason, delta) "
            "VALUES ($1, $2, $3, $4, $5, $6, $7)",
            caller.organization_id, caller.env, program.version_id, step, int(kind), reason, delta,
        )  # fmt: skip
    await journeys.take_out(caller, program.version_id, runs[0])

    journey = await journeys.get_journey(caller, program.version_id)
    (item,) = (await journeys.list_journeys(caller, journeys.JourneyFilter()))["items"]

    assert journey["execucoes"] == item["execucoes"]
    assert item["execucoes"] == {"ativa": 4, "concluida": 0, "cancelada": 1, "erro": 0}
    assert journey["metricasPorPasso"]["ola"] == {
        "entraram": 5,
        "aguardando": 1,
        "concluiram": 3,
        "erros": 1,
        "pulados": {"opt_out": 1, "teto": 2},
        "mensagens": {"enviadas": 2, "entregues": 0, "lidas": 1, "cliques": 0},
        "conversoes": 0,
    }
    assert listed_figures(journey["metricasPorPasso"]["ola"])["puladosPorMotivo"] == [
        {"motivo": "opt_out", "quantidade": 1},
        {"motivo": "teto", "quantidade": 2},
    ]
    assert journey["metricasPorPasso"]["pausa"] == {
        "entraram": 0,
        "aguardando": 0,
        "concluiram": 0,
        "erros": 0,
        "pulados": {},
    }


async def test_times_of_a_run_are_told() -> None:
    caller = await a_caller()
    program = await a_running_journey(caller)
    at = now()
    (run,) = await enrolled(program, await stored_contacts(caller, [{}]), at=at)

    shown = await journeys.get_run(caller, run)

    assert shown["journeyId"] == program.version_id
    assert shown["entrouEm"] == shown["noPassoDesde"] == shown["segueEm"] == wire_time(at)
    assert {"passo", "chave", "controle", "motivo", "terminouEm"}.isdisjoint(shown)


async def test_what_becomes_of_its_messages_is_counted_as_it_happens() -> None:
    caller = await a_caller()
    program, (run, *_) = await some(caller, 1)
    whole = await journeys.get_run(caller, run)
    ids = [
        await stored_message(caller, now(), contact_id=whole["contactId"], status=status)
        for status in ("queued", "queued", "queued")
    ]
    await db.execute(
        "UPDATE messages SET journey_run = $1, journey_step = 1 WHERE id = ANY ($2)",
        key_of_run(run), ids,
    )  # fmt: skip
    figures = dict.fromkeys(("enviadas", "entregues", "lidas", "cliques"), 0)
    assert await figures_of(caller, program) == (figures, 0)

    await db.execute(
        "UPDATE messages SET status = 'sent', sent_at = now() WHERE id = ANY ($1)", ids
    )
    assert await figures_of(caller, program) == ({**figures, "enviadas": 3}, 0)
    await db.execute("UPDATE messages SET status = 'delivered' WHERE id = ANY ($1)", ids[:2])
    await db.execute("UPDATE messages SET status = 'read' WHERE id = $1", ids[0])
    await db.execute("UPDATE messages SET status = 'undelivered' WHERE id = $1", ids[1])
    _, link = await a_link(caller)
    await db.execute("UPDATE short_links SET message_id = $2 WHERE code = $1", link.code, ids[0])
    await db.execute("UPDATE short_links SET clicks = clicks + 2 WHERE code = $1", link.code)
    for name in ("purchase", "visit"):
        await db.execute(
            "INSERT INTO customer_events (id, organization_id, env, name, event_id, contact_id, occurred_at, attribution, "
            "created_at) VALUES ($1, $2, $3, $4, $1, $5, now(), $6, now())",
            new_id("cev"), caller.organization_id, caller.env, name, whole["contactId"],
            {"messageId": ids[0], "journeyRunId": run},
        )  # fmt: skip

    counted = {"enviadas": 3, "entregues": 1, "lidas": 1, "cliques": 2}
    assert await figures_of(caller, program) == (counted, 1)


async def figures_of(caller: Caller, program: Program) -> tuple[Any, int]:
    """What became of the messages of the first step, and how many events are attributed to them."""
    journey = await journeys.get_journey(caller, program.version_id)
    metrics = journey["metricasPorPasso"]["ola"]
    return metrics["mensagens"], metrics["conversoes"]


async def test_the_median_of_a_step_is_that_of_who_came_to_the_end() -> None:
    caller = await a_caller()
    program, runs = await some(caller, 3)
    for run, hours in zip(runs, (1, 2, 9), strict=True):
        key = key_of_run(run)
        for seq, step, left in ((1, 0, 0), (2, OLA, 0), (3, PAUSA, hours)):
            await db.execute(
                "INSERT INTO journey_trail (run_id, seq, at, step, outcome) "
                "SELECT id, $2, entered_at + make_interval(hours => $4), $3, 2 FROM journey_runs WHERE id = $1",
                key, seq, step, left,
            )  # fmt: skip
        await db.execute("UPDATE journey_runs SET state = 2 WHERE id = $1", key)

    metrics = (await journeys.get_journey(caller, program.version_id))["metricasPorPasso"]

    assert metrics["pausa"]["tempoMedianoSegundos"] == 7_200
    assert metrics["ola"]["tempoMedianoSegundos"] == 0
    assert "tempoMedianoSegundos" not in metrics["fim"]
