"""The loop that lets waiting messages leave: it claims while others are being handed over, and
settles in batches.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

import structlog

from core.conversations.claim import Ready, claim
from core.conversations.hand_over import Sender, hand_over
from core.conversations.pacing import DueSender, Pacing, Quota, due_senders, give_back
from core.conversations.settle import Settlement, settle
from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.database.combining import Combiner
from core.foundation.database.transactions import outside_transaction
from core.numbers.models import InstagramAccount, Number
from core.providers import registry

log = structlog.get_logger()

LANES = 256
"""Live messages that a process hands over at a time."""
SHARE = 64
"""Of these, what one sender may have: a platform that answers slowly for one number holds up no
other.
"""
SANDBOX_ROOM = 1_000
"""What the sandbox takes in one round."""
AGAIN_SECONDS = 0.1
"""When to look again while something is due that has no token yet."""
POLL_SECONDS = 1.0
WRITE_DOWN_TRIES = 30
WRITE_DOWN_AGAIN_SECONDS = 1.0


class Dispatcher:
    """Lets leave what is due until it is told to stop; then it finishes what it has begun."""

    def __init__(self, *, lanes: int = LANES, share: int = SHARE) -> None:
        self._lanes = lanes
        self._share = min(share, lanes)
        self._pacing = Pacing()
        self._under_way: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._settlements: Combiner[Settlement, None] = Combiner(settle, lanes=2)
        self._stirred = asyncio.Event()

    def wake(self) -> None:
        """Something is due: look now."""
        self._stirred.set()

    async def run(self, stop: asyncio.Event, batches: Batches | None = None) -> None:
        """Work until `stop` is set and everything begun is settled."""
        try:
            while not stop.is_set():
                self._stirred.clear()
                started = time.perf_counter()
                taken, waits = await self.round(at=now())
                if batches is not None:
                    batches.done(taken, started=started)
                if not taken:
                    await self._rest(AGAIN_SECONDS if waits else POLL_SECONDS)
        finally:
            await self.finish()

    async def round(self, *, at: datetime) -> tuple[int, bool]:
        """Claim once and begin to hand over. Answers how many were taken, and whether more is due."""
        senders = await due_senders(at=at, most=max(self._lanes, SANDBOX_ROOM))
        if not senders:
            return 0, False
        quotas = await self._quotas(senders)
        if not quotas:
            return 0, True
        # Looked up before: between the claim and the hand-over nothing may fail, or what is claimed
        # is lost.
        found = await _senders({one.id for one in senders if one.env == "live"})
        claimed = await claim(quotas, at=at)
        self._begin(claimed.ready, found)
        await give_back(senders, claimed.unused)
        return claimed.taken, True

    async def finish(self) -> None:
        """Wait until everything begun is settled."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _quotas(self, senders: Sequence[DueSender]) -> list[Quota]:
        """The room of live messages is what is free; the sandbox has its own."""
        free = {
            one.id: self._share - self._under_way[one.id] for one in senders if one.env == "live"
        }
        live = [one for one in senders if free.get(one.id, 0) > 0]
        sandboxed = [one for one in senders if one.env == "test"]
        return [
            *await self._pacing.allot(live, room=self._lanes - len(self._tasks), most=free),
            *await self._pacing.allot(sandboxed, room=SANDBOX_ROOM),
        ]

    def _begin(self, ready: Sequence[Ready], found: Mapping[str, Sender]) -> None:
        for one in ready:
            sender_id = one.waiting.sender_id
            task = asyncio.create_task(
                self._hand_over(one, found.get(sender_id)), context=outside_transaction()
            )
            self._tasks.add(task)
            self._under_way[sender_id] += 1
            task.add_done_callback(partial(self._finished, sender_id))

    async def _hand_over(self, ready: Ready, sender: Sender | None) -> None:
        try:
            settlement = await hand_over(ready, sender, registry.for_conversations())
            if settlement is not None:
                await self._write_down(settlement)
        except Exception:  # a fault of ours: it may have left, so it is not sent again
            log.exception("hand_over_failed", message=ready.waiting.message_id)

    async def _write_down(self, settlement: Settlement) -> None:
        """What the platform answered is known here only: a database that is away for a moment is
        waited for.
        """
        for _ in range(WRITE_DOWN_TRIES):
            try:
                return await self._settlements.submit(settlement)
            except Exception as error:
                if not is_outage(error):
                    raise
            await asyncio.sleep(WRITE_DOWN_AGAIN_SECONDS)
        return await self._settlements.submit(settlement)

    def _finished(self, sender_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._under_way[sender_id] -= 1
        if not self._under_way[sender_id]:
            del self._under_way[sender_id]
        self._stirred.set()

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), seconds)


async def _senders(ids: set[str]) -> dict[str, Sender]:
    if not ids:
        return {}
    found: dict[str, Sender] = {
        number.id: number for number in await Number.filter(id__in=list(ids))
    }
    return found | {
        account.id: account for account in await InstagramAccount.filter(id__in=list(ids))
    }
