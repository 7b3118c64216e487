"""The worker's loop through minutes of trouble, without a clock or a database: nothing leaks,
nothing stays.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.foundation.http_client import GuardedClient
from core.webhooks import Dispatcher
from core.webhooks.delivery import dispatcher, in_flight
from core.webhooks.delivery.attempt import AttemptOutcome
from core.webhooks.delivery.claim import LEASE, DueDelivery
from core.webhooks.delivery.concurrency import AdaptiveConcurrencyLimiter
from core.webhooks.models import WebhookDeliveryStatus
from tests.support.timeless import Timeless
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

HANGS = 15.0
KINDS = ("quick", "quick", "quick", "slow", "fails", "hangs")


@dataclass
class Row:
    """A delivery as the database has it. `due_at`: None when it is over."""

    id: str
    subscription: str
    kind: str
    due_at: float | None = 0.0
    attempts: int = 0
    posts: list[float] = field(default_factory=list)


class World:
    """The database and the receivers, made up. While it is `away`, whatever needs the database
    fails now and then.
    """

    def __init__(self, seed: int, *, subscriptions: int = 12, deliveries: int = 300) -> None:
        self.draw = random.Random(seed)
        self.away = 0.0
        kinds = {f"wbh_{number}": self.draw.choice(KINDS) for number in range(subscriptions)}
        self.rows = {
            id: Row(id, subscription, kinds[subscription])
            for id, subscription in (
                (f"dlv_{n}", self.draw.choice(list(kinds))) for n in range(deliveries)
            )
        }
        self.failing = {name for name in kinds if self.draw.random() < 0.2}
        self.probed_at = dict.fromkeys(self.failing, 0.0)

    @property
    def clock(self) -> float:
        return asyncio.get_running_loop().time()

    def is_posted_to(self) -> bool:
        """Whether an attempt has begun."""
        return any(row.posts for row in self.rows.values())

    async def query(self) -> None:
        await asyncio.sleep(self.draw.choice([0, 0.001, 0.05]))
        if self.draw.random() < self.away:
            raise ConnectionError("the database is away")

    def _lease(self, row: Row, *, probe: bool = False) -> DueDelivery:
        row.due_at = self.clock + LEASE.total_seconds()
        given: dict[str, Any] = dict.fromkeys(DueDelivery.__dataclass_fields__)
        host = f"{row.kind}.example"
        given |= {
            "id": row.id,
            "subscription_id": row.subscription,
            "host": host,
            "attempts": row.attempts,
        }
        return DueDelivery(**{**given, "probe": probe})

    async def take(
        self,
        limiter: AdaptiveConcurrencyLimiter,
        hosts: AdaptiveConcurrencyLimiter,
        limit: int,
        *,
        scarce: bool,
    ) -> list[DueDelivery]:
        await self.query()
        taken: list[DueDelivery] = []
        in_flight_of: Counter[str] = Counter()
        for row in self.rows.values():
            host = f"{row.kind}.example"
            if (
                row.due_at is None
                or row.due_at > self.clock
                or row.subscription in self.failing
                or len(taken) >= limit
            ):
                continue
            if in_flight_of[row.subscription] < limiter.available(
                row.subscription, scarce=scarce
            ) and in_flight_of[host] < hosts.available(host, scarce=scarce):
                in_flight_of.update([row.subscription, host])
                taken.append(self._lease(row))
        await self.query()  # it may fail although the claim was committed
        return taken

    async def claim_probes(self, *, at: datetime, limit: int) -> list[DueDelivery]:  # noqa: ARG002 - as in `claim`
        await self.query()
        taken: list[DueDelivery] = []
        for subscription in sorted(self.failing):
            if self.probed_at[subscription] <= self.clock and len(taken) < limit:
                self.probed_at[subscription] = self.clock + 60
                oldest = [
                    row
                    for row in self.rows.values()
                    if row.subscription == subscription and row.due_at is not None
                ]
                taken += [self._lease(row, probe=True) for row in oldest[:1]]
        return taken

    async def attempt_delivery(
        self, _: GuardedClient, due: DueDelivery, *, at: datetime
    ) -> AttemptOutcome:
        row = self.rows[due.id]
        assert (
            row.due_at is None or row.due_at >= self.clock + HANGS or row.attempts > due.attempts
        ), "it would end after its lease"
        row.posts.append(self.clock)
        seconds = {"quick": 0.01, "slow": 2.0, "hangs": HANGS}.get(
            row.kind, 0.05
        ) * self.draw.uniform(0.5, 1)
        await asyncio.sleep(seconds)
        if self.draw.random() < 0.02:
            raise ValueError("a fault of ours")
        ok = row.kind in ("quick", "slow")
        return AttemptOutcome(
            due.id,
            due.organization_id,
            due.subscription_id,
            due.attempts,
            ok,
            WebhookDeliveryStatus.DELIVERED,
            None,
            200,
            1,
            None,
            at,
            due.probe,
        )

    async def save_outcomes(self, outcomes: Sequence[AttemptOutcome]) -> None:
        await self.query()
        for one in outcomes:
            row = self.rows[one.delivery_id]
            if row.due_at is None or row.attempts != one.attempts:
                continue
            if one.ok:
                self.failing.discard(row.subscription)
            row.attempts += 1
            row.due_at = None if one.ok or row.attempts == 3 else self.clock + 30
        await self.query()

    async def release_claims(self, claimed: Sequence[DueDelivery], *, at: datetime) -> None:  # noqa: ARG002 - as in `claim`
        await self.query()
        for one in claimed:
            row = self.rows[one.id]
            if row.due_at is not None and row.attempts == one.attempts:
                row.due_at = min(row.due_at, self.clock)


class MadeUpClaimer:
    """`DeliveryClaimer` of a world."""

    def __init__(
        self, world: World, limiter: AdaptiveConcurrencyLimiter, hosts: AdaptiveConcurrencyLimiter
    ) -> None:
        self._world, self._limits, self._hosts = world, limiter, hosts
        self.more = False

    async def claim(self, *, at: datetime, limit: int, scarce: bool = False) -> list[DueDelivery]:  # noqa: ARG002
        assert limit > 0
        return await self._world.take(self._limits, self._hosts, limit, scarce=scarce)

    def note_success(self, subscription_id: str) -> None:
        """Every address of a world is confirmed."""


class Watched(Dispatcher):
    """A dispatcher that can be asked whether it has let go of everything."""

    def holds_nothing(self) -> None:
        assert not self._outcomes
        assert not self._posters
        held = self._limiter
        assert not held.is_busy
        assert (held._slow, held._crowd, held._probes) == (0, 0, 0)
        assert not held.bulkhead._in_flight
        for limiter in (held.subscriptions, held.hosts):
            assert not any(limit.in_flight for limit in limiter._limits.values())


def quiet(*_: object, **__: object) -> None:
    """Telling of a fault costs more than everything else here."""


def simulated(
    patch: pytest.MonkeyPatch, world: World, work: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Run `work` in the world's time."""
    complaints: list[dict[str, Any]] = []
    loop = Timeless()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    patch.setattr(dispatcher, "time", SimpleNamespace(monotonic=loop.time, perf_counter=loop.time))
    patch.setattr(
        dispatcher,
        "DeliveryClaimer",
        lambda limiter, hosts, _: MadeUpClaimer(world, limiter, hosts),
    )
    for name in ("claim_probes", "attempt_delivery", "save_outcomes", "release_claims"):
        patch.setattr(dispatcher, name, getattr(world, name))
    patch.setattr(dispatcher, "count_attempt", lambda *_: None)
    patch.setattr(dispatcher, "log", SimpleNamespace(exception=quiet, warning=quiet))
    try:
        loop.run_until_complete(work())
    finally:
        loop.close()
    assert not complaints


