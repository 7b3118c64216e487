"""What workers do with rows of an organization that is moved: nothing."""

from core import sandbox_clock
from core.cells.move import gate
from core.cells.move.models import GateState
from core.foundation.moved_clocks import may_drain, narrowed, unless_moved
from tests.core.cells.move.conftest import Both

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
