"""Every channel that a step sends over, and the channels that follow one another."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core.decisions import DecisionFilter
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now
from core.foundation.database import db
from core.journeys.errors import UnknownJourneyLinks
from core.journeys.models import JourneyChannel, JourneyFailure
from core.journeys.runs.batch import Result, StepOutcome, VersionPaused
from core.journeys.runs.models import RunState
from core.journeys.runs.sending.contents import Plan
from core.read_models.decisions import list_decisions
from tests.core.journeys.test_sending import a_message, messages_of, told
from tests.factories.contacts import a_denial
from tests.factories.conversations import a_window
from tests.factories.conversations import let_leave as let_conversations_leave
from tests.factories.journeys import a_journey, a_running_journey, in_a_row
from tests.factories.moving import asked, stand_on
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, queue_of
from tests.factories.stored_contacts import stored_contacts
from tests.factories.templates import a_template

pytestmark = pytest.mark.usefixtures("clean_slate")

MINUTE, HOUR, DAY = (timedelta(**{name: 1}) for name in ("minutes", "hours", "days"))


async def phone_of(id: str) -> str:
    """The phone of a contact."""
    phone: str = await db.fetchval("SELECT phone FROM contacts WHERE id = $1", id)
    return phone


async def is_now(ref: str, status: str, reason: str | None = None, **times: datetime) -> None:
    """A message came to this."""
    values = {"sent_at": None, "failed_at": None, **times}
    await db.execute(
        "UPDATE messages SET status = $2, reason = $3, sent_at = $4, failed_at = $5 WHERE id = $1",
        ref, status, reason, values["sent_at"], values["failed_at"],
    )  # fmt: skip


def message_of(outcome: StepOutcome) -> str:
    """The message that an outcome tells of."""
    assert outcome.facts is not None
    return str(outcome.facts["messageId"])


# Channels -----------------------------------------------------------------------------------------


async def test_a_text_on_whatsapp_needs_the_window_and_nobody_who_said_no_gets_one() -> None:
    caller = await a_caller()
    number = await a_number(caller)
    ids = await stored_contacts(caller, [{}] * 3)
    for id in ids[:2]:
        await a_window(caller, number.id, await phone_of(id))
    await a_denial(caller, await phone_of(ids[1]), "whatsapp")
    step = a_message(canal="whatsapp", numberId=number.id)
    program = await a_running_journey(caller, **in_a_row(step))
    runs = await stand_on(program, 1, ids)

    outcomes = await asked(program, 1, runs, at=now())

    assert told(outcomes) == [
        (Result.WAITS, None),
        (Result.SKIPPED, "opt_out"),
        (Result.SKIPPED, "janela"),
    ]
    (message,) = await messages_of(caller)
    assert (message["content"], message["priority"], message["journey_run"]) == (
        {"text": "Olá"},
        "bulk",
        runs[0].id,
    )
    assert await let_conversations_leave() == 1
    (goes,) = await asked(program, 1, runs[:1], at=now(), returned=True)
    assert goes.result is Result.WENT_ON


async def test_a_template_goes_to_everybody_and_one_that_is_gone_pauses_the_version() -> None:
    caller = await a_caller()
    number = await a_number(caller)
    ids = await stored_contacts(caller, [{}])
    template = await a_template(caller, number.id, status="approved")
    config = {
        "canal": "whatsapp",
        "texto": None,
        "templateId": template["id"],
        "numberId": number.id,
        "variaveis": ["Ana", "1042"],
    }
    program = await a_running_journey(caller, **in_a_row(a_message(**config), a_message(**config)))
    (run,) = await stand_on(program, 1, ids)

    (sent,) = await asked(program, 1, [run], at=now())

    assert sent.result is Result.WAITS
    (message,) = await messages_of(caller)
    assert (message["template_id"], message["template_vars"]) == (template["id"], ["Ana", "1042"])
    for table, id, column, value, reason in (
        ("templates", template["id"], "status", "paused", "template_indisponivel"),
        ("numbers", number.id, "status", "disconnected", "numero_indisponivel"),
    ):
        await db.execute(f"UPDATE {table} SET {column} = $2 WHERE id = $1", id, value)
        run.seq += 1
        with pytest.raises(VersionPaused) as paused:
            await asked(program, 2, [run], at=now())
        assert paused.value.reason == reason


async def test_rcs_is_queued_with_its_run() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}, {}])
    await a_denial(caller, await phone_of(ids[1]), "rcs")
    program = await a_running_journey(caller, **in_a_row(a_message(canal="rcs")))
    runs = await stand_on(program, 1, ids)

    outcomes = await asked(program, 1, runs, at=now())

    assert told(outcomes) == [(Result.WAITS, None), (Result.SKIPPED, "opt_out")]
    (message,) = await messages_of(caller)
    assert (message["channel"], message["route"], message["journey_run"], message["urgency"]) == (
        "rcs",
        "easy_rcs",
        runs[0].id,
        2,
    )


async def test_a_batch_is_one_notification_to_all_devices_of_its_contacts() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 4)
    devices = [await a_device(caller, contactId=id) for id in (ids[0], ids[0], ids[1], ids[3])]
    await a_denial(caller, await phone_of(ids[3]), "push")
    step = a_message(canal="push", assunto="Novidade")
    program = await a_running_journey(caller, **in_a_row(step))
    runs = await stand_on(program, 1, ids)

    outcomes = await asked(program, 1, runs, at=now())

    assert told(outcomes) == [
        (Result.WENT_ON, None),
        (Result.WENT_ON, None),
        (Result.SKIPPED, "sem_canal"),
        (Result.SKIPPED, "opt_out"),
    ]
    (dispatch,) = await db.fetch("SELECT * FROM push_dispatches")
    assert (dispatch["origin"], dispatch["title"], dispatch["body"], dispatch["reach"]) == (
        "automation",
        "Novidade",
        "Olá",
        3,
    )
    assert [message_of(one) for one in outcomes[:2]] == [dispatch["id"]] * 2
    assert (await queue_of(dispatch["id"])).keys() == {device["id"] for device in devices[:3]}


async def test_everybody_who_is_passed_over_has_a_decision() -> None:
    """One for each reason, with the rule that it was and where it happened."""
    caller = await a_caller()
    number = await a_number(caller)
    denied, capped, mute, bounced, shut = await stored_contacts(
        caller, [{}, {}, {}, {"email": "b@example.com"}, {}]
    )
    await a_denial(caller, await phone_of(denied), "sms")
    bounce = NewSuppression(
        caller.organization_id, caller.env, "b@example.com", "invalid_address", "msg_1"
    )
    await suppress([bounce], at=now())
    reasons: dict[str, tuple[str, str]] = {}
    for who, reason, rule, config, more in (
        (denied, "opt_out", "consentimento", {}, {}),
        (capped, "teto", "teto_de_frequencia", {}, {"tetoDeFrequencia": {"mensagens": 1, "dias": 7}}),
        (mute, "sem_canal", "corpo", {"canal": "email"}, {}),
        (bounced, "suprimido", "supressao", {"canal": "email"}, {}),
        (shut, "janela", "janela_24h", {"canal": "whatsapp", "numberId": number.id}, {}),
    ):  # fmt: skip
        program = await a_running_journey(caller, **in_a_row(a_message(**config)), **more)
        (run,) = await stand_on(program, 1, [who])
        if who == capped:
            run.seq += 1
            await asked(program, 1, [run], at=now())
            run.seq += 1
        assert told(await asked(program, 1, [run], at=now())) == [(Result.SKIPPED, reason)]
        reasons[who] = (rule, program.version_id)

    page = await list_decisions(caller, DecisionFilter())
    found = {one["contactId"]: (one["regra"], one["parteDe"]) for one in page["items"]}
    assert {one["veredito"] for one in page["items"]} == {"pulada"}
    assert found == reasons


# What follows a failure ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on_failure", "result", "state"),
    [("seguir", Result.WENT_ON, None), ("encerrar", Result.ENDED, RunState.CANCELED)],
)
async def test_a_message_that_was_refused_lets_the_run_go_on_or_ends_it(
    on_failure: str, result: Result, state: RunState | None
) -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message(aoFalhar=on_failure)))
    (run,) = await stand_on(program, 1, ids)
    (waits,) = await asked(program, 1, [run], at=now())
    await is_now(message_of(waits), "failed", "carrier_rejected", failed_at=now())

    (outcome,) = await asked(program, 1, [run], at=now(), returned=True)

    assert (outcome.result, outcome.state) == (result, state)
    assert len(await messages_of(caller)) == 1


async def test_a_temporary_refusal_is_tried_again_each_time_four_times_later() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_message(tentativas=3)))
    (run,) = await stand_on(program, 1, ids)
    at = now()
    (waits,) = await asked(program, 1, [run], at=at)

    for pause in (5 * MINUTE, 20 * MINUTE):
        await is_now(message_of(waits), "failed", "abandoned", failed_at=at)
        (pauses,) = await asked(program, 1, [run], at=at, returned=True)
        assert (pauses.result, pauses.due_at) == (Result.WAITS, at + pause)
        at += pause
        (waits,) = await asked(program, 1, [run], at=at, returned=True)
        assert waits.result is Result.WAITS
    await is_now(message_of(waits), "failed", "abandoned", failed_at=at)
    (goes,) = await asked(program, 1, [run], at=at, returned=True)

    assert (goes.result, goes.facts) == (
        Result.WENT_ON,
        {"messageId": message_of(waits), "motivo": "abandoned"},
    )
    assert len(await messages_of(caller)) == 3


async def test_another_channel_follows_each_at_most_once() -> None:
    """For who has no address at once, for who was refused when that is told."""
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}, {"email": "ana@example.com"}])
    config: dict[str, Any] = {
        "canal": "email",
        "aoFalhar": "outroCanal",
        "outrosCanais": [{"canal": "sms", "texto": "Leia"}, {"canal": "push", "texto": "Leia"}],
    }
    program = await a_running_journey(caller, **in_a_row(a_message(**config)))
    runs = await stand_on(program, 1, ids)
    first = await asked(program, 1, runs, at=now())
    channels = [row["channel"] for row in await messages_of(caller)]
    assert channels == ["sms", "email"]

    await is_now(message_of(first[1]), "bounced", "hard_bounce", failed_at=now())
    second = await asked(program, 1, runs[1:], at=now(), returned=True)
    assert second[0].result is Result.WAITS
    assert len(await messages_of(caller)) == 3
    await is_now(message_of(second[0]), "failed", "invalid_number", failed_at=now())
    third = await asked(program, 1, runs[1:], at=now(), returned=True)

    assert told(third) == [(Result.SKIPPED, "sem_canal")]
    assert len(await messages_of(caller)) == 3


async def test_what_does_not_arrive_in_time_goes_over_the_next_channel() -> None:
    caller = await a_caller()
    ids = await stored_contacts(
        caller, [{"email": "ana@example.com"}, {"email": "bia@example.com"}]
    )
    config: dict[str, Any] = {
        "aoFalhar": "outroCanal",
        "outrosCanais": [{"canal": "email", "texto": "Leia"}],
        "esperaEntregaMin": 30,
    }
    program = await a_running_journey(caller, **in_a_row(a_message(**config)))
    runs = await stand_on(program, 1, ids)
    sent = await asked(program, 1, runs, at=now())
    at = now()
    for one in sent:
        await is_now(message_of(one), "sent", sent_at=at)

    waits = await asked(program, 1, runs, at=at + MINUTE, returned=True)
    assert [(one.result, one.due_at) for one in waits] == [(Result.WAITS, at + 30 * MINUTE)] * 2
    await is_now(message_of(sent[0]), "delivered", sent_at=at)
    outcomes = await asked(program, 1, runs, at=at + 30 * MINUTE, returned=True)

    assert told(outcomes) == [(Result.WENT_ON, None), (Result.WAITS, None)]
    assert [
        row["contact_id"] for row in await messages_of(caller) if row["channel"] == "email"
    ] == [ids[1]]


async def test_what_is_sent_instead_must_be_the_callers_too() -> None:
    caller = await a_caller()
    config = {
        "aoFalhar": "outroCanal",
        "outrosCanais": [
            {"canal": "email", "texto": "Olá"},
            {"canal": "whatsapp", "numberId": "num_x", "templateId": "tpl_x"},
        ],
    }

    with pytest.raises(UnknownJourneyLinks) as refusal:
        await a_journey(caller, **in_a_row(a_message(**config)))

    place = "/passos/0/config/outrosCanais/1"
    assert [error.where for error in refusal.value.errors] == [
        f"{place}/templateId",
        f"{place}/numberId",
    ]


def test_a_text_goes_over_the_channels_that_it_fits_into_where_none_are_named() -> None:
    def channels(**config: Any) -> list[str]:
        plan = Plan.read({"canal": "sms", "aoFalhar": "outroCanal", **config})
        return [content.channel for content in plan.contents]

    assert channels(texto="Olá") == ["sms", "rcs", "email", "push"]
    assert channels(texto="a" * 161) == ["sms", "email", "push"]
    assert channels(texto="a" * 1001, canal="email", assunto="Oi") == ["email", "sms"]
    assert channels(canal="whatsapp", templateId="tpl_1") == [JourneyChannel.WHATSAPP]
    assert channels(texto="Olá", aoFalhar=JourneyFailure.GO_ON) == ["sms"]
