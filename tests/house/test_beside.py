"""What `make check` runs beside each other: both to their ends, and one that fails is a failure of all."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / ".ci/beside.py"


def beside(*commands: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, PROGRAM, *commands], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_commands_run_at_once_and_what_each_said_is_told_in_one_piece(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # each waits for the other

    status, told = beside(f"echo first > {tmp_path}/pipe; echo one", f"cat {tmp_path}/pipe")

    assert status == 0
    assert "one\n" in told
    assert "first\n" in told


def test_one_that_fails_stops_no_other_and_is_told() -> None:
    status, told = beside("exit 3", "echo goes on")

    assert status == 1
    assert "status 3" in told
    assert "goes on" in told
