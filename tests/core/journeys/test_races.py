import asyncio

from core.foundation.database import db
from core.journeys.errors import MAX_JOURNEYS
from tests.factories.journeys import a_journey
from tests.factories.organizations import a_caller


async def test_the_limit_holds_for_journeys_that_come_together(real_commits: None) -> None:
    caller = await a_caller()
    first = await a_journey(caller)
    columns = "organization_id, env, name, trigger, reentry, steps, status, created_at, updated_at"
    await db.execute(
        f"INSERT INTO journeys (id, {columns}) "
        f"SELECT 'jor_' || n, {columns} FROM journeys, generate_series(1, {MAX_JOURNEYS - 2}) n WHERE id = $1",
        first["id"],
    )

    outcomes = await asyncio.gather(*(a_journey(caller) for _ in range(3)), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == [
        "TooManyJourneys",
        "TooManyJourneys",
        "dict",
    ]