def a_worker(world: World) -> Watched:
    size = world.draw.choice([4, 16, 64])
    http = cast(GuardedClient, None)
    return Watched(
        http,
        max_in_flight=size,
        max_prefetched=world.draw.choice([1, size // 2, size]),
        max_slow=size,
    )


async def kept_running(worker: Dispatcher, stop: asyncio.Event) -> None:
    """As a worker process does it."""
    while True:
        try:
            return await worker.run(stop)
        except ConnectionError:
            assert not stop.is_set(), "it was to finish"
            await asyncio.sleep(1)


async def woken_now_and_then(worker: Dispatcher, world: World) -> None:
    while True:
        await asyncio.sleep(world.draw.uniform(0, 2))
        worker.wake()


@pytest.mark.parametrize("seed", range(25))
def test_through_outages_and_stops_nothing_leaks_and_in_the_end_nothing_is_due(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(seed)
    monkeypatch.setattr(
        in_flight,
        "MAX_CLAIM_AGE_SECONDS",
        world.draw.choice([0.5, 5.0, in_flight.MAX_CLAIM_AGE_SECONDS]),
    )

    async def minutes_of_trouble() -> None:
        for away in (0.0, 0.2, 0.6, 0.05):
            world.away = away
            workers = [a_worker(world) for _ in range(world.draw.choice([1, 2]))]
            stop = asyncio.Event()
            running = [asyncio.create_task(kept_running(worker, stop)) for worker in workers]
            waking = [asyncio.create_task(woken_now_and_then(worker, world)) for worker in workers]
            await asyncio.sleep(world.draw.uniform(0, 40))
            world.away = min(world.away, 0.3)
            stop.set()
            for worker in workers:
                worker.wake()
            told = world.clock
            await asyncio.gather(*running)
            assert world.clock < told + HANGS + 10, "who is told to stop comes to an end"
            for task in waking:
                task.cancel()
            for worker in workers:
                worker.holds_nothing()
        world.away = 0.0
        worker, stop = a_worker(world), asyncio.Event()
        running = [asyncio.create_task(kept_running(worker, stop))]
        await eventually(
            lambda: not any(due(row) for row in world.rows.values()),
            lambda: (
                f"nothing is due: {Counter(row.kind for row in world.rows.values() if due(row))}"
            ),
            within=3_600,
            every=10,
        )
        stop.set()
        await running[0]
        worker.holds_nothing()

    def due(row: Row) -> bool:
        return (
            row.due_at is not None and row.subscription not in world.failing and row.kind != "hangs"
        )

    simulated(monkeypatch, world, minutes_of_trouble)


def test_who_is_told_to_stop_while_the_database_is_away_writes_down_what_it_has_posted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(1, subscriptions=1, deliveries=8)
    for row in world.rows.values():
        row.kind = "quick"

    async def stopped_in_an_outage() -> None:
        worker, stop = (
            Watched(cast(GuardedClient, None), max_in_flight=2, max_prefetched=2),
            asyncio.Event(),
        )
        world.draw.random = lambda: 0.5  # type: ignore[method-assign]
        running = asyncio.create_task(worker.run(stop))
        await eventually(world.is_posted_to, "something is posted", every=0.001)
        posted = [row for row in world.rows.values() if row.posts]
        world.away = 1.0
        stop.set()
        await asyncio.sleep(10)
        assert not running.done(), "it goes on trying"
        world.away = 0.0
        await running

        assert all(row.attempts == 1 and row.due_at is None for row in posted)
        unposted = [row for row in world.rows.values() if not row.posts]
        assert unposted
        assert all(row.due_at is not None and row.due_at <= world.clock for row in unposted)
        worker.holds_nothing()

    simulated(monkeypatch, world, stopped_in_an_outage)


def test_who_is_told_to_stop_does_not_wait_for_a_database_that_stays_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(1, subscriptions=1, deliveries=4)

    async def stopped_in_an_outage() -> None:
        worker, stop = a_worker(world), asyncio.Event()
        running = asyncio.create_task(worker.run(stop))
        await eventually(world.is_posted_to, "something is posted", every=0.001)
        world.away = 1.0
        stop.set()
        with pytest.raises(ConnectionError):
            await running
        assert world.clock < dispatcher.SHUTDOWN_TIMEOUT_SECONDS + HANGS
        with suppress(ConnectionError):
            await asyncio.gather(*worker._posters)

    simulated(monkeypatch, world, stopped_in_an_outage)


def test_what_has_waited_too_long_is_not_handed_back(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(1, subscriptions=1, deliveries=4)
    monkeypatch.setattr(in_flight, "MAX_CLAIM_AGE_SECONDS", 5.0)

    async def stopped_late() -> None:
        for row in world.rows.values():
            row.kind = "hangs"
        worker, stop = (
            Watched(cast(GuardedClient, None), max_in_flight=1, max_prefetched=4, max_slow=0),
            asyncio.Event(),
        )
        running = asyncio.create_task(worker.run(stop))
        await asyncio.sleep(6)
        leases = {id: row.due_at for id, row in world.rows.items() if not row.posts}
        assert leases
        stop.set()
        await running
        assert {id: world.rows[id].due_at for id in leases} == leases
        worker.holds_nothing()

    simulated(monkeypatch, world, stopped_late)
