"""A TCP way to a server on a socket file or a port of this machine, which can fall silent: it takes what comes, and hands
nothing on.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


class Wire:
    """One listening port of this process, and all connections through it."""

    def __init__(self, behind: Path | int) -> None:
        self._behind = behind
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.connections = 0

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing comes through while the block runs, on old connections and on new ones."""
        self._flowing.clear()
        try:
            yield
        finally:
            self._flowing.set()

    async def open(self) -> asyncio.Server:
        """Listen."""
        server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def close(self) -> None:
        """End every connection."""
        for task in self._tasks:
            task.cancel()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._flowing.wait()
            far_reader, far_writer = await self._reach()
            try:
                await asyncio.gather(
                    self._hand_on(reader, far_writer), self._hand_on(far_reader, writer)
                )
            finally:
                far_writer.close()
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._behind, int):
            return await asyncio.open_connection("127.0.0.1", self._behind)
        return await asyncio.open_unix_connection(str(self._behind))

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(65_536):
                await self._flowing.wait()
                writer.write(piece)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def a_wire(behind: Path | int) -> AsyncIterator[Wire]:
    """A way to the server that listens on this file or port."""
    wire = Wire(behind)
    server = await wire.open()
    try:
        yield wire
    finally:
        wire.close()
        server.close()


def at_port(database_url: str, port: int) -> str:
    """The same address at another port."""
    parts = urlsplit(database_url)
    return parts._replace(netloc=f"{parts.netloc.rpartition(':')[0]}:{port}").geturl()


@asynccontextmanager
async def through_a_wire(database_url: str) -> AsyncIterator[tuple[str, Wire]]:
    """The address of the same database, by TCP, and the way there."""
    parts = urlsplit(database_url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    port = options.get("port") or parts.port or 5432
    behind = Path(options["host"]) / f".s.PGSQL.{port}" if "host" in options else int(port)
    async with a_wire(behind) as wire:
        user = parts.username or options["user"]
        yield f"postgresql://{user}@127.0.0.1:{wire.port}{parts.path}", wire
