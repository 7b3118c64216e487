"""The steps of a move, each of which is noted when it is done, and may be done again.

Until `switching` the source is the truth: what is in the target is a copy that nobody works with,
and undoing removes it. With `switching` the source is closed for good and the target is the truth:
the rest is finished, by whoever resumes.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import asyncpg

from core import messaging, organizations
from core.cells.move import gate, notes
from core.cells.move.copying import (
    Pair,
    arriving,
    catch_up,
    catch_up_at_last,
    copy_whole,
    moment,
)
from core.cells.move.errors import (
    AlreadyThere,
    CannotBeUndone,
    HoursDiffer,
    NotInTime,
    PlacedAnew,
    TablesChanged,
)
from core.cells.move.models import UNDOABLE, GateState, MoveStep
from core.cells.move.notes import Move
from core.cells.move.numbers import begin_block
from core.cells.move.sides import Side
from core.cells.move.tables import MovedTable
from core.cells.move.verify import rows_of, verify
from core.foundation.database.address import Connection
from core.foundation.database.cell import HOME, use_cell
from core.foundation.database.transactions import transaction
from core.moves.tables import moved_tables, must_be_alike

CLOSED_SECONDS = 5.0
"""How long writes wait at most; a round that does not end by then is given up, and tried again."""
IN_TIME_SECONDS = 4.0
"""By when the last rows have to be there."""
WRITERS_SECONDS = 2.0
"""How long transactions are waited for that write when the gate closes."""

DRAINING_SECONDS = 30.0
"""How long workers leave its rows alone, where whoever moves it has died."""

SMALL = 2_000
"""Rows that changed in the meantime: fewer are copied while writes wait."""
MAX_ROUNDS = 8
MAX_TRIES = 5
REMOVED_AT_ONCE = 5_000
ANALYZED_FROM = 5_000

GATED = (MoveStep.COPYING, MoveStep.CATCHING_UP, MoveStep.DRAINING, MoveStep.CLOSING)
"""Steps before which the gate was put up on all tables, and from which a move may begin anew."""

Tell = Callable[[str, int], None]
"""Takes what is being done, and of how many rows; it may raise, and the move stops there."""

Switch = Callable[[], Awaitable[None]]
"""Tells the directory where the organization lives, in a transaction of the home."""

Still = Callable[[], Awaitable[None]]
"""Raises AnotherMove where somebody else may move the organization by now."""


async def _always() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds that are waited so that others know: `draining` that workers leave the rows alone,
    `closing` that callers wait, `gone` that nobody asks the old cell any more.
    """

    draining: float = 5.0
    closing: float = 0.3
    gone: float = 15.0


