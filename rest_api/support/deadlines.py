"""The end of a request that takes too long: what it does is cancelled, and so undone, and its
caller is told.

One look at all requests a few times a second; a timer for each would cost more than all looks
together.
"""

import asyncio
from typing import Any

from starlette.types import Scope

LOOKS = 20
"""In the time of a request: so exact is its end."""

Task = asyncio.Task[Any]


class Deadlines:
    """The requests of this process whose time runs. All have the same time, so those that began
    first end first.
    """

    def __init__(self) -> None:
        self.seconds: float | None = None
        """What a request may take; None: without end."""
        self._ends: dict[Task, float] = {}
        self._cut_off: set[Task] = set()
        self._clock: asyncio.TimerHandle | None = None

    def begin(self, task: Task) -> None:
        """From now on the time of the request runs that this task answers; what was before does not
        count.
        """
        if self.seconds is None:
            return
        self._ends.pop(task, None)
        loop = task.get_loop()
        self._ends[task] = loop.time() + self.seconds
        if self._clock is None:
            self._clock = loop.call_later(self.seconds / LOOKS, self._look, loop)

    def end(self, task: Task) -> bool:
        """Its time does not run any more. Answers whether it was over, and the task cancelled."""
        self._ends.pop(task, None)
        if task not in self._cut_off:
            return False
        self._cut_off.discard(task)
        task.uncancel()
        return True

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._clock = None
        at = loop.time()
        over = []
        for task, end in self._ends.items():
            if end > at:
                break
            over.append(task)
        for task in over:
            del self._ends[task]
            self._cut_off.add(task)
            task.cancel()
        if self._ends and self.seconds is not None:
            self._clock = loop.call_later(self.seconds / LOOKS, self._look, loop)


deadlines = Deadlines()
"""Those of this process."""

TASK = "svc.task"
"""Where the scope of a request keeps its task: asking the loop costs as much as ten looks here."""


def note_task(scope: Scope) -> Task:
    """The task that answers the request, from now on also in its scope."""
    task = asyncio.current_task()
    assert task is not None
    scope[TASK] = task
    return task


def task_of(scope: Scope) -> Task:
    """The task that answers the request."""
    task: Task = scope[TASK]
    return task
