"""`svc org move`: an organization that sends all the while, its money, its feed and its keys."""

import asyncio
import contextvars
from dataclasses import dataclass, field, replace

import asyncpg
import pytest

from core import (
    cells,
    organizations,
    partitions,
    sms,
    wallet,
    webhooks,
)
from core.cells.move import MoveStep, OrganizationMoves, moves_under_way
from core.cells.move.notes import Move
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db, schema
from core.foundation.database.availability import DatabaseAway
from core.foundation.security.caller import Caller, Limits
from core.moves import MoveRefused, move_organization, undo_move
from core.moves.mover import Pauses
from core.webhooks.events.feed_positions import assign_positions
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.scaling.flows import proven
from tests.support.waiting import eventually

QUICK = Pauses(draining=0.3, closing=0.1, gone=0.3)


@dataclass
class Sender:
    """Sends under one key after the other, as an entry point does: what is refused it sends again."""

    caller: Caller
    accepted: dict[str, str] = field(default_factory=dict)
    refused: int = 0
    stops: bool = False

    async def run(self, name: str) -> None:
        """Until it is told to stop."""
        number = 0
        while not self.stops:
            key = f"{name}-{number}"
            try:
                sent = await asyncio.create_task(self._send(key), context=contextvars.Context())
            except (DatabaseAway, asyncpg.LockNotAvailableError):
                self.refused += 1
                await asyncio.sleep(0.02)
            else:
                self.accepted[key] = sent
                number += 1

    async def _send(self, key: str) -> str:
        cells.enter_cell(await cells.cell_of(self.caller.organization_id))
        await cells.wait_to_write(self.caller.organization_id)
        return str((await a_send(self.caller, key=key))["id"])


async def told(caller: Caller, cursor: str | None = None) -> tuple[list[str], str]:
    """What the feed tells behind a cursor, and the next one."""
    page = webhooks.FeedPage(cursor=cursor, limit=200)
    ids: list[str] = []
    while True:
        answer = await webhooks.read_feed(caller, page)
        ids += [item["id"] for item in answer["items"]]
        if not answer["hasMore"]:
            return ids, answer["nextCursor"]
        page = webhooks.FeedPage(cursor=answer["nextCursor"], limit=200)


async def sent_by(caller: Caller) -> list[str]:
    """The messages of the caller in the current cell; the total that is kept agrees with them."""
    page = await sms.list_messages(caller, sms.SmsFilter.model_validate({"limit": 1}))
    rows = await db.fetch(
        "SELECT id FROM messages WHERE organization_id = $1", caller.organization_id
    )
    assert page["total"] == len(rows)
    return [row["id"] for row in rows]


async def in_order() -> None:
    """Let the feed of the current cell be numbered to its end."""
    while await assign_positions(at=now()):
        pass


async def reported() -> None:
    """Let every message of the current cell have its report, and its place in the feed."""
    while await sms.apply_due_reports(at=now().replace(year=2098)):
        pass
    await in_order()


async def moved_while_it_sends(
    caller: Caller, cell: str, names: tuple[str, str] = ("a", "b")
) -> tuple[Move, Sender]:
    """Move it; it sends before, meanwhile and after."""
    sender = Sender(replace(caller, limits=Limits(sms_per_second=5_000)))
    async with asyncio.TaskGroup() as group:
        for name in names:
            group.create_task(sender.run(name))
        try:
            await eventually(lambda: len(sender.accepted) > 5, "it sends")
            moved = await move_organization(caller.organization_id, cell, pauses=QUICK)
            after = len(sender.accepted)
            await eventually(lambda: len(sender.accepted) > after + 5, "it goes on sending")
        finally:
            sender.stops = True
    return moved, sender