class Mover:
    """Moves one organization: `move` goes on from the step that is noted, `undo` goes back."""

    def __init__(
        self,
        move: Move,
        source: Side,
        target: Side,
        *,
        switch: Switch,
        still: Still = _always,
        tell: Tell = lambda *_: None,
        pauses: Pauses = Pauses(),
    ) -> None:
        self.now = move
        self._source = source
        self._target = target
        self._pair = Pair(source.rows, target.rows, move.organization_id)
        self._switch = switch
        self._still = still
        self._tell = tell
        self._pauses = pauses
        self._tables: list[MovedTable] = []
        self._closed_at = 0.0
        self._there: dict[str, int] = {}
        """How many rows each table has in the target, when the gate closes."""

    async def move(self) -> Move:
        """Do what is left. Raises UnlikeTables, AlreadyThere, NotTheSame, HoursDiffer, NotInTime:
        then the organization works on in the cell where it was. Raises PlacedAnew, after which
        another goes on.
        """
        steps = {
            MoveStep.PREPARING: self._prepare,
            MoveStep.COPYING: self._copy,
            MoveStep.CATCHING_UP: self._catch_up,
            MoveStep.DRAINING: self._drain,
            MoveStep.CLOSING: self._close,
            MoveStep.SWITCHING: self._open_target,
            MoveStep.SWITCHED: self._leave,
            MoveStep.REMOVING: self._remove,
        }
        await self._look()
        await self._begin_anew_elsewhere()
        tries = 0
        while self.now.step in steps:
            was = self.now.step
            self._tell(was.value, self.now.rows or 0)
            try:
                await steps[was]()
            except asyncpg.PostgresError:
                await self._must_stay()
                raise
            except TablesChanged:
                await self._begin_anew(MoveStep.PREPARING)
            tries += was is MoveStep.CLOSING and self.now.step is MoveStep.CATCHING_UP
            if tries >= MAX_TRIES:
                raise NotInTime
        return self.now

    async def undo(self) -> Move:
        """Let the organization work where it is, and remove the copy. Raises CannotBeUndone."""
        if self.now.step not in UNDOABLE:
            raise CannotBeUndone
        await gate.open_gate(self._pair.source, self.now.organization_id)
        await self._note(step=MoveStep.UNDOING)
        self._tell(MoveStep.UNDOING.value, 0)
        # A migration may have run in one of the two alone: each has its own tables.
        self._tables = await moved_tables(self._pair.target)
        await self._remove_rows(self._pair.target)
        await gate.take_down(self._target.schema, self._tables, self.now.organization_id)
        own = await moved_tables(self._pair.source)
        await gate.take_down(self._source.schema, own, self.now.organization_id)
        await self._note(step=MoveStep.UNDONE, ended=True)
        return self.now

    async def _look(self) -> None:
        self._tables = await moved_tables(self._pair.source)
        must_be_alike(self._tables, await moved_tables(self._pair.target))

    async def _begin_anew_elsewhere(self) -> None:
        """What has changed since is not known where the rows are on another machine than then, nor
        who has written where no gate stands.
        """
        since = self.now.since
        if self.now.step in UNDOABLE and since is not None and not self._source.knows(since):
            await self._begin_anew(MoveStep.COPYING)
        elif self.now.step in GATED and not await self._gate_stands():
            await self._begin_anew(MoveStep.PREPARING)

    async def _gate_stands(self) -> bool:
        """Whether it stands on every table: one that a migration has made since has none."""
        return all(
            [
                await gate.stands(side.schema, self._tables, self.now.organization_id)
                for side in (self._source, self._target)
            ]
        )

    async def _begin_anew(self, step: MoveStep) -> None:
        await gate.open_gate(self._pair.source, self.now.organization_id)
        self.now = await notes.note_anew(self.now, step)

    async def _look_again(self) -> None:
        """Raises TablesChanged where a migration has run since; UnlikeTables where it did in one of
        the cells.
        """
        before = self._tables
        await self._look()
        if self._tables != before:
            raise TablesChanged

    async def _prepare(self) -> None:
        source, target, organization_id = (
            self._pair.source,
            self._pair.target,
            self.now.organization_id,
        )
        is_ours = await gate.is_noted(target, organization_id)
        if not is_ours and await organizations.has_all(target, [organization_id]):
            raise AlreadyThere
        await gate.set_gate(target, organization_id, GateState.ARRIVING)
        for side in (self._target, self._source):
            await gate.put_up(side.schema, self._tables, organization_id)
        await begin_block(self._target.schema, self._tables, self.now.id)
        await messaging.take_over_hours(source, target)
        await self._note(step=MoveStep.COPYING)

    async def _copy(self) -> None:
        async with moment(self._pair.source) as since:
            if self.now.since is None:
                await self._note(since=since)
            for table in self._tables:
                if table.name in self.now.copied:
                    continue
                async with arriving(self._pair.target):
                    # what was copied, and not noted any more
                    await self._remove_all(table)
                    rows = await copy_whole(self._pair, table)
                await self._note(copied=table.name, rows=(self.now.rows or 0) + rows)
                self._tell(table.name, rows)
                if rows >= ANALYZED_FROM:
                    await self._pair.target.execute(f"ANALYZE {table.name}")
        await self._note(step=MoveStep.CATCHING_UP)

    async def _catch_up(self) -> None:
        for _ in range(MAX_ROUNDS):
            await self._look_again()
            async with moment(self._pair.source) as later, arriving(self._pair.target):
                copied = await catch_up(self._pair, self._tables, since=self.now.since or 0)
                changed = copied.written + copied.removed
                rows = await verify(self._pair, self._tables) if changed < SMALL else None
            self._tell("changed", changed)
            await self._note(
                step=None if rows is None else MoveStep.DRAINING, since=later, rows=rows
            )
            if rows is not None:
                return
        raise NotInTime

    async def _drain(self) -> None:
        await gate.set_gate(
            self._pair.source,
            self.now.organization_id,
            GateState.DRAINING,
            within=timedelta(seconds=self._pauses.draining + DRAINING_SECONDS),
        )
        await asyncio.sleep(self._pauses.draining)
        self._there = await self._rows_there()
        await self._note(step=MoveStep.CLOSING)

    async def _close(self) -> None:
        """Copy the last rows while nobody writes; where that takes too long, let everybody write
        again and begin another round.
        """
        source, organization_id = self._pair.source, self.now.organization_id
        await self._look_again()
        there = self._there or await self._rows_there()
        self._closed_at = time.monotonic()
        try:
            await asyncio.sleep(self._pauses.closing)
            await gate.set_gate(
                source,
                organization_id,
                GateState.CLOSED,
                within=timedelta(seconds=CLOSED_SECONDS),
            )
            in_time = await gate.wait_for_writers(source, organization_id, seconds=WRITERS_SECONDS)
            in_time = in_time and await self._copy_the_last(there)
            in_time = in_time and await gate.hold_closed(source, organization_id)
        except BaseException:
            await self._reopen()
            raise
        if in_time:
            self._tell("held", 0)
            await self._note(step=MoveStep.SWITCHING)
        else:
            await self._reopen()

    async def _rows_there(self) -> dict[str, int]:
        return await rows_of(self._pair.target, self._tables, self.now.organization_id)

    async def _reopen(self) -> None:
        self._there = {}
        await self._still()  # who goes on in our place may have closed it for good
        await gate.open_gate(self._pair.source, self.now.organization_id)
        await self._note(step=MoveStep.CATCHING_UP)

    async def _copy_the_last(self, there: dict[str, int]) -> bool:
        """Answers whether it was done in time; else nothing of it is."""
        async with moment(self._pair.source) as later:
            attempt = self._pair.target.transaction()
            await attempt.start()
            done = False
            try:
                async with arriving(self._pair.target):
                    await self._pair.target.execute("SET LOCAL lock_timeout = '1s'")
                    rows = await catch_up_at_last(
                        self._pair, self._tables, since=self.now.since or 0, there=there
                    )
                    if not await messaging.have_same_hours(self._pair.source, self._pair.target):
                        raise HoursDiffer
                done = self._waited() <= IN_TIME_SECONDS
            finally:
                await (attempt.commit() if done else attempt.rollback())
        if done:
            await self._note(since=later, rows=rows)
        return done

    def _waited(self) -> float:
        return time.monotonic() - self._closed_at

    async def _open_target(self) -> None:
        await gate.open_gate(self._pair.target, self.now.organization_id)
        self._tell("opened", 0)
        waited = round(self._waited() * 1000) if self._closed_at else None
        with use_cell(HOME):
            async with transaction():
                await self._switch()
                await self._note(step=MoveStep.SWITCHED, writes_waited_ms=waited)

    async def _leave(self) -> None:
        await gate.set_gate(self._pair.source, self.now.organization_id, GateState.GONE)
        await asyncio.sleep(self._pauses.gone)
        await self._note(step=MoveStep.REMOVING)

    async def _remove(self) -> None:
        await self._remove_rows(self._pair.source)
        for side in (self._target, self._source):
            await gate.take_down(side.schema, self._tables, self.now.organization_id)
        await self._note(step=MoveStep.DONE, ended=True)

    async def _remove_rows(self, connection: Connection) -> None:
        """In portions; those whose owner another table names go first."""
        for table in sorted(self._tables, key=lambda table: not table.is_through):
            removed = REMOVED_AT_ONCE
            while removed >= REMOVED_AT_ONCE:
                async with arriving(connection):
                    tag = await connection.execute(
                        f"DELETE FROM {table.name} WHERE {table.portion(REMOVED_AT_ONCE)}",
                        self.now.organization_id,
                    )
                removed = int(tag.split()[-1])
            self._tell(f"removed {table.name}", removed)

    async def _remove_all(self, table: MovedTable) -> None:
        await self._pair.target.execute(
            f"DELETE FROM {table.name} WHERE {table.owner}", self.now.organization_id
        )

    async def _note(
        self,
        *,
        step: MoveStep | None = None,
        copied: str | None = None,
        since: int | None = None,
        rows: int | None = None,
        writes_waited_ms: int | None = None,
        ended: bool = False,
    ) -> None:
        await self._still()
        await self._must_stay()
        self.now = await notes.note(
            self.now,
            step=step,
            copied=copied,
            since=None if since is None else self._source.marked(since),
            rows=rows,
            writes_waited_ms=writes_waited_ms,
            ended=ended,
        )

    async def _must_stay(self) -> None:
        for side in (self._source, self._target):
            if not await side.stays():
                raise PlacedAnew
