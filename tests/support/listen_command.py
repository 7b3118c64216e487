"""A running `svc listen`, and what it prints."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.support.processes import ROOT
from tests.support.waiting import eventually


class Listening:
    """A process of `svc listen --json`. `lines` are the objects that it has printed, `said` is its
    standard error.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        self.said = ""
        self._reading = asyncio.gather(self._read(), self._hear())

    async def begun(self) -> dict[str, Any]:
        """Wait until it listens: its first line."""
        await eventually(lambda: bool(self.lines), lambda: f"it listens\n{self.said}")
        return self.lines[0]

    async def stop(self) -> tuple[int, str]:
        """Ctrl-C: the exit status, and all that was said."""
        self.process.send_signal(signal.SIGINT)
        return await self.ended()

    async def ended(self) -> tuple[int, str]:
        """Wait until it has ended: the exit status, and all that was said."""
        await asyncio.wait_for(self._reading, 20)
        return await self.process.wait(), self.said

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(json.loads(line))

    async def _hear(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.said += line.decode()


@asynccontextmanager
async def listening(
    url: str, to: str, *options: str, key: str = "svc_test_x"
) -> AsyncIterator[Listening]:
    """Listen to the service at `url` while the block runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "listen", "--json", "--url", url, "--key", key, "--forward-to", to, *options,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    found = Listening(process)
    try:
        yield found
    finally:
        if process.returncode is None:
            process.kill()
        await found.ended()
