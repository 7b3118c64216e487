"""The dispatcher: a loop that claims messages, hands them over concurrently, settles in batches."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import structlog

from core.cells import cell_of, enter_cell
from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.database.availability import PASSING, is_outage
from core.foundation.database.combining import Combiner
from core.foundation.database.transactions import outside_transaction
from core.foundation.moved_clocks import is_moving, may_drain
from core.foundation.pauses import pause
from core.messaging.queue.claim import Quota
from core.messaging.queue.pacing import Due, Pacing, TakeTokens
from core.messaging.queue.rows import QueuedMessage
from core.messaging.settle import Result, Settlement

log = structlog.get_logger()

MAX_IN_FLIGHT = 256
"""Live messages that a process hands over at a time."""
MAX_PER_SENDER = 64
"""Of these, what one sender may have: a platform that answers slowly for one number holds up no
other.
"""
SANDBOX_BATCH_SIZE = 1_000
"""What the sandbox takes in one round."""
RETRY_SECONDS = 0.1
"""When to look again while something is due that has no token yet."""
POLL_SECONDS = 1.0
MAX_SAVE_ATTEMPTS = 30
SAVE_RETRY_SECONDS = 1.0


class ClaimableSender(Due, Protocol):
    """A sender for which something is due, whose it is and in which environment."""

    @property
    def env(self) -> str: ...
    @property
    def organization_id(self) -> str: ...


Sender = TypeVar("Sender", bound=ClaimableSender)
Sender_co = TypeVar("Sender_co", bound=ClaimableSender, covariant=True)
Ready = TypeVar("Ready", bound="HasRow")


class HasRow(Protocol):
    """What is to be handed over, with the row that it was queued by."""

    @property
    def queued(self) -> QueuedMessage: ...


@dataclass(frozen=True, slots=True)
class ClaimResult(Generic[Ready]):
    """What a claim took: how many rows, what is to be handed over, and by sender what took a token
    for nothing.
    """

    taken: int
    ready: Sequence[Ready]
    unused: Mapping[str, int]


class FindDue(Protocol[Sender_co]):
    """Everybody for whom something is due; of each, at most `most` of an urgency are counted."""

    async def __call__(self, *, at: datetime, most: int) -> Sequence[Sender_co]: ...


class Claim(Protocol[Ready]):
    """Takes what the quotas allow. What must not leave any more fails there, what must not leave yet
    waits on, and the sandbox takes its own at once.
    """

    async def __call__(self, quotas: Sequence[Quota], *, at: datetime) -> ClaimResult[Ready]: ...


@dataclass(frozen=True, slots=True)
class QueueOfChannels(Generic[Sender, Ready]):
    """What is special to the queue of some channels.

    `prepare`: looks up what `hand_over` needs, before the claim: between the claim and the hand-over
    nothing may fail. `hand_over`: once and outside any transaction; None: nobody knows whether it
    left. `take_tokens` and `return_tokens`: the limits of the senders.
    """

    find_due: FindDue[Sender]
    take_tokens: TakeTokens[Sender]
    return_tokens: Callable[[Sequence[Sender], Mapping[str, int]], Awaitable[None]]
    prepare: Callable[[Sequence[Sender]], Awaitable[Any]]
    claim: Claim[Ready]
    hand_over: Callable[[Ready, Any], Awaitable[Settlement[Any] | None]]
    settle: Callable[[Sequence[Settlement[Any]]], Awaitable[Sequence[Result]]]


async def _take_tokens(
    queue: QueueOfChannels[Sender, Ready], senders: Sequence[Sender], wanted: dict[str, int]
) -> Mapping[str, int]:
    """Ceilings are a second's of the real time; what a moved clock lets leave is under none."""
    return wanted if is_moving() else await queue.take_tokens(senders, wanted)


