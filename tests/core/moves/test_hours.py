"""Closed hours of the two cells of a move."""

from datetime import UTC, datetime

from core import messaging
from tests.core.moves.conftest import Both

HERE = datetime(2026, 11, 20, 10, tzinfo=UTC)
FURTHER = datetime(2026, 11, 20, 11, tzinfo=UTC)

CLOSE = "INSERT INTO closed_hours (id, closed_until) VALUES (1, $1)"
UNTIL = "SELECT closed_until FROM closed_hours"


async def test_a_cell_without_hours_takes_over_and_another_must_have_the_same(both: Both) -> None:
    source, target = both
    await messaging.take_over_hours(source.rows, target.rows)
    assert await target.rows.fetchval(UNTIL) is None
    assert await messaging.have_same_hours(source.rows, target.rows)

    await source.rows.execute(CLOSE, HERE)
    assert not await messaging.have_same_hours(source.rows, target.rows)
    await messaging.take_over_hours(source.rows, target.rows)
    assert await target.rows.fetchval(UNTIL) == HERE
    assert await messaging.have_same_hours(source.rows, target.rows)

    await source.rows.execute("UPDATE closed_hours SET closed_until = $1", FURTHER)
    await messaging.take_over_hours(source.rows, target.rows)
    assert await target.rows.fetchval(UNTIL) == HERE
    assert not await messaging.have_same_hours(source.rows, target.rows)
