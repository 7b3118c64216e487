"""How often a contact is written to, and when not: caps and hours of silence."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from core import sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.batch import Result
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState
from core.journeys.runs.sending.caps import OF_ALL, Cap, take_places
from core.journeys.runs.sending.silence import SPREAD, QuietWindows
from core.organizations import QuietHours
from tests.core.journeys.test_sending import a_message, messages_of, told
from tests.factories.contacts import a_denial
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.moving import asked, stand_on
from tests.factories.organizations import a_caller
from tests.factories.queue import let_leave
from tests.factories.stored_contacts import stored_contacts

pytestmark = pytest.mark.usefixtures("clean_slate", "own_buckets")

MINUTE, HOUR, DAY = (timedelta(**{name: 1}) for name in ("minutes", "hours", "days"))
NIGHT = {"inicio": "22:00", "fim": "08:00"}


async def allow_of_all(caller: Caller, messages: int, days: int) -> None:
    """The cap of all journeys of the organization."""
    await db.execute(
        "INSERT INTO journey_settings (organization_id, env, cap, updated_at) VALUES ($1, $2, $3, $4)",
        caller.organization_id, caller.env, {"mensagens": messages, "dias": days}, now(),
    )  # fmt: skip


# Caps ---------------------------------------------------------------------------------------------


async def test_a_message_beyond_the_cap_is_left_out_and_the_window_rolls() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}, {}])
    cap = {"tetoDeFrequencia": {"mensagens": 2, "dias": 1}, "reentrada": "apos_concluir"}
    program = await a_running_journey(caller, **in_a_row(a_message(), a_message()), **cap)
    runs = await stand_on(program, 1, ids)
    at = now()

    outcomes = []
    for seq, hours in enumerate((0, 23, 23.9, 24.1)):
        for run in runs:
            run.seq = seq
        outcomes.append(await asked(program, 1, runs[:1], at=at + hours * HOUR))
    outcomes.append(await asked(program, 1, runs[1:], at=at + 24 * HOUR))

    assert [told(one)[0] for one in outcomes] == [
        (Result.WAITS, None),
        (Result.WAITS, None),
        (Result.SKIPPED, "teto"),
        (Result.WAITS, None),
        (Result.WAITS, None),
    ]
    assert len(await messages_of(caller)) == 4


async def test_it_waits_for_its_place_where_the_journey_says_so() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    cap = {"tetoDeFrequencia": {"mensagens": 1, "dias": 2, "aoTeto": "esperar"}}
    program = await a_running_journey(caller, **in_a_row(a_message(), a_message()), **cap)
    (run,) = await stand_on(program, 1, ids)
    at = now()
    await asked(program, 1, [run], at=at)
    run.seq += 1

    (waits,) = await asked(program, 2, [run], at=at + HOUR)

    assert (waits.result, waits.due_at) == (Result.WAITS, at + 2 * DAY)
    assert waits.due_at is not None
    await asked(program, 2, [run], at=waits.due_at + MINUTE, returned=True)
    assert len(await messages_of(caller)) == 2


async def test_the_cap_of_all_journeys_counts_what_was_sent_and_nothing_else() -> None:
    """Who was refused a message, or a place under the other cap, has used up nothing."""
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    await allow_of_all(caller, 2, 7)
    by_email = await a_running_journey(
        caller, **in_a_row(a_message(canal="email")), tetoDeFrequencia={"mensagens": 1, "dias": 7}
    )
    first = await a_running_journey(
        caller, **in_a_row(a_message(), a_message()), tetoDeFrequencia={"mensagens": 1, "dias": 7}
    )
    second = await a_running_journey(caller, **in_a_row(a_message(), a_message()))
    at = now()
    (unreachable,) = await stand_on(by_email, 1, ids)
    (one,) = await stand_on(first, 1, ids)
    (other,) = await stand_on(second, 1, ids)

    outcomes = [
        await asked(by_email, 1, [unreachable], at=at),
        await asked(first, 1, [one], at=at),
    ]
    one.seq += 1
    outcomes.append(await asked(first, 2, [one], at=at))
    outcomes.append(await asked(second, 1, [other], at=at))
    other.seq += 1
    outcomes.append(await asked(second, 2, [other], at=at))

    assert [told(one)[0] for one in outcomes] == [
        (Result.SKIPPED, "sem_canal"),
        (Result.WAITS, None),
        (Result.SKIPPED, "teto"),
        (Result.WAITS, None),
        (Result.SKIPPED, "teto"),
    ]
    assert len(await messages_of(caller)) == 2


async def test_a_message_that_never_left_gives_its_place_back() -> None:
    """Called off, refused for an opt-out, or withdrawn with its run; what the provider took counts."""
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 4)
    await allow_of_all(caller, 5, 7)
    cap = {"mensagens": 1, "dias": 7}
    program = await a_running_journey(caller, **in_a_row(a_message()), tetoDeFrequencia=cap)
    runs = await stand_on(program, 1, ids)
    await asked(program, 1, runs, at=now())
    assert await places_taken() == dict.fromkeys(ids, 2)

    called_off, refused, ended, sent = ids
    messages = {row["contact_id"]: row["id"] for row in await messages_of(caller)}
    await sms.cancel_message(caller, messages[called_off])
    await a_denial(
        caller, await db.fetchval("SELECT phone FROM contacts WHERE id = $1", refused), "sms"
    )
    owner = (caller.organization_id, caller.env)
    which = ("r.contact_id = $7", [ended])
    await finish_runs(*owner, *which, state=RunState.DONE, reason="meta", at=now())
    assert await let_leave() == 1
    await asked(program, 1, [runs[0], runs[1], runs[3]], at=now(), returned=True)

    assert await places_taken() == {called_off: 0, refused: 0, ended: 0, sent: 2}


async def places_taken() -> dict[str, int]:
    """How many messages count for each contact, under both caps together."""
    rows = await db.fetch(
        "SELECT contact_id, sum(cardinality(sent))::int AS n FROM contact_caps GROUP BY 1"
    )
    return {row["contact_id"]: row["n"] for row in rows}


async def test_a_contact_that_is_asked_for_twice_at_once_counts_twice() -> None:
    caller = await a_caller()
    a, b = await stored_contacts(caller, [{}, {}])
    at = now()
    caps = [Cap("jor_1", 2, DAY), Cap(OF_ALL, 3, DAY)]

    without = await take_places(caller, caps, [a, b, a, a, b, b], at=at)

    assert sorted(without) == [3, 5]
    assert set(without.values()) == {at + DAY}
    assert await take_places(caller, caps[1:], [a, a], at=at) == {1: at + DAY}


# Silence ------------------------------------------------------------------------------------------


async def test_a_message_waits_for_the_morning_of_its_contact() -> None:
    """By the zone that it tells, else by its area code."""
    caller = await a_caller()
    ids = await stored_contacts(
        caller,
        [
            {"phone": "+5568999112233"},  # Rio Branco, two hours behind São Paulo
            {"phone": "+5511999112233"},
            {"phone": "+5511999112234", "attributes": {"fuso": "Europe/Lisbon"}},
        ],
    )
    program = await a_running_journey(caller, **in_a_row(a_message()), silencio=NIGHT)
    runs = await stand_on(program, 1, ids)
    at = datetime(2026, 11, 27, 12, 30, tzinfo=UTC)  # 07:30, 09:30 and 12:30

    outcomes = await asked(program, 1, runs, at=at)

    assert [outcome.facts == {"espera": "silencio"} for outcome in outcomes] == [True, False, False]
    until = outcomes[0].due_at
    assert until is not None
    assert at + 30 * MINUTE <= until <= at + 30 * MINUTE + SPREAD
    await asked(program, 1, runs[:1], at=until, returned=True)
    assert len(await messages_of(caller)) == 3


def test_silence_ends_when_neither_window_is_open() -> None:
    home, acre = ZoneInfo("America/Sao_Paulo"), ZoneInfo("America/Rio_Branco")
    noon = time.fromisoformat("12:00")
    two = time.fromisoformat("14:00")
    eight = time.fromisoformat("08:00")
    siesta = QuietHours(noon, two, home)
    both = QuietWindows.of({"inicio": "08:00", "fim": "12:00"}, siesta)
    at = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)  # 09:00 in São Paulo, 07:00 in Rio Branco

    assert both.ends_after(at, zone=home, told=False) == datetime(2026, 11, 27, 17, tzinfo=UTC)
    assert both.ends_after(at, zone=acre, told=False) is None
    assert both.ends_after(at + HOUR, zone=acre, told=True) == datetime(
        2026, 11, 27, 19, tzinfo=UTC
    )
    assert QuietWindows.of(None, None).ends_after(at, zone=home, told=False) is None
    always = QuietWindows(QuietHours(eight, eight, home), None)
    assert always.ends_after(at, zone=home, told=False) is None
