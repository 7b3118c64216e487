"""The step that sends: each run one message, and for everybody left out a reason."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from core import contacts, customer_events, email, journeys, sms, wallet
from core.contacts import OptOut
from core.contacts.models import ALL_CHANNELS
from core.decisions import DecisionFilter
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.pubsub import Topic
from core.foundation.run_id import run_id
from core.foundation.security.caller import Caller
from core.journeys.runs.batch import Result, StepOutcome, VersionPaused
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState
from core.read_models.decisions import list_decisions
from core.short_links.follow import Click, count_clicks
from core.sms.queue.dispatcher import QUEUE
from tests.factories.contacts import a_denial
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.live import a_live_caller
from tests.factories.moving import asked, stand_on
from tests.factories.organizations import a_caller
from tests.factories.queue import hand_over_here, let_leave
from tests.factories.short_links import a_link
from tests.factories.stored_contacts import stored_contacts
from tests.fakes.ear import listening
from tests.fakes.provider import ScriptedProvider
from tests.support.graphql import data_of
from tests.support.journeying import let_in, move_on, recount, standing
from tests.support.money import balances_of, moved_for

pytestmark = pytest.mark.usefixtures("clean_slate", "own_buckets")

MINUTE, HOUR, DAY = (timedelta(**{name: 1}) for name in ("minutes", "hours", "days"))
NOON = "2026-11-26T15:00:00Z"


def a_message(**config: Any) -> dict[str, Any]:
    """A step that sends an SMS, unless told."""
    return {"tipo": "mensagem", "config": {"canal": "sms", "texto": "Olá", **config}}


async def messages_of(caller: Caller) -> Sequence[db.Row]:
    """What was written, in the order of recipients."""
    return await db.fetch(
        "SELECT m.*, w.urgency, w.due_at FROM messages m LEFT JOIN waiting_messages w ON w.message_id = m.id "
        "WHERE m.organization_id = $1 ORDER BY m.recipient",
        caller.organization_id,
    )


def told(outcomes: list[StepOutcome]) -> list[tuple[Result, str | None]]:
    """Results and reasons."""
    return [(outcome.result, outcome.reason) for outcome in outcomes]


async def test_each_run_has_its_message_held_and_behind_what_requests_send() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 3)
    await a_denial(caller, (await db.fetchval("SELECT phone FROM contacts WHERE id = $1", ids[1])))
    program = await a_running_journey(caller, **in_a_row(a_message()))
    runs = await stand_on(program, 1, ids)
    held = (await balances_of(caller)).held

    outcomes = await asked(program, 1, runs, at=now())

    assert told(outcomes) == [
        (Result.WAITS, None),
        (Result.SKIPPED, "opt_out"),
        (Result.WAITS, None),
    ]
    sent = await messages_of(caller)
    assert [(row["contact_id"], row["status"], row["urgency"]) for row in sent] == [
        (ids[0], "queued", 2),
        (ids[2], "queued", 2),
    ]
    assert [(row["journey_run"], row["journey_step"]) for row in sent] == [
        (runs[0].id, 1),
        (runs[2].id, 1),
    ]
    assert [outcome.facts for outcome in (outcomes[0], outcomes[2])] == [
        {"messageId": row["id"]} for row in sent
    ]
    assert (await balances_of(caller)).held == held + 1600
    page = await list_decisions(caller, DecisionFilter())
    (decision,) = page["items"]
    assert (decision["veredito"], decision["codigo"], decision["contactId"], decision["regra"]) == (
        "pulada",
        "opt_out",
        ids[1],
        "consentimento",
    )
    (rule,) = [one for one in decision["regras"] if "entradas" in one]
    assert rule["entradas"] == {"journeyId": program.version_id, "stepId": "s0"}


async def test_a_message_says_that_its_run_sent_it() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{"email": "p@example.com"}])
    program = await a_running_journey(caller, **in_a_row(a_message(), a_message(canal="email")))
    (run,) = await stand_on(program, 1, ids)
    await asked(program, 1, [run], at=now())
    run.seq += 1
    await asked(program, 2, [run], at=now())
    mine = {"tipo": "journey", "journeyRunId": run_id(run.id)}

    by_channel = {row["channel"]: row["id"] for row in await messages_of(caller)}

    assert (await sms.get_message(caller, by_channel["sms"]))["origem"] == mine
    assert (await email.get_message(caller, by_channel["email"]))["origem"] == mine
    (listed,) = (await sms.list_messages(caller, sms.SmsFilter()))["items"]
    assert listed["origem"] == mine
    shown = await data_of(caller, ORIGINS)
    assert shown["messages"]["nodes"] == [
        {"origem": {"tipo": "JOURNEY", "journeyRunId": run_id(run.id)},
         "journeyRun": {"passo": "s0", "journey": {"id": program.version_id}}}
    ] * 2  # fmt: skip


ORIGINS = """
{ messages(first: 2) { nodes { origem { tipo journeyRunId } journeyRun { passo journey { id } } } } }
"""


async def test_a_run_goes_on_once_its_message_was_taken_and_is_woken_for_it() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message()))
    (run,) = await stand_on(program, 1, ids)
    at = now()
    (waits,) = await asked(program, 1, [run], at=at)
    assert waits.due_at == at + MINUTE

    later = (await messages_of(caller))[0]["created_at"] + 3 * MINUTE
    (again,) = await asked(program, 1, [run], at=later, returned=True)
    assert (again.result, again.due_at) == (Result.WAITS, later + 3 * MINUTE)
    assert await let_leave() == 1
    due = await db.fetchval("SELECT due_at FROM journey_runs WHERE id = $1", run.id)
    assert due < at + MINUTE
    (goes,) = await asked(program, 1, [run], at=now(), returned=True)
    (message,) = await messages_of(caller)
    assert (goes.result, goes.way, goes.facts) == (
        Result.WENT_ON,
        "proximo",
        {"messageId": message["id"]},
    )
    assert await moved_for(message["id"]) == [("reserva", 800), ("captura", 800)]


async def test_who_says_no_while_the_message_waits_is_left_out() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message(aoFalhar="encerrar")))
    (run,) = await stand_on(program, 1, ids)
    await asked(program, 1, [run], at=now())

    phone = await db.fetchval("SELECT phone FROM contacts WHERE id = $1", ids[0])
    await a_denial(caller, phone, "sms")

    assert await db.fetchval("SELECT due_at FROM journey_runs WHERE id = $1", run.id) <= now()
    assert told(await asked(program, 1, [run], at=now(), returned=True)) == [
        (Result.SKIPPED, "opt_out")
    ]


async def test_an_event_is_attributed_to_the_run_that_sent() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message()))
    (run,) = await stand_on(program, 1, ids)
    await asked(program, 1, [run], at=now())
    await let_leave()

    event = await customer_events.record_event(
        caller,
        customer_events.NewCustomerEvent.model_validate(
            {"name": "purchase", "eventId": "e1", "contact": {"contactId": ids[0]}}
        ),
    )

    attribution = event["attribution"]
    assert attribution is not None
    assert (
        attribution["journeyId"],
        attribution["journeyStepId"],
        attribution["journeyRunId"],
    ) == (program.version_id, "s0", run_id(run.id))


async def test_who_looks_on_is_told_whatever_becomes_of_its_messages() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message()))
    (run,) = await stand_on(program, 1, ids)
    await asked(program, 1, [run], at=now())
    _, link = await a_link(caller)
    (message,) = [row for row in await messages_of(caller) if row["journey_run"]]
    await db.execute(
        "UPDATE short_links SET message_id = $2 WHERE code = $1", link.code, message["id"]
    )
    bought = {"name": "purchase", "eventId": "e1", "contact": {"contactId": ids[0]}}

    with listening() as ear:
        for deed, is_told in (
            (let_leave(), True),
            (sms.apply_due_reports(at=now() + HOUR), True),
            (count_clicks([Click(link.code, "curl", bot=True, at=now())]), False),
            (count_clicks([Click(link.code, "", bot=False, at=now())]), True),
            (
                customer_events.record_event(
                    caller, customer_events.NewCustomerEvent.model_validate(bought)
                ),
                True,
            ),
        ):
            await deed
            told_of = set(ear.ids(Topic.JOURNEY))
            assert told_of == ({program.version_id} if is_told else set())


async def test_money_that_is_missing_pauses_the_version_and_skips_nobody(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller(coins=1600)
    ids = await stored_contacts(caller, [{}] * 3)
    program = await a_running_journey(caller, **in_a_row(a_message()))
    runs = await stand_on(program, 1, ids)
    at = now()

    outcomes = await asked(program, 1, runs, at=at)

    assert [outcome.result for outcome in outcomes] == [Result.WAITS] * 3
    assert outcomes[2].due_at == at
    assert len(await messages_of(caller)) == 2
    with pytest.raises(VersionPaused) as paused:
        await asked(program, 1, runs[2:], at=at)
    assert paused.value.reason == "saldo"
    await wallet.credit(caller.organization_id, "live", 800)
    (sent,) = await asked(program, 1, runs[2:], at=at)
    assert sent.result is Result.WAITS


async def test_an_email_needs_an_address_and_bears_the_name_of_the_journey() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{"email": "ana@example.com"}, {}])
    program = await a_running_journey(caller, **in_a_row(a_message(canal="email")))
    runs = await stand_on(program, 1, ids)

    outcomes = await asked(program, 1, runs, at=now())

    assert told(outcomes) == [(Result.WAITS, None), (Result.SKIPPED, "sem_canal")]
    name = await db.fetchval("SELECT name FROM journeys WHERE id = $1", program.version_id)
    (message,) = await messages_of(caller)
    assert (message["subject"], message["route"], message["journey_run"]) == (
        name,
        "marketing",
        runs[0].id,
    )


async def test_who_is_held_out_gets_nothing() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message()))
    (run,) = await stand_on(program, 1, ids)
    run.control = True

    assert told(await asked(program, 1, [run], at=now())) == [(Result.SKIPPED, "controle")]
    assert await messages_of(caller) == []


async def test_people_are_moved_through_messages_each_sent_once() -> None:
    """With the mover: two messages, a wait between them; somebody opts out during it."""
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 20)
    pause = {"tipo": "espera", "config": {"duracaoHoras": 24}}
    program = await a_running_journey(caller, **in_a_row(a_message(), pause, a_message()))
    at = now()
    await let_in(program, ids, at=at)

    await move_on(program, at=at)
    assert await standing(program) == dict.fromkeys(ids, "s0")
    assert await move_on(program, at=at) == 0
    await hand_over_here(QUEUE, at=now())
    await move_on(program, at=at + 2 * MINUTE)  # at the latest: being told is a hint
    assert await standing(program) == dict.fromkeys(ids, "s1")
    phone = await db.fetchval("SELECT phone FROM contacts WHERE id = $1", ids[7])
    await a_denial(caller, phone, "sms")
    for _ in range(2):
        await move_on(program, at=at + DAY + 3 * MINUTE)
    await hand_over_here(QUEUE, at=at + DAY + 3 * MINUTE)
    await move_on(program, at=at + DAY + 5 * MINUTE)

    assert await standing(program) == dict.fromkeys(ids, (2, "fim"))
    sent = Counter(row["contact_id"] for row in await messages_of(caller))
    assert sent == {id: 1 if id == ids[7] else 2 for id in ids}
    await recount(program)
    assert await db.fetchval("SELECT count(*) FROM journey_effects") == 39


async def test_what_waits_to_be_sent_is_withdrawn_where_the_run_ends() -> None:
    """By its goal, by an opt-out of everything, and by the archive."""
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 4)
    program = await a_running_journey(caller, meta={"evento": "compra"}, **in_a_row(a_message()))
    before = await balances_of(caller)
    at = now()
    await let_in(program, ids, at=at)
    await move_on(program, at=at)
    assert (await balances_of(caller)).held == before.held + 4 * 800

    await finish_runs(
        caller.organization_id,
        caller.env,
        "r.contact_id = $7",
        [ids[0]],
        state=RunState.DONE,
        reason="meta",
        at=now(),
    )
    await contacts.opt_out(caller, OptOut(contact_ids=[ids[1]], channel=ALL_CHANNELS))
    await move_on(program, at=now())
    await journeys.archive_journey(caller, program.version_id)

    failed = {
        row["contact_id"]: (row["status"], row["reason"]) for row in await messages_of(caller)
    }
    reasons = dict(zip(ids, ("canceled", "opt_out", "canceled", "canceled"), strict=True))
    assert failed == {id: ("failed", reason) for id, reason in reasons.items()}
    assert await balances_of(caller) == before
    states = {id: state for id, (state, _) in (await standing(program)).items()}
    assert states == dict(zip(ids, (2, 3, 3, 3), strict=True))
    await recount(program)
