"""The values of metrics, in memory that sibling processes can read.

An API of several processes has one port, and whichever of them answers a scrape tells what all of
them counted. So each keeps its numbers in a file of a common folder, mapped into memory: counting
costs the same as without one, and what a killed process had counted is still there.

A file is an area of doubles, then one line of JSON for each series: name, labels, number of
doubles, and whether they outlive their process. A process locks its file; the next one that finds
it unlocked takes over the counts.
"""

import fcntl
import json
import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MAX_CELLS = 32_768
"""Doubles; ten times what the operations and queues of the service need."""

AREA_BYTES = MAX_CELLS * 8

Key = tuple[str, tuple[str, ...]]
"""The name of a family and the values of its labels."""


@dataclass(frozen=True, slots=True)
class Series:
    """Where the numbers of one series stand. `lasts`: they count on when their process has ended."""

    key: Key
    at: int
    width: int
    lasts: bool


class Cells:
    """The doubles of this process."""

    def __init__(self) -> None:
        # Private: a process that is forked from this one counts for itself.
        self.values = memoryview(
            mmap.mmap(-1, AREA_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        ).cast("d")
        self._series: dict[Key, Series] = {}
        self._used = 0
        self._file: IO[bytes] | None = None
        self._folder: Path | None = None

    def take(self, key: Key, width: int, *, lasts: bool) -> int:
        """The place of a series; a new one begins with zeros."""
        known = self._series.get(key)
        if known is not None:
            return known.at
        assert self._used + width <= MAX_CELLS, "labels are bounded, so there is room"
        series = Series(key, self._used, width, lasts)
        self._series[key] = series
        self._used += width
        if self._file is not None:
            self._file.write(_line(series))
        return series.at

    def share(self, folder: Path) -> None:
        """Go on in a file of this folder, with what an ended process left in it."""
        slot = _free_slot(folder)
        old = bytes(slot.read())
        for series, numbers in _read(old):
            if series.lasts:
                at = self.take(series.key, series.width, lasts=True)
                for place, number in enumerate(numbers, at):
                    self.values[place] += number
        # Whoever reads meanwhile sees the file as it was or as it is to be.
        fresh = folder / f"{Path(slot.name).name}.{os.getpid()}"
        file = fresh.open("x+b", buffering=0)
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(self.values.tobytes())
        file.write(b"".join(map(_line, self._series.values())))
        shared = memoryview(mmap.mmap(file.fileno(), AREA_BYTES)).cast("d")
        fresh.replace(slot.name)
        slot.close()
        self.values, self._file, self._folder = shared, file, folder

    def stop_sharing(self) -> None:
        """End in order: what does not outlive this process becomes zero."""
        for series in self._series.values():
            if not series.lasts:
                for place in range(series.at, series.at + series.width):
                    self.values[place] = 0.0

    def everything(self) -> dict[Key, list[float]]:
        """The sums of each series over this process and its siblings."""
        sums = {
            series.key: list(self.values[series.at : series.at + series.width])
            for series in self._known()
        }
        for series, numbers in self._of_the_others():
            known = sums.setdefault(series.key, [0.0] * series.width)
            sums[series.key] = [one + other for one, other in zip(known, numbers, strict=True)]
        return sums

    def _known(self) -> list[Series]:
        return list(self._series.values())  # a thread that renders must not meet a new one half-way

    def _of_the_others(self) -> Iterator[tuple[Series, list[float]]]:
        if self._folder is None or self._file is None:
            return
        own = os.fstat(self._file.fileno()).st_ino
        for path in sorted(self._folder.glob("*.cells")):
            with path.open("rb", buffering=0) as file:
                if os.fstat(file.fileno()).st_ino != own:
                    yield from _read(file.read())


def _free_slot(folder: Path) -> IO[bytes]:
    """The first file that no living process holds, locked."""
    number = 0
    while True:
        path = folder / f"{number}.cells"
        file = path.open("a+b", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            number += 1
            continue
        if path.stat().st_ino == os.fstat(file.fileno()).st_ino:
            file.seek(0)
            return file
        file.close()  # it was replaced between opening and locking: look again


def _read(content: bytes) -> Iterator[tuple[Series, list[float]]]:
    """The series of a file, as far as they are written."""
    if len(content) < AREA_BYTES:
        return
    values = memoryview(content)[:AREA_BYTES].cast("d")
    at = 0
    for line in content[AREA_BYTES:].split(b"\n")[:-1]:
        name, labels, width, lasts = json.loads(line)
        yield Series((name, tuple(labels)), at, width, lasts), list(values[at : at + width])
        at += width


def _line(series: Series) -> bytes:
    name, labels = series.key
    return json.dumps([name, labels, series.width, series.lasts]).encode() + b"\n"


cells = Cells()
"""The numbers of this process. They are written by the thread of the event loop alone."""

share = cells.share
stop_sharing = cells.stop_sharing
