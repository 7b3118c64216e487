"""A concurrency limiter shared by several owners: a limit for each, and fair queueing."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class NoSlotFree(Exception):
    """All places that the owner may have were taken for too long, or too many wait for them
    already.
    """


class FairLimiter:
    """`most` places, of which one owner has at most `each`. At most `waiting` wait for those of one
    owner.
    """

    def __init__(self, most: int, *, each: int, waiting: int | None = None) -> None:
        self._free = most
        self._each = each
        self._most_waiting = waiting
        self._taken: dict[str, int] = {}
        # The owner who was let in longest ago is the first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, owner: str, *, within: float) -> AsyncIterator[None]:
        """A place for as long as the block lasts. Raises NoSlotFree after `within` seconds."""
        await self.take(owner, within=within)
        try:
            yield
        finally:
            self.give_back(owner)

    async def take(self, owner: str, *, within: float) -> None:
        """Take a place. Raises NoSlotFree after `within` seconds, and at once when too many wait."""
        if self.take_at_once(owner):
            return
        queue = self._waiting.setdefault(owner, deque())
        if self._most_waiting is not None and len(queue) >= self._most_waiting:
            raise NoSlotFree
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(granted)
        try:
            async with asyncio.timeout(within):
                await granted
        except BaseException as error:
            self._leave(owner, granted)
            if isinstance(error, TimeoutError):
                raise NoSlotFree from None
            raise

    def take_at_once(self, owner: str) -> bool:
        """Take a place if one is free for this owner. Answers whether it was."""
        if not self._may_have(owner):
            return False
        self._grant(owner)
        return True

    def give_back(self, owner: str) -> None:
        """Give a place back: whoever is next has it."""
        self._free += 1
        left = self._taken.pop(owner) - 1
        if left:
            self._taken[owner] = left
        if self._waiting:
            self._let_in()

    def taken_by(self, owner: str) -> int:
        """How many places the owner has."""
        return self._taken.get(owner, 0)

    def waiting_of(self, owner: str) -> int:
        """How many wait for a place of the owner."""
        return len(self._waiting.get(owner, ()))

    def _may_have(self, owner: str) -> bool:
        """Nobody is overtaken: while places are free, only those wait whose owner has all of his."""
        return self._free > 0 and self._taken.get(owner, 0) < self._each

    def _grant(self, owner: str) -> None:
        self._free -= 1
        self._taken[owner] = self._taken.get(owner, 0) + 1

    def _let_in(self) -> None:
        while (owner := self._next()) is not None:
            granted = self._waiting[owner].popleft()
            if self._waiting[owner]:
                self._waiting.move_to_end(owner)
            else:
                del self._waiting[owner]
            if not granted.cancelled():
                self._grant(owner)
                granted.set_result(None)

    def _next(self) -> str | None:
        return next(filter(self._may_have, self._waiting), None) if self._free else None

    def _leave(self, owner: str, granted: "asyncio.Future[None]") -> None:
        """Whoever goes takes nothing along: neither the place that was granted meanwhile, nor one
        in the queue.
        """
        if granted.done() and not granted.cancelled():
            self.give_back(owner)
            return
        queue = self._waiting.get(owner, deque())
        if granted in queue:
            queue.remove(granted)
            if not queue:
                del self._waiting[owner]
