"""Moving clocks: a worker takes a clock from one due instant to the next, until it is where it
goes.

The row of the clock is the truth: whoever dies on the way leaves it where it came, and the next
worker goes on from there once the lease has ended. All that a step does is taken out of its table
in the transaction that does it, so that nothing happens twice.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import structlog
from tortoise.expressions import F
from tortoise.queryset import QuerySet

from core.foundation.batches import Batches
from core.foundation.clock import clock_set_to, real_now
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction
from core.foundation.http_client import GuardedClient
from core.foundation.ids import random_base62
from core.foundation.moved_clocks import only_sandbox_of
from core.foundation.pauses import pause
from core.messaging.sandbox_dues import Drain
from core.sandbox_clock.announce import announce
from core.sandbox_clock.dues import NextDue, all_due, drains_of
from core.sandbox_clock.limits import LEASE, MAX_DUES, MAX_SECONDS
from core.sandbox_clock.models import ClockLimit, SandboxClock
from core.sandbox_clock.queries import hold_moved

log = structlog.get_logger()

POLL_SECONDS = 0.5
"""How soon a worker knows which sandboxes have a clock, and which of those has something to do."""
MAX_AT_ONCE = 4
"""Clocks that a worker moves at a time."""
FIRST_RETRY, LAST_RETRY = timedelta(seconds=1), timedelta(hours=1)
"""When what is due and could not be done is tried again, in the time of the sandbox; each time
after twice as long.
"""


class ClockMover:
    """Moves clocks until it is told to stop; then it leaves them to others."""

    def __init__(self, http: GuardedClient) -> None:
        self._http = http
        self._woken = asyncio.Event()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stops = False

    def wake(self) -> None:
        """A clock was set: look now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches | None = None) -> None:
        """Look again and again which clocks there are, and move those that have something to do."""
        try:
            while not stop.is_set():
                self._woken.clear()
                started, begun = time.perf_counter(), 0
                for id in await hold_moved():
                    if id not in self._tasks and len(self._tasks) < MAX_AT_ONCE:
                        self._begin(id)
                        begun += 1
                if batches is not None:
                    batches.done(begun, started=started)
                await pause(POLL_SECONDS, until=self._woken)
        finally:
            self._stops = True
            if self._tasks:
                await asyncio.wait(self._tasks.values())

    def _begin(self, id: int) -> None:
        task = asyncio.create_task(self._move(id), context=outside_transaction())
        self._tasks[id] = task
        task.add_done_callback(lambda _: self._tasks.pop(id, None))

    async def _move(self, id: int) -> None:
        try:
            await move_clock(id, self._http, stops=lambda: self._stops)
        except Exception:
            log.exception("clock_failed", clock=id)


async def move_clock(
    id: int, http: GuardedClient, *, stops: Callable[[], bool] = lambda: False
) -> None:
    """Move a clock as far as it goes now, unless another worker does so."""
    holder = random_base62(12)
    clock = await _lease(id, holder)
    if clock is None:
        return
    movement = _Movement(clock, holder, drains_of(http, clock.organization_id))
    try:
        while not stops() and await movement.step():
            pass
    finally:
        await _held(clock, holder).update(leased_to=None, lease_until=None)


class _Movement:
    """One worker on its way with one clock."""

    def __init__(self, clock: SandboxClock, holder: str, drains: Mapping[str, Drain]) -> None:
        self._clock = clock
        self._holder = holder
        self._drains = drains
        self._taken = 0
        """Of the last step; not in the row yet."""
        self._retries: dict[str, tuple[datetime, timedelta]] = {}

    async def step(self) -> bool:
        """Do what is due first. Answers whether there may be more."""
        clock = self._clock
        until = clock.instant_at(real_now()) if clock.target is None else clock.target
        due = self._first(await all_due(clock.organization_id))
        if due is None or due.at > until:
            await self._arrive(until)
            return False
        # A clock that goes by itself shows the present; one that is moved shows each instant on its way.
        at = until if clock.target is None else max(due.at, clock.instant)
        if not await self._stand_at(at):
            return False
        with only_sandbox_of(clock.organization_id), clock_set_to(at):
            self._taken = await self._drains[due.name](at=at)
        self._note(due, at)
        return True

    def _first(self, dues: list[NextDue]) -> NextDue | None:
        """What is done next: what could not be done has to wait."""
        waiting = [
            NextDue(one.name, max(one.at, self._retries[one.name][0]))
            if one.name in self._retries
            else one
            for one in dues
        ]
        return min(waiting, key=lambda one: one.at, default=None)

    def _note(self, due: NextDue, at: datetime) -> None:
        if self._taken:
            self._retries.pop(due.name, None)
            return
        _, wait = self._retries.get(due.name, (at, FIRST_RETRY / 2))
        wait = min(wait * 2, LAST_RETRY)
        self._retries[due.name] = (at + wait, wait)

    async def _stand_at(self, at: datetime) -> bool:
        """Write down how far the clock has come. False: it is somebody else's by now, was set anew,
        or has met a limit.
        """
        clock = self._clock
        now = real_now()
        if clock.target is not None and clock.advanced_at is not None:
            applied = clock.applied + self._taken
            over = applied >= MAX_DUES
            if over or (now - clock.advanced_at).total_seconds() >= MAX_SECONDS:
                limit = ClockLimit.DUES if over else ClockLimit.TIME
                await self._end(clock.instant, limit)
                return False
        moved = clock.target is not None
        row = await db.fetchrow(
            STAND,
            clock.id,
            self._holder,
            at if moved else None,
            self._taken,
            now + LEASE,
            clock.set_at,
        )
        self._taken = 0
        if row is None:
            return False
        clock.instant, clock.applied = row["instant"], row["applied"]
        if moved:
            await announce(clock.organization_id)
        return True

    async def _arrive(self, until: datetime) -> None:
        if self._clock.target is not None:
            await self._end(until, None)
        elif self._taken:
            await self._stand_at(until)

    async def _end(self, instant: datetime, limit: ClockLimit | None) -> None:
        clock = self._clock
        at = real_now()
        await (
            _held(clock, self._holder)
            .filter(target__isnull=False)
            .update(
                instant=instant,
                applied=F("applied") + self._taken,
                set_at=at,
                target=None,
                limited_by=limit,
                updated_at=at,
            )
        )
        self._taken = 0
        await announce(clock.organization_id)
        log.info("clock_moved", clock=clock.id, limit=limit)


def _held(clock: SandboxClock, holder: str) -> QuerySet[SandboxClock]:
    """The row of the clock, while this holder may move it."""
    return SandboxClock.filter(id=clock.id, organization_id=clock.organization_id, leased_to=holder)


async def _lease(id: int, holder: str) -> SandboxClock | None:
    at = real_now()
    if not await db.execute(TAKE, id, holder, at, at + LEASE):
        return None
    return await SandboxClock.get_or_none(id=id)


TAKE = """
UPDATE sandbox_clocks SET leased_to = $2, lease_until = $4
WHERE id = $1 AND (lease_until IS NULL OR lease_until <= $3) AND (NOT is_frozen OR target IS NOT NULL)
"""

STAND = """
UPDATE sandbox_clocks SET instant = coalesce($3, instant), applied = applied + $4, lease_until = $5
WHERE id = $1 AND leased_to = $2 AND set_at = $6
RETURNING instant, applied
"""
