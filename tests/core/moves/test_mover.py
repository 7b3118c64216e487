"""A move as a whole: under writes, broken off at each of its steps, undone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

import asyncpg
import pytest

from core.cells.move import gate
from core.cells.move.errors import AlreadyThere, CannotBeUndone
from core.cells.move.models import GateState, MoveStep
from core.cells.move.notes import move_of
from core.cells.move.tables import MovedTable
from core.foundation import settings
from core.foundation.clock import real_now
from core.foundation.database import db
from core.moves import mover, tables
from core.moves.mover import Mover, Pauses, Tell
from tests.core.moves.conftest import Both, connected
from tests.core.moves.rows import fill, rows_of
from tests.support.books import Connection
from tests.support.waiting import eventually

MOVING, STAYING = "org_moving", "org_staying"
AT_ONCE = Pauses(draining=0, closing=0, gone=0)
WHILE = timedelta(minutes=1)
OPEN_GATES = """
SELECT count(*) FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
WHERE tgname LIKE 'svc_gate%' AND c.relnamespace = current_schema()::text::regnamespace
"""


FEW = (
    "organizations", "messages", "journey_runs", "journey_trail", "webhook_feed", "webhook_feed_queue", "unheld_blobs"
)  # fmt: skip
"""Tables that are moved here: all of them are elsewhere, and take their time."""


class Broken(Exception):
    """The process ended there."""


class Placed(NamedTuple):
    """Two cells with an organization that moves, one that stays, and where the directory says it is."""

    both: Both
    moved: list[MovedTable]
    lives_in: list[str]

    async def mover(self, *, tell: Tell = lambda *_: None) -> Mover:
        """As it is made after a process ended: it goes on from what is noted."""
        row = await db.fetchrow("SELECT * FROM organization_moves ORDER BY id DESC LIMIT 1")
        assert row is not None

        async def switch() -> None:
            self.lives_in.append("target")

        return Mover(
            move_of(row),
            self.both.left,
            self.both.entered,
            switch=switch,
            tell=tell,
            pauses=AT_ONCE,
        )


@pytest.fixture
async def placed(both: Both, monkeypatch: pytest.MonkeyPatch) -> Placed:
    """A move is noted, and nothing of it done."""
    found = await tables.moved_tables(both.source)
    moved = [table for table in found if table.name in FEW]

    async def few(connection: Connection) -> list[MovedTable]:
        return moved

    monkeypatch.setattr(mover, "moved_tables", few)
    for whose in (MOVING, STAYING):
        await fill(both.source, moved, whose, rows=3)
    await db.execute(
        "INSERT INTO closed_hours (id, closed_until) VALUES (1, now()) ON CONFLICT DO NOTHING"
    )
    await begin()
    return Placed(both, moved, ["source"])


async def begin() -> None:
    await db.execute(
        "INSERT INTO organization_moves (organization_id, source, target, step, began_at, changed_at) "
        "VALUES ($1, 'main', 'south', 'preparing', $2, $2)",
        MOVING,
        real_now(),
    )


def breaking_at(place: int, told: list[str]) -> Tell:
    """Notes what it is told, and ends the process at the so manieth time."""

    def tell(what: str, _: int) -> None:
        told.append(what)
        if len(told) == place:
            raise Broken(what)

    return tell


async def test_a_move_broken_off_anywhere_is_resumed_or_undone(placed: Placed) -> None:
    both, moved = placed.both, placed.moved
    whole = await rows_of(both.source, moved, MOVING)
    told: list[str] = []
    await (await placed.mover(tell=breaking_at(0, told))).move()
    places = [
        1 + told.index(what) for what in dict.fromkeys(told) if "_" not in what or what in STEPS
    ]
    places += [1 + told.index("messages"), 1 + told.index("removed messages")]
    assert {told[place - 1] for place in places} >= {*STEPS, "changed", "held", "opened"}
    assert await rows_of(both.target, moved, MOVING) == whole
    assert not any((await rows_of(both.source, moved, MOVING)).values())
    away = placed

    for place in places:
        away = Placed(Both(away.both.entered, away.both.left), moved, ["source"])
        await begin()
        moving = await away.mover(tell=breaking_at(place, []))
        with pytest.raises(Broken):
            await moving.move()
        moving = await away.mover()
        try:
            done = await moving.undo()
        except CannotBeUndone:
            assert (await moving.move()).step is MoveStep.DONE
            assert away.lives_in == ["source", "target"]
        else:
            assert done.step is MoveStep.UNDONE
            assert away.lives_in == ["source"]
            assert await rows_of(away.both.source, moved, MOVING) == whole
            assert not any((await rows_of(away.both.target, moved, MOVING)).values())
            await begin()
            with pytest.raises(Broken):
                await (await away.mover(tell=breaking_at(place, []))).move()
            assert (await (await away.mover()).move()).step is MoveStep.DONE
        assert await rows_of(away.both.target, moved, MOVING) == whole, place
        assert not any((await rows_of(away.both.source, moved, MOVING)).values())
        for side in away.both:
            assert await side.rows.fetchval(OPEN_GATES) == 0
            assert await side.rows.fetchval("SELECT count(*) FROM organization_gates") == 0
    assert len((await rows_of(both.source, moved, STAYING))["messages"]) == 3


STEPS = (
    "preparing", "copying", "catching_up", "draining", "closing", "switching", "switched", "removing"
)  # fmt: skip


BETWEEN = ("messages", "changed", "held", "opened", "removed messages")
"""Where it may end as well: some rows are copied, or removed, and what is done is not noted yet."""


@dataclass
class Writer:
    """Writes rows where the directory says, one after the other; what is refused it writes again."""

    placed: Placed
    addresses: dict[str, str]
    accepted: list[str] = field(default_factory=list)
    refused: int = 0
    stops: bool = False

    async def run(self, name: str) -> None:
        """Until it is told to stop."""
        number = 0
        async with (
            connected(self.addresses["source"]) as source,
            connected(self.addresses["target"]) as target,
        ):
            where = {"source": source, "target": target}
            while not self.stops:
                id = f"{name}_{number}"
                try:
                    await where[self.placed.lives_in[-1]].execute(
                        "INSERT INTO unheld_blobs (key, organization_id, env, due_at) "
                        "VALUES ($1, $2, 'test', now())",
                        id,
                        MOVING,
                    )
                except asyncpg.LockNotAvailableError:
                    self.refused += 1
                    await asyncio.sleep(0.01)
                else:
                    self.accepted.append(id)
                    number += 1


@asynccontextmanager
async def writing(placed: Placed, target: str) -> AsyncIterator[Writer]:
    writer = Writer(placed, {"source": settings.current().database_url, "target": target})
    async with asyncio.TaskGroup() as group:
        for name in ("lst_a", "lst_b", "lst_c"):
            group.create_task(writer.run(name))
        try:
            yield writer
        finally:
            writer.stops = True


async def test_what_is_accepted_while_it_moves_is_there_once(
    placed: Placed, second_database: str
) -> None:
    async with writing(placed, second_database) as writer:
        await eventually(lambda: len(writer.accepted) > 20, "it writes")
        moved = await (await placed.mover()).move()
        after = len(writer.accepted)
        await eventually(lambda: len(writer.accepted) > after + 20, "it goes on writing")

    rows = await placed.both.target.fetch(
        "SELECT key FROM unheld_blobs WHERE organization_id = $1 AND key LIKE 'lst%'", MOVING
    )
    assert sorted(row["key"] for row in rows) == sorted(writer.accepted)
    assert moved.step is MoveStep.DONE
    assert moved.writes_waited_ms is not None
    assert not any((await rows_of(placed.both.source, placed.moved, MOVING)).values())


async def test_a_migration_meanwhile_begins_it_anew(
    placed: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, moved = placed.both, placed.moved
    whole = await rows_of(both.source, moved, MOVING)
    told: list[str] = []

    def tell(what: str, _: int) -> None:
        told.append(what)

    async def known(connection: Connection) -> list[MovedTable]:
        return moved if "draining" in told else moved[:-1]

    monkeypatch.setattr(mover, "moved_tables", known)
    assert (await (await placed.mover(tell=tell)).move()).step is MoveStep.DONE
    assert told.count("preparing") == told.count("draining") == 2
    assert await rows_of(both.target, moved, MOVING) == whole


async def test_one_that_goes_on_has_a_gate_on_every_table(
    placed: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved, told = placed.moved, []

    async def fewer(connection: Connection) -> list[MovedTable]:
        return moved[:-1]

    with monkeypatch.context() as patched:
        patched.setattr(mover, "moved_tables", fewer)
        with pytest.raises(Broken):
            await (await placed.mover(tell=breaking_at(2, []))).move()
    done = await (await placed.mover(tell=lambda what, _: told.append(what))).move()
    assert done.step is MoveStep.DONE
    assert told[0] == "preparing"


async def test_the_gate_leaves_everybody_else_alone(placed: Placed) -> None:
    source, target = placed.both.source, placed.both.target
    await gate.set_gate(target, MOVING, GateState.ARRIVING)
    for side in placed.both:
        await gate.put_up(side.schema, placed.moved, MOVING)
        await gate.put_up(side.schema, placed.moved, MOVING)
    touch = "UPDATE messages SET coins = coins + 1 RETURNING organization_id"
    assert {row["organization_id"] for row in await source.fetch(touch)} == {MOVING, STAYING}
    await gate.set_gate(source, MOVING, GateState.CLOSED, within=WHILE)
    with pytest.raises(asyncpg.LockNotAvailableError):
        await source.fetch(touch)
    with pytest.raises(asyncpg.LockNotAvailableError):
        await source.execute("DELETE FROM messages WHERE organization_id = $1", MOVING)
    staying = f"{touch.split(' RETURNING', maxsplit=1)[0]} WHERE organization_id = '{STAYING}'"
    assert await source.execute(staying) == "UPDATE 3"
    queued = await source.fetch("DELETE FROM webhook_feed_queue RETURNING organization_id")
    assert {row["organization_id"] for row in queued} == {STAYING}
    await fill(target, [one for one in placed.moved if one.name == "messages"], MOVING, rows=2)
    assert await target.fetch(touch) == []
    assert await target.execute("DELETE FROM messages") == "DELETE 0"

    async with connected(settings.current().database_url) as slow:
        await gate.open_gate(source, MOVING)
        open = slow.transaction()
        await open.start()
        await slow.execute(touch)
        await gate.set_gate(source, MOVING, GateState.CLOSED, within=WHILE)
        assert not await gate.wait_for_writers(source, MOVING, seconds=0.05)
        await open.rollback()
        assert await gate.wait_for_writers(source, MOVING, seconds=5)
    await gate.set_gate(source, MOVING, GateState.CLOSED, within=-WHILE)
    assert not await gate.hold_closed(source, MOVING)
    assert await source.fetch(touch)
    for side in placed.both:
        await gate.take_down(side.schema, placed.moved, MOVING)


async def test_rows_that_are_there_already(placed: Placed) -> None:
    await fill(placed.both.target, placed.moved, MOVING, rows=1)
    with pytest.raises(AlreadyThere):
        await (await placed.mover()).move()
