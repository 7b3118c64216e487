"""An organization moves between cells that Citus has placed, and a plain one, while it sends.

They run where the tests have a cluster (`make test-citus`).
"""

from dataclasses import dataclass

import pytest

from core import cells, wallet
from core.cells.move import MoveStep, OrganizationMoves, gate
from core.foundation import settings
from core.foundation.database import db
from core.foundation.database.bounded_pool import MIGRATION
from core.foundation.security.caller import Caller
from core.moves import move_organization
from core.moves.tables import moved_tables
from core.operations import places
from tests.core.moves.test_operate import (
    QUICK,
    moved_while_it_sends,
    reported,
    sent_by,
    told,
)
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.scaling.flows import proven
from tests.support import citus
from tests.support.two_cells import plain_database, second_database, south, west

__all__ = ["plain_database", "second_database", "south", "west"]

pytestmark = [
    pytest.mark.skipif(citus.home() is None, reason="SVC_TEST_CITUS names no cluster"),
    pytest.mark.usefixtures("real_commits"),
]


@dataclass
class Customer:
    """Who moves, and what was told and answered so far."""

    caller: Caller
    stored: set[str]
    events: list[str]
    cursor: str

    async def moves(self, source: cells.Cell, target: cells.Cell) -> None:
        """It moves while it sends; all of it is there, told once, and in order."""
        names = (f"{target.name}-a", f"{target.name}-b")
        moved, sender = await moved_while_it_sends(self.caller, target.name, names)
        assert moved.step is MoveStep.DONE
        assert moved.writes_waited_ms is not None
        with cells.use_cell(source):
            assert await sent_by(self.caller) == []
        with cells.use_cell(target):
            stored = await sent_by(self.caller)
            assert len(stored) == len(self.stored) + len(sender.accepted)
            self.stored |= set(sender.accepted.values())
            assert set(stored) == self.stored
            again = await a_send(self.caller, key=f"{names[0]}-0")
            assert (again["id"], again["replayed"]) == (sender.accepted[f"{names[0]}-0"], True)
            await reported()
            await wallet.sum_days()
            await proven(self.caller)
            behind, cursor = await told(self.caller, self.cursor)
            self.events, self.cursor = [*self.events, *behind], cursor
            assert (await told(self.caller))[0] == self.events
            assert len(set(self.events)) == len(self.events)
            counted = await db.fetchval("SELECT count(*) FROM webhook_events")
            assert counted == len(self.events)


async def test_into_a_plain_cell_and_back(
    west: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.cells.directory.CELLS_SECONDS", 0.05)
    customer = await a_customer()
    await customer.moves(cells.HOME, west)
    await customer.moves(west, cells.HOME)


async def test_into_another_placed_cell_and_back(
    south: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.cells.directory.CELLS_SECONDS", 0.05)
    customer = await a_customer()
    await customer.moves(cells.HOME, south)
    await customer.moves(south, cells.HOME)


async def a_customer() -> Customer:
    """Who has sent a message in the home."""
    caller = await a_caller("test")
    sent = await a_send(caller, key="before")
    await reported()
    return Customer(caller, {sent["id"]}, *await told(caller))


async def test_citus_moves_the_cell_while_the_organization_leaves_it(west: cells.Cell) -> None:
    caller = await a_caller("test")
    sent = {(await a_send(caller, key=str(number)))["id"] for number in range(3)}
    schema, host, port = await another_machine()
    said: list[str] = []

    def tell(what: str, _: int) -> None:
        said.append(what)
        if what == "messages" and said.count(what) == 1:
            cluster = citus.running()
            assert cluster is not None
            cluster.sql(f"SELECT citus_schema_move('{schema}', '{host}', {port})")

    moved = await move_organization(caller.organization_id, west.name, tell=tell, pauses=QUICK)

    assert moved.step is MoveStep.DONE
    assert said.count("copying") == said.count("messages") == 2
    assert await sent_by(caller) == []
    with cells.use_cell(west):
        assert set(await sent_by(caller)) == sent
        await proven(caller)


async def another_machine() -> tuple[str, str, int]:
    """The schema of the home, and host and port of a machine that it is not on; while an organization moves, svc
    cell place moves it to none.
    """
    async with db.connected_apart(settings.current().database_url, bounds=MIGRATION) as connection:
        before = await places.place_of(connection)
        free = await connection.fetchrow(
            "SELECT nodename, nodeport FROM pg_dist_node "
            "WHERE shouldhaveshards AND nodename || ':' || nodeport <> $1 LIMIT 1",
            before.machine,
        )
        assert free is not None
        some = (await moved_tables(connection))[:1]
        await gate.put_up(connection, some, "org_moving")
        with pytest.raises(OrganizationMoves):
            await places.move(connection, *free)
        await gate.take_down(connection, some, "org_moving")
    return before.schema, *free
