"""A process under test, or around one: started on its core, watched, and stopped by its pid."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from bench.kit.cores import MEASURED
from cli.address import answers_ready

SOURCE = Path(__file__).resolve().parents[2]
LAUNCH = Path(__file__).with_name("launch.py")
READY_SECONDS = 60.0
PATIENCE_SECONDS = 20.0


class DoesNotRun(Exception):
    """A process under test ended, or did not become ready."""


class Program:
    """`python ARGUMENT…` on the measured core, or another. Its output goes to `log`; `port`: where
    it listens.
    """

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        port: int | None = None,
        core: int = MEASURED,
    ) -> None:
        self.name = name
        self.log = log
        self._core = core
        self._port = port
        self._arguments = list(arguments)
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(LAUNCH), str(self._core)),
                    *(sys.executable, "-P", *self._arguments),
                ],
                env={**self._environment, "PYTHONPATH": str(SOURCE)},
                cwd=self.log.parent,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us; we stop it in order
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """The process itself, not a guard in front of it."""
        assert self._process is not None, "not started"
        return self._process.pid

    @property
    def cpu_seconds(self) -> float:
        """What it has used so far, in the program and in the kernel (`/proc/PID/stat`)."""
        times = psutil.Process(self.pid).cpu_times()
        return times.user + times.system

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._port is not None, "it does not listen"
        return self._port

    def wait_until_ready(self) -> None:
        """Wait for a 200 of `/readyz`. Raises DoesNotRun."""
        deadline = time.monotonic() + READY_SECONDS
        while not answers_ready("127.0.0.1", self.port):
            self.check(deadline)
            time.sleep(0.05)
        self.check(deadline)  # somebody else may answer there

    async def ended(self, *, within: float) -> None:
        """Wait for a program that ends by itself. Raises DoesNotRun when it fails, or takes longer."""
        assert self._process is not None, "not started"
        try:
            status = await asyncio.to_thread(self._process.wait, within)
        except subprocess.TimeoutExpired:
            raise DoesNotRun(f"{self.name} takes too long: {self._last_words()}") from None
        if status != 0:
            raise DoesNotRun(f"{self.name} ended with status {status}: {self._last_words()}")

    async def says(self, event: str, *, within: float = READY_SECONDS) -> datetime:
        """Wait for a line of its log with this event, and answer the time that the line gives.
        Raises DoesNotRun.
        """
        deadline = time.monotonic() + within
        while (line := self.said(event)) is None:
            self.check(deadline)
            await asyncio.sleep(0.005)
        return datetime.fromisoformat(line["timestamp"])

    def said(self, event: str) -> dict[str, Any] | None:
        """The first line of its log with this event, if there is one by now."""
        for line in self.log.read_text(errors="replace").splitlines():
            if line.startswith("{") and f'"{event}"' in line:
                found: dict[str, Any] = json.loads(line)
                return found
        return None

    def check(self, deadline: float) -> None:
        """Raise DoesNotRun when it has ended, or when the (monotonic) deadline is over."""
        assert self._process is not None, "not started"
        if self._process.poll() is not None:
            raise DoesNotRun(
                f"{self.name} ended with status {self._process.returncode}: {self._last_words()}"
            )
        if time.monotonic() > deadline:
            raise DoesNotRun(f"{self.name} is not ready in time: {self._last_words()}")

    def _last_words(self) -> str:
        return self.log.read_text(errors="replace").strip()[-2000:]
