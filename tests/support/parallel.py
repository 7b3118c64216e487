"""`--processes N`: the tests of a run, shared among N processes that are forked once everything is imported and collected.

Each of them has servers of its own, and takes the next tests of one file whenever it is ready for more. What takes long
before the first test, to import the service and to find twenty thousand tests, is done once; the caches that are filled by
then stay in memory that all of them share.

Tests that start processes mostly wait for them. One of ours takes these first and the others take what computes, so that
there is always something for every core to do; and what such tests need for a start is there once.
"""

import atexit
import os
import random
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest.config import create_terminal_writer

AT_A_TIME = 40
STARTING_AT_A_TIME = 8
"""Tests that a process takes at once, and those that start processes: few enough that all of ours end at the same time."""


class Child:
    """One of the forked processes: runs what it is given, and tells the parent what came of it."""

    def __init__(self, session: pytest.Session, parent: Connection) -> None:
        self._session = session
        self._parent = parent
        self._taken: deque[int] = deque()
        self._more = True

    def run(self) -> None:
        """Run tests until there are none. The one after is known before one runs: what both need stays."""
        self._take()
        while self._taken:
            number = self._taken.popleft()
            if not self._taken:
                self._take()
            items = self._session.items
            item, after = items[number], items[self._taken[0]] if self._taken else None
            self._parent.send(("started", number))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._session.shouldfail or self._session.shouldstop:
                self._session._setupstate.teardown_exact(None)
                break
        self._parent.send(("done", None))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hand the parent what its plugins are to hear."""
        config = self._session.config
        told = config.hook.pytest_report_to_serializable(config=config, report=report)
        self._parent.send(("report", told))

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        """The same of a warning."""
        said = (str(warning_message.message), warning_message.category)
        warned = (*said, warning_message.filename, warning_message.lineno)
        where = {"when": when, "nodeid": nodeid, "location": location}
        self._parent.send(("warning", {"warned": warned, **where}))

    def _take(self) -> None:
        if self._more:
            self._parent.send(("ready", None))
            given: list[int] | None = self._parent.recv()
            self._more = given is not None
            self._taken.extend(given or ())


class Parallel:
    """The process that has collected the tests: it hands them out and is told what came of them."""

    def __init__(self, config: pytest.Config, processes: int) -> None:
        self._config = config
        self._processes = processes
        self._left = Left()
        self._starts_processes: Connection | None = None
        """Who takes tests first that start processes."""
        self._children: dict[Connection, int] = {}
        self._given: dict[Connection, deque[int]] = {}
        self._names = iter(range(10_000))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests; None where there is nothing to share, and pytest goes on by itself."""
        if session.testsfailed or session.config.option.collectonly or len(session.items) < 2:
            return None
        self._left = Left.of(session.items)
        try:
            for _ in range(min(self._processes, len(self._left))):
                self._fork(session)
            while self._children:
                for child in wait(list(self._children)):
                    assert isinstance(child, Connection)
                    self._hear(session, child)
        finally:
            self._end()
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        return True

    def _fork(self, session: pytest.Session) -> None:
        # A thread would be missing in the forked process, and what it holds would stay held.
        assert threading.active_count() == 1, [thread.name for thread in threading.enumerate()]
        ours, theirs = Pipe()
        name = f"process-{next(self._names)}"
        capture = self._config.pluginmanager.getplugin("capturemanager")
        capture.stop_global_capturing()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        capture.start_global_capturing()
        if pid == 0:
            for other in (ours, *self._children):
                other.close()
            be_child(session, theirs, name)
        theirs.close()
        self._children[ours] = pid
        self._given[ours] = deque()
        self._starts_processes = self._starts_processes or ours

    def _hear(self, session: pytest.Session, child: Connection) -> None:
        try:
            kind, told = child.recv()
        except (EOFError, ConnectionError):
            self._lost(session, child)
            return
        match kind:
            case "ready":
                stop = session.shouldfail or session.shouldstop
                starting_first = child is self._starts_processes
                portion = None if stop else self._left.take(starting_first=starting_first)
                self._given[child].extend(portion or ())
                child.send(portion)
            case "started":
                while self._given[child][0] != told:
                    self._given[child].popleft()
            case "report":
                self._report(told)
            case "warning":
                self._warn(told)
            case "done":
                self._forget(child)

    def _report(self, told: dict[str, Any]) -> None:
        hook = self._config.hook
        report = hook.pytest_report_from_serializable(config=self._config, data=told)
        hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _warn(self, told: dict[str, Any]) -> None:
        warned = warnings.WarningMessage(*told.pop("warned"))
        recorded = {**told, "warning_message": warned}
        self._config.hook.pytest_warning_recorded.call_historic(kwargs=recorded)

    def _lost(self, session: pytest.Session, child: Connection) -> None:
        """A process has ended by itself: the test that it was at failed, another does the others."""
        status = os.waitstatus_to_exitcode(os.waitpid(self._children[child], 0)[1])
        at, *left = self._given[child]
        self._forget(child, reaped=True)
        item = session.items[at]
        failed = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed",
            longrepr=f"the process of this test ended with {status}",
            when="call",
        )
        self._config.hook.pytest_runtest_logreport(report=failed)
        if left:
            self._left.put_back(left)
        if self._left:
            self._fork(session)

    def _forget(self, child: Connection, *, reaped: bool = False) -> None:
        pid = self._children.pop(child)
        if child is self._starts_processes:
            self._starts_processes = None
        child.close()
        if not reaped:
            os.waitpid(pid, 0)

    def _end(self) -> None:
        """Those that still run are told by the end of their connection."""
        for child in list(self._children):
            self._forget(child)


