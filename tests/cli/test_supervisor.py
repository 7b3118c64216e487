"""What ends unexpectedly is started again; what cannot stay up is reported."""

import sys
from pathlib import Path

import pytest

from cli.children import supervisor as supervising
from cli.children.child import ChildProcess
from cli.children.supervisor import KeepsEnding, Supervisor
from tests.support.waiting import eventually


class Fake:
    """A server whose life the test decides."""

    def __init__(self) -> None:
        self.name = "worker"
        self.running = True
        self.ending = "killed by SIGKILL"
        self.starts = 1

    def restart(self) -> None:
        self.starts += 1
        self.running = True


def test_a_server_that_ends_is_started_again_and_named() -> None:
    said: list[str] = []
    fake = Fake()
    supervisor = Supervisor(said.append)
    supervisor.keep(fake)
    supervisor.look()
    assert (fake.starts, said) == (1, [])
    fake.running = False
    supervisor.look()
    assert fake.starts == 2
    assert said == ["worker ended unexpectedly (killed by SIGKILL); starting it again"]


def test_a_server_that_cannot_stay_up_is_given_up() -> None:
    fake = Fake()
    supervisor = Supervisor(lambda _: None)
    supervisor.keep(fake)
    for _ in range(supervising.SHORT_LIVES_ALLOWED - 1):
        fake.running = False
        supervisor.look()
    fake.running = False
    with pytest.raises(KeepsEnding, match="worker ended 3 times right after its start"):
        supervisor.look()


def test_long_lives_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervising, "SHORT_LIFE", 0.0)
    fake = Fake()
    supervisor = Supervisor(lambda _: None)
    supervisor.keep(fake)
    for _ in range(5):
        fake.running = False
        supervisor.look()
    assert fake.starts == 6


def test_a_child_tells_how_it_ended() -> None:
    child = ChildProcess("short", [sys.executable, "-c", "raise SystemExit(3)"])
    child.start()
    assert child.wait() == 3
    assert child.ending == "exit status 3"
    assert not child.running


async def test_a_child_that_does_not_listen_is_killed_after_its_patience(tmp_path: Path) -> None:
    is_deaf = tmp_path / "is_deaf"
    deaf = (
        "import signal, time; from pathlib import Path; "
        f"signal.signal(signal.SIGTERM, signal.SIG_IGN); Path({str(is_deaf)!r}).touch(); time.sleep(600)"
    )
    child = ChildProcess("deaf", [sys.executable, "-c", deaf], patience=0.3)
    child.start()
    await eventually(is_deaf.exists, "it has begun not to listen")
    child.stop()
    assert child.ending == "killed by SIGKILL"


def test_a_program_that_is_not_there_ends_at_once() -> None:
    child = ChildProcess("missing", ["/nowhere/at/all"])
    child.start()
    assert child.wait() == 127