async def test_an_organization_that_sends_all_the_while(
    south: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.cells.directory.CELLS_SECONDS", 0.05)
    caller, neighbour = await a_caller("test"), await a_caller("test")
    key = await a_key("test", organization_id=caller.organization_id)
    for one in (caller, neighbour):
        await a_send(one, key="before")
    await reported()
    early, halfway = await told(caller)

    moved, sender = await moved_while_it_sends(caller, south.name)
    assert moved.step is MoveStep.DONE
    assert moved.writes_waited_ms is not None
    assert await sent_by(caller) == []
    assert len(await sent_by(neighbour)) == 1
    await proven(neighbour)
    assert await cells.cell_of(caller.organization_id) == south
    with cells.use_cell(south):
        stored = await sent_by(caller)
        assert len(stored) == len(sender.accepted) + 1
        assert set(stored) > set(sender.accepted.values())
        again = await a_send(caller, key="a-0")
        assert (again["id"], again["replayed"]) == (sender.accepted["a-0"], True)
        await reported()
        await wallet.sum_days()
        await proven(caller)
        whole, behind = (await told(caller))[0], (await told(caller, halfway))[0]
        assert whole == [*early, *behind]
        assert len(set(whole)) == len(whole)
        assert len(whole) == await db.fetchval("SELECT count(*) FROM webhook_events")
    await known_there(key, south)

    await move_organization(caller.organization_id, "main", pauses=QUICK)
    with cells.use_cell(cells.HOME):
        assert set(await sent_by(caller)) == set(stored)
        assert (await told(caller, halfway))[0] == behind
        await a_send(caller)
        await reported()
        assert len((await told(caller, halfway))[0]) == len(behind) + 1
        await proven(caller)


async def known_there(key: str, cell: cells.Cell) -> None:
    """The key leads there, and the organization is not moved there again."""
    known = await organizations.authenticate(key, request_id=None)
    assert cells.current() == cell
    with pytest.raises(MoveRefused, match=f"lives in {cell.name} already"):
        await move_organization(known.organization_id, cell.name, pauses=QUICK)
    with pytest.raises(MoveRefused, match="not being moved"):
        await undo_move(known.organization_id)


async def test_where_nobody_is_moved(south: cells.Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller("test")
    id = caller.organization_id
    await cells.set_cell_state(south.name, cells.CellState.DRAINING)
    with pytest.raises(cells.CellDrains):
        await move_organization(id, south.name, pauses=QUICK)
    await cells.set_cell_state(south.name, cells.CellState.OPEN)
    with monkeypatch.context() as patched:
        patched.setattr("core.moves.able.MIGRATIONS", "SELECT random()::text")
        with pytest.raises(MoveRefused, match="same migrations"):
            await move_organization(id, south.name, pauses=QUICK)
    for name in ("north", "x" * 10_000, "south'; DROP TABLE cells --"):
        with pytest.raises(cells.NoSuchCell):
            await move_organization(id, name, pauses=QUICK)
    assert await db.fetchval("SELECT count(*) FROM organization_moves") == 0


async def test_tables_of_a_cell_are_not_changed_while_somebody_moves(south: cells.Cell) -> None:
    id, told = (await a_caller("test")).organization_id, list[str]()

    class BrokenOffError(Exception):
        pass

    def break_off(what: str, _: int) -> None:
        if what == "copying":
            raise BrokenOffError

    assert south.url is not None
    async with schema.runner_on(south.url, waiting=told.append):
        with pytest.raises(MoveRefused, match="tables of the cell south are being changed"):
            await move_organization(id, south.name, pauses=QUICK)
    assert await moves_under_way(settings.current().database_url) == []

    with pytest.raises(BrokenOffError):
        await move_organization(id, south.name, tell=break_off, pauses=QUICK)
    async with schema.runner_on(south.url, waiting=told.append) as (runner, catalog):
        with pytest.raises(OrganizationMoves):
            await anext(partitions.enable(runner, catalog))

    def hold(what: str, _: int) -> None:
        if what == "closing":
            changes.append(asyncio.create_task(change()))

    async def change() -> None:
        async with schema.runner_on(south.url or "", waiting=told.append):
            assert await moves_under_way(settings.current().database_url) == []

    changes: list[asyncio.Task[None]] = []
    assert not told
    moved = await move_organization(id, south.name, tell=hold, pauses=QUICK)
    assert moved.step is MoveStep.DONE
    await changes[0]
    assert "a move of an organization" in told[0]


async def test_one_process_moves_it_as_long_as_it_holds_the_lock(south: cells.Cell) -> None:
    caller = await a_caller("test")
    told: list[str] = []

    def cut(what: str, _: int) -> None:
        told.append(what)
        if what == "draining":
            asyncio.get_running_loop().create_task(db.execute(CUT_THE_LOCK, caller.organization_id))

    first = asyncio.create_task(
        move_organization(caller.organization_id, south.name, tell=cut, pauses=QUICK)
    )
    await eventually(lambda: "copying" in told, "it copies")
    with pytest.raises(MoveRefused, match="another process"):
        await move_organization(caller.organization_id, south.name, pauses=QUICK)
    with pytest.raises(MoveRefused, match="lock was cut off"):
        await first
    assert await moves_under_way(settings.current().database_url) == [caller.organization_id]
    moved = await move_organization(caller.organization_id, south.name, pauses=QUICK)
    assert moved.step is MoveStep.DONE
    assert await moves_under_way(settings.current().database_url) == []


CUT_THE_LOCK = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1
  AND (classid::bigint << 32 | objid::bigint) = hashtextextended('move of ' || $1::text, 0)
"""
