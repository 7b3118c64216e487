"""Progress of long commands on standard error: bars on a terminal, lines now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.output import say

Tell = Callable[[str, int, int], None]
"""Takes the name of a part, how much of it is done, and how much there will be."""

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def shown_progress() -> Iterator[Tell]:
    """What to tell of each part."""
    if sys.stderr.isatty():
        with _bars() as tell:
            yield tell
    else:
        yield _Lines().tell


@contextmanager
def _bars() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def tell(part: str, done: int, total: int) -> None:
            if part not in tasks:
                tasks[part] = progress.add_task(part, total=total)
            progress.update(tasks[part], completed=done)

        yield tell


class _Lines:
    """A line at the beginning, at the end, and now and then between them."""

    def __init__(self) -> None:
        self._next = 0.0

    def tell(self, part: str, done: int, total: int) -> None:
        at = time.monotonic()
        if done == total or at >= self._next:
            say(f"{part}: {done:,} of {total:,}")
            self._next = at + SECONDS_BETWEEN_LINES
