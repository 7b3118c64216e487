"""A running `svc listen`, and what it prints."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.support.forked import ROOT, Forked
from tests.support.waiting import PATIENCE, eventually


class Listening:
    """A process of `svc listen --json`. `lines` are the objects that it has printed, `said` is its
    standard error.
    """

    def __init__(
        self, process: Forked, out: asyncio.StreamReader, err: asyncio.StreamReader
    ) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        self.said = ""
        self._reading = asyncio.gather(self._read(out), self._hear(err))

    async def begun(self) -> dict[str, Any]:
        """Wait until it listens: its first line."""
        await eventually(lambda: bool(self.lines), lambda: f"it listens\n{self.said}")
        return self.lines[0]

    async def stop(self) -> tuple[int, str]:
        """Ctrl-C: the exit status, and all that was said."""
        os.kill(self.process.pid, signal.SIGINT)
        return await self.ended()

    async def ended(self) -> tuple[int, str]:
        """Wait until it has ended: the exit status, and all that was said."""
        await asyncio.wait_for(self._reading, PATIENCE)
        return await asyncio.to_thread(self.process.wait), self.said

    async def _read(self, out: asyncio.StreamReader) -> None:
        async for line in out:
            self.lines.append(json.loads(line))

    async def _hear(self, err: asyncio.StreamReader) -> None:
        async for line in err:
            self.said += line.decode()


@asynccontextmanager
async def listening(
    url: str, to: str, *options: str, key: str = "svc_test_x"
) -> AsyncIterator[Listening]:
    """Listen to the service at `url` while the block runs."""
    words = ["listen", "--json", "--url", url, "--key", key, "--forward-to", to, *options]
    (out, its_out), (err, its_err), (its_in, nothing) = os.pipe(), os.pipe(), os.pipe()
    os.close(nothing)
    try:
        process = await asyncio.to_thread(
            Forked,
            words,
            environment=dict(os.environ),
            folder=ROOT,
            streams=[its_in, its_out, its_err],
        )
    finally:
        for stream in (its_in, its_out, its_err):
            os.close(stream)
    async with _reader_of(out) as lines, _reader_of(err) as words_said:
        found = Listening(process, lines, words_said)
        try:
            yield found
        finally:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
            await found.ended()


@asynccontextmanager
async def _reader_of(pipe: int) -> AsyncIterator[asyncio.StreamReader]:
    """What comes out of the pipe."""
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(pipe, "rb", 0)
    )
    try:
        yield reader
    finally:
        transport.close()