class QueueDispatcher(Generic[Sender, Ready]):
    """Lets leave what is due until it is told to stop; then it finishes what it has begun."""

    def __init__(
        self,
        queue: QueueOfChannels[Sender, Ready],
        *,
        max_in_flight: int = MAX_IN_FLIGHT,
        max_per_sender: int = MAX_PER_SENDER,
    ) -> None:
        self._queue = queue
        self._max_in_flight = max_in_flight
        self._max_per_sender = min(max_per_sender, max_in_flight)
        self._pacing = Pacing(partial(_take_tokens, queue))
        self._in_flight: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._settlements: Combiner[Settlement[Any], Any] = Combiner(queue.settle, concurrency=2)
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Something is due: look now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches | None = None) -> None:
        """Work until `stop` is set and everything begun is settled."""
        try:
            while not stop.is_set():
                self._woken.clear()
                started = time.perf_counter()
                taken, waits = await self.round(at=now())
                if batches is not None:
                    batches.done(taken, started=started)
                if not taken:
                    await self._wait(RETRY_SECONDS if waits else POLL_SECONDS)
        finally:
            await self.finish()

    async def round(self, *, at: datetime) -> tuple[int, bool]:
        """Claim once and begin to hand over. Answers how many were taken, and whether more is due."""
        due = await self._queue.find_due(at=at, most=max(self._max_in_flight, SANDBOX_BATCH_SIZE))
        senders = [one for one in due if may_drain(one.organization_id, one.env)]
        if not senders:
            return 0, False
        quotas = await self._quotas(senders)
        if not quotas:
            return 0, True
        prepared = await self._queue.prepare([one for one in senders if one.env == "live"])
        claimed = await self._queue.claim(quotas, at=at)
        self._begin(claimed.ready, prepared)
        if not is_moving():
            await self._queue.return_tokens(senders, claimed.unused)
        return claimed.taken, True

    async def finish(self) -> None:
        """Wait until everything begun is settled."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _quotas(self, senders: Sequence[Sender]) -> list[Quota]:
        """The slots of live messages is what is free; the sandbox has its own."""
        free = {
            one.id: self._max_per_sender - self._in_flight[one.id]
            for one in senders
            if one.env == "live"
        }
        live = [one for one in senders if free.get(one.id, 0) > 0]
        sandboxed = [one for one in senders if one.env == "test"]
        return [
            *await self._pacing.allot(
                live, slots=self._max_in_flight - len(self._tasks), most=free
            ),
            *await self._pacing.allot(sandboxed, slots=SANDBOX_BATCH_SIZE),
        ]

    def _begin(self, ready: Sequence[Ready], prepared: Any) -> None:
        for one in ready:
            sender_id = one.queued.sender_id
            task = asyncio.create_task(
                self._hand_over(one, prepared), context=outside_transaction()
            )
            self._tasks.add(task)
            self._in_flight[sender_id] += 1
            task.add_done_callback(partial(self._finished, sender_id))

    async def _hand_over(self, ready: Ready, prepared: Any) -> None:
        try:
            settlement = await self._queue.hand_over(ready, prepared)
            if settlement is not None:
                await self._save(settlement)
        except Exception:  # a fault of ours: it may have left, so it is not sent again
            log.exception("hand_over_failed", message=ready.queued.message_id)

    async def _save(self, settlement: Settlement[Any]) -> None:
        """What the platform answered is known here only: a database that is away for a moment is
        waited for, and an organization that moves meanwhile is followed to its cell.
        """
        for _ in range(MAX_SAVE_ATTEMPTS):
            try:
                return await self._submit(settlement)
            except Exception as error:
                if not is_outage(error):
                    raise
            await asyncio.sleep(SAVE_RETRY_SECONDS)
            if settlement.queued is not None:
                await _follow(settlement.queued.organization_id)
        return await self._submit(settlement)

    async def _submit(self, settlement: Settlement[Any]) -> None:
        await self._settlements.submit(settlement)

    def _finished(self, sender_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._in_flight[sender_id] -= 1
        if not self._in_flight[sender_id]:
            del self._in_flight[sender_id]
        self._woken.set()

    async def _wait(self, seconds: float) -> None:
        await pause(seconds, until=self._woken)


async def _follow(organization_id: str) -> None:
    """Let the rest of this task work where an organization lives; while the home does not tell, where it did."""
    with suppress(*PASSING):
        enter_cell(await cell_of(organization_id))
