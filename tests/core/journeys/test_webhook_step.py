"""The step that calls another system: one delivery for each run, and what follows its end."""

from datetime import timedelta
from typing import Any

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.run_id import run_id
from core.journeys.runs.batch import Result
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.moving import asked, stand_on
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.factories.webhooks import a_subscription

pytestmark = pytest.mark.usefixtures("clean_slate")

URL = "http://127.0.0.1:9009/hooks"
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


def a_call(**config: Any) -> dict[str, Any]:
    """A step that posts a body."""
    return {
        "tipo": "webhook",
        "config": {"url": URL, "corpo": {"motivo": "carrinho"}, **config},
    }


async def test_each_run_is_one_delivery_under_the_subscription_of_the_address() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}, {}])
    listening = await a_subscription(caller, URL, events=["journey.called"])
    await a_subscription(caller, "http://127.0.0.1:9009/other")
    program = await a_running_journey(caller, **in_a_row(a_call()))
    runs = await stand_on(program, 1, ids)

    outcomes = await asked(program, 1, runs, at=now())

    assert [outcome.result for outcome in outcomes] == [Result.WENT_ON] * 2
    rows = await db.fetch(
        "SELECT d.id, d.subscription_id, d.status, d.due_at, e.type, e.data FROM webhook_deliveries d "
        "JOIN webhook_events e ON e.id = d.event_id WHERE d.organization_id = $1",
        caller.organization_id,
    )
    by_contact = {row["data"]["contactId"]: row for row in rows}
    assert [by_contact[id]["id"] for id in ids] == [one.facts["deliveryId"] for one in outcomes if one.facts]  # fmt: skip
    assert {row["subscription_id"] for row in rows} == {listening["webhook"]["id"]}
    assert by_contact[ids[0]]["data"] == {
        "env": "test",
        "journeyId": program.version_id,
        "stepId": "s0",
        "journeyRunId": run_id(runs[0].id),
        "contactId": ids[0],
        "corpo": {"motivo": "carrinho"},
    }
    again = await asked(program, 1, runs, at=now(), returned=True)
    assert [outcome.result for outcome in again] == [Result.WENT_ON] * 2
    assert await db.fetchval("SELECT count(*) FROM webhook_events") == 2


async def test_an_address_without_a_subscription_gets_one_that_listens_to_nothing() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    program = await a_running_journey(caller, **in_a_row(a_call(), a_call(corpo=None)))
    (run,) = await stand_on(program, 1, ids)

    await asked(program, 1, [run], at=now())
    run.seq += 1
    await asked(program, 2, [run], at=now())

    (made,) = await db.fetch("SELECT * FROM webhook_subscriptions")
    assert (made["events"], made["status"], made["pii_full"]) == ([], "active", False)
    assert (
        await db.fetchval("SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL") == 2
    )


@pytest.mark.parametrize(
    ("status", "way"), [("entregue", "seOk"), ("morta", "seFalhar"), ("retida", "seFalhar")]
)
async def test_a_run_waits_for_the_end_of_its_delivery(status: str, way: str) -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    step = a_call(seOk="s1", seFalhar="s2")
    fim = {"tipo": "saida", "config": {}}
    steps = in_a_row(step, fim, fim)
    for one in steps["passos"]:
        one.pop("proximo", None)
    program = await a_running_journey(caller, **steps)
    (run,) = await stand_on(program, 1, ids)
    at = now()
    (waits,) = await asked(program, 1, [run], at=at)
    assert (waits.result, waits.due_at) == (Result.WAITS, at + 5 * SECOND)

    (again,) = await asked(program, 1, [run], at=at + 3 * HOUR, returned=True)
    assert (again.result, again.due_at) == (Result.WAITS, at + 4 * HOUR)
    await db.execute("UPDATE webhook_deliveries SET status = $1, due_at = NULL", status)
    (goes,) = await asked(program, 1, [run], at=at + 4 * HOUR, returned=True)

    assert (goes.result, goes.way) == (Result.WENT_ON, way)


async def test_a_delivery_that_is_never_made_is_given_up() -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}])
    fim = {"tipo": "saida", "config": {}}
    program = await a_running_journey(caller, **in_a_row(a_call(seFalhar="s1"), fim))
    (run,) = await stand_on(program, 1, ids)
    at = now()
    await asked(program, 1, [run], at=at)
    await db.execute("UPDATE webhook_deliveries SET due_at = NULL")

    (goes,) = await asked(program, 1, [run], at=at + 72 * HOUR + SECOND, returned=True)

    assert goes.way == "seFalhar"
