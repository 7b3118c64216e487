"""A clock that nobody waits for: minutes of a loop without sockets pass in milliseconds, always in
the same order.
"""

import asyncio
import selectors


class Timeless(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next timer whenever there is nothing to do."""

    def __init__(self) -> None:
        super().__init__(_Hurried(self))
        self.passed = 0.0

    def time(self) -> float:
        return self.passed


class _Hurried(selectors.DefaultSelector):
    def __init__(self, loop: Timeless) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout:
            self._loop.passed += timeout
        return found
