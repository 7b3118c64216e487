"""What workers do with rows of an organization that is moved: nothing."""

import asyncio
from datetime import timedelta

import pytest

from core import sandbox_clock, webhooks
from core.cells.move import gate
from core.cells.move.models import GateState
from core.foundation import http_client
from core.foundation.clock import now
from core.foundation.moved_clocks import may_drain, narrowed, unless_moved
from core.foundation.polling import PollingLoop
from core.moves import tables
from core.providers.push import open_services
from tests.core.moves.conftest import Both
from tests.core.moves.rows import fill
from workers import main as worker
from workers import tasks

CLAIM = "SELECT id FROM messages m WHERE true /* whose m. */ ORDER BY id"

BY_THE_REAL_TIME = "SELECT id FROM messages WHERE $1 /* unless moved */ ORDER BY id"


async def test_workers_leave_an_organization_alone_while_it_moves(both: Both) -> None:
    assert narrowed(CLAIM) == (CLAIM,)
    assert unless_moved(BY_THE_REAL_TIME, True) == (BY_THE_REAL_TIME, True)
    for state in (GateState.DRAINING, GateState.ARRIVING, GateState.CLOSED, GateState.GONE):
        await gate.set_gate(both.source, "org_moving", state)
        await sandbox_clock.hold_moved()
        statement, *values = narrowed(CLAIM)
        assert values == [[], ["org_moving"]]
        assert "m.organization_id <> ALL ($2::text[])" in statement
        assert await both.source.fetch(statement, *values) == []
        statement, *values = unless_moved(BY_THE_REAL_TIME, True)
        assert values == [True, ["org_moving"]]
        assert await both.source.fetch(statement, *values) == []
        assert not may_drain("org_moving", "live")
        assert may_drain("org_staying", "live")
    await gate.open_gate(both.source, "org_moving")
    await sandbox_clock.hold_moved()
    assert narrowed(CLAIM) == (CLAIM,)
    assert may_drain("org_moving", "live")


LATER = timedelta(days=400)
"""By then everything is due, and old."""


@pytest.mark.slow
@pytest.mark.parametrize("state", [GateState.CLOSED, GateState.ARRIVING])
async def test_no_job_of_a_worker_meets_the_gate(
    both: Both, state: GateState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row that may not be written would hold up those of everybody, for as long as it stays so."""
    monkeypatch.setattr(tasks, "now", lambda: now() + LATER)
    found = await tables.moved_tables(both.source)
    await fill(both.source, found, "org_moving", rows=2)
    await gate.put_up(both.left.schema, found, "org_moving")
    await gate.set_gate(both.source, "org_moving", state)
    await sandbox_clock.hold_moved()
    try:
        async with asyncio.timeout(120), open_services(webhooks.policy()) as services:
            http = http_client.open_client(webhooks.policy(), limit=10)
            for loop in worker._loops(http, services).values():
                if isinstance(loop, PollingLoop):
                    await loop._drain(at=now() + LATER)
                elif hasattr(loop, "round"):
                    await loop.round(at=now() + LATER)
            for job in tasks.CRON_JOBS:
                await job.coroutine({})
            await http.close()
    finally:
        await gate.take_down(both.left.schema, found, "org_moving")
        await sandbox_clock.hold_moved()
