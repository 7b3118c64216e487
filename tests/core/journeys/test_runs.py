from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.journeys.runs.enrol import enrol
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState
from core.journeys.runs.program import Program
from tests.factories.journeys import a_running_journey
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts

pytestmark = pytest.mark.usefixtures("clean_slate")

THESE = "SELECT unnest($1::text[]) AS contact_id"


async def states(program: Program) -> dict[int, int]:
    """How many runs there are in each state."""
    rows = await db.fetch(
        "SELECT state, count(*) AS runs FROM journey_runs WHERE version_id = $1 GROUP BY 1",
        program.version_id,
    )
    return {row["state"]: row["runs"] for row in rows}


async def test_contacts_enter_once_until_the_journey_lets_them_in_again() -> None:
    caller, stranger = await a_caller(), await a_caller()
    ids = await stored_contacts(caller, [{}] * 3)
    (foreign,) = await stored_contacts(stranger, [{}])
    once = await a_running_journey(caller)
    again = await a_running_journey(caller, reentrada="apos_concluir", intervaloReentradaHoras=24)
    at = now()
    for program in (once, again):
        assert await enrol(program, THESE, [[*ids, foreign, ids[0]]], at=at) == 3
        assert await enrol(program, THESE, [ids], at=at) == 0
        ended = await finish_runs(
            caller.organization_id, caller.env, "r.version_id = $7", [program.version_id],
            state=RunState.CANCELED, reason="teste", at=at,
        )  # fmt: skip
        assert ended == 3
        assert await enrol(program, THESE, [ids], at=at + timedelta(hours=23)) == 0
    late = at + timedelta(hours=24)

    assert await enrol(once, THESE, [ids], at=late) == 0
    assert await enrol(again, THESE, [ids], at=late) == 3

    assert await states(once) == {RunState.CANCELED: 3}
    assert await states(again) == {RunState.CANCELED: 3, RunState.ACTIVE: 3}
    keyed = "SELECT unnest($1::text[]) AS contact_id, unnest($2::text[]) AS consulta"
    keys = [[ids[0]] * 3, ["a", "b", "a"]]
    assert await enrol(once, keyed, keys, at=late, entry_key_sql="e.consulta") == 2
