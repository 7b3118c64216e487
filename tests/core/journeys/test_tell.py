"""Webhooks hear of journeys where they listen: of each contact, or of many at once how many."""

from typing import Any

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState
from tests.factories.journeys import a_running_journey, enrolled
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.factories.webhooks import a_subscription

pytestmark = pytest.mark.usefixtures("clean_slate")


async def told(type: str) -> list[dict[str, Any]]:
    rows = await db.fetch("SELECT data FROM webhook_events WHERE type = $1", type)
    return [row["data"] for row in rows]


async def test_nothing_is_written_where_nobody_listens() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_subscription(caller, events=["journey.paused"])
    await a_subscription(other, events=["journey.entered"])

    await enrolled(await a_running_journey(caller), await stored_contacts(caller, [{}]))

    assert await told("journey.entered") == []


async def test_contacts_are_told_of_one_by_one_or_all_at_once() -> None:
    caller = await a_caller()
    await a_subscription(caller, events=["journey.entered", "journey.completed"])
    program, alone = await a_running_journey(caller), await a_running_journey(caller)
    contacts = await stored_contacts(caller, [{}] * 101)

    await enrolled(program, contacts)
    (run,) = await enrolled(alone, contacts[:1])
    ended = await finish_runs(
        caller.organization_id, caller.env, "true", state=RunState.DONE, reason="meta", at=now()
    )
    await enrolled(alone, contacts[1:2])
    await finish_runs(
        caller.organization_id, caller.env, "true", state=RunState.CANCELED, reason="x", at=now()
    )

    many, one, _ = await told("journey.entered")
    assert (many["journeyId"], many["quantidade"]) == (program.version_id, 101)
    assert {"journeyRunId", "contactId"}.isdisjoint(many)
    assert (one["quantidade"], one["journeyRunId"], one["contactId"]) == (1, run, contacts[0])
    assert ended == 102
    completed = {data["journeyId"]: data for data in await told("journey.completed")}
    assert completed[program.version_id]["quantidade"] == 101
    assert completed[alone.version_id]["journeyRunId"] == run
    assert completed[alone.version_id]["motivo"] == "meta"