def be_child(session: pytest.Session, parent: Connection, name: str) -> NoReturn:
    """Run tests in this process, which has just been forked, and end it."""
    status = 1
    try:
        atexit._clear()  # what the parent has begun is the parent's to end
        random.seed()
        settle_in(session.config, name)
        child = Child(session, parent)
        session.config.pluginmanager.register(child, "child")
        child.run()
        status = 0
    except (EOFError, ConnectionError, KeyboardInterrupt):  # nobody wants the rest
        session._setupstate.teardown_exact(None)
    except BaseException:
        session.config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        os._exit(status)


def settle_in(config: pytest.Config, name: str) -> None:
    """A folder of its own for temporary files, and silence: the parent tells how it goes."""
    temporary = config._tmp_path_factory  # type: ignore[attr-defined]
    folder: Path = temporary.getbasetemp() / name
    folder.mkdir(mode=0o700)
    temporary._basetemp = folder
    temporary._next_number = {}
    reporter = config.pluginmanager.getplugin("terminalreporter")
    reporter._tw = create_terminal_writer(config, StringIO())


@dataclass
class Left:
    """The numbers of the tests that nobody has taken, in portions that stay together."""

    starting: deque[list[int]] = field(default_factory=deque)
    """Those that start processes, the largest portions first."""
    computing: deque[list[int]] = field(default_factory=deque)
    """All others, slow ones first: whoever has one last is waited for."""

    @classmethod
    def of(cls, items: list[pytest.Item]) -> "Left":
        """All of them."""
        numbered = list(enumerate(items))
        shared = [
            portion
            for _, of_file in groupby(numbered, key=lambda entry: entry[1].path)
            for portion in _cut(list(of_file))
        ]
        starting = [portion for portion in shared if _starts_processes(items[portion[0]])]
        computing = [portion for portion in shared if not _starts_processes(items[portion[0]])]
        slow = {number for number, item in numbered if item.get_closest_marker("slow")}
        return cls(
            deque(sorted(starting, key=len, reverse=True)),
            deque(sorted(computing, key=lambda portion: portion[0] not in slow)),
        )

    def __len__(self) -> int:
        return len(self.starting) + len(self.computing)

    def take(self, *, starting_first: bool) -> list[int] | None:
        """The next portion; None where there is none."""
        first, then = self.computing, self.starting
        if starting_first:
            first, then = then, first
        return (first or then).popleft() if self else None

    def put_back(self, portion: list[int]) -> None:
        """What somebody took and has not come to."""
        self.computing.appendleft(portion)


def _cut(of_file: list[tuple[int, pytest.Item]]) -> Iterator[list[int]]:
    """The tests of one file, those apart that start processes; all of them where a fixture is made once for the file."""
    if any(_shares_fixtures(item) for _, item in of_file):
        yield [number for number, _ in of_file]
        return
    for starting, size in ((True, STARTING_AT_A_TIME), (False, AT_A_TIME)):
        alike = [number for number, item in of_file if _starts_processes(item) is starting]
        for start in range(0, len(alike), size):
            yield alike[start : start + size]


def _starts_processes(item: pytest.Item) -> bool:
    return "machines" in _fixtures_of(item)


def _shares_fixtures(item: pytest.Item) -> bool:
    """Whether a fixture is made once for the file, or once for a process by the folder of the file."""
    return any(
        definition.scope in ("class", "module")
        or (definition.scope == "session" and definition.baseid.count("/") > 0)
        for definitions in _fixtures_of(item).values()
        for definition in definitions
    )


def _fixtures_of(item: pytest.Item) -> dict[str, Any]:
    found: dict[str, Any] = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 (not public)
    return found
