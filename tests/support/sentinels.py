"""A Redis with a replica and a Sentinel that watches both, each a process of its own."""

import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from cli.children.child import ChildProcess
from cli.embedded.redis import binary
from tests.support.processes import free_port
from tests.support.waiting import eventually

SERVICE, PASSWORD, SENTINEL_PASSWORD = "svc-redis", "s3cr3t", "w4tch"


@dataclass
class Watched:
    """A primary that a Sentinel watches, and the address under which this tells which server is
    one.
    """

    address: str
    """Of two Sentinels, the first of which is not there."""
    primary: ChildProcess

    def kill_primary(self) -> None:
        """kill -9."""
        self.primary.send(signal.SIGKILL)


@asynccontextmanager
async def a_watched_redis(folder: Path) -> AsyncIterator[Watched]:
    """Both servers and the Sentinel, once it could replace the primary."""
    one, two, sentinel = free_port(), free_port(), free_port()
    secured = f'requirepass {PASSWORD}\nmasterauth {PASSWORD}\nsave ""\n'
    with ExitStack() as undo:
        primary = _started(folder / "one", one, secured, undo)
        _started(folder / "two", two, f"{secured}replicaof 127.0.0.1 {one}\n", undo)
        await eventually(
            lambda: _told(two, PASSWORD, "info", "master_link_status", "up"),
            "the replica follows the primary",
        )
        _started(folder / "sentinel", sentinel, _watching(one), undo, "--sentinel")
        await eventually(
            lambda: _told(sentinel, SENTINEL_PASSWORD, "sentinel_master", "num-slaves", 1),
            "Sentinel knows the replica",
        )
        yield Watched(
            f"redis+sentinel://default:{PASSWORD}@127.0.0.1:{free_port()},127.0.0.1:{sentinel}/3"
            f"?service={SERVICE}&sentinel_password={SENTINEL_PASSWORD}",
            primary,
        )


def _started(folder: Path, port: int, settings: str, undo: ExitStack, *words: str) -> ChildProcess:
    folder.mkdir(parents=True)
    config = folder / "redis.conf"
    config.write_text(f"port {port}\nbind 127.0.0.1\ndir {folder}\n{settings}")
    child = ChildProcess(
        folder.name, [binary(), config, *words], folder=folder, log=folder / "redis.log"
    )
    child.start()
    undo.callback(child.stop)
    return child


def _watching(port: int) -> str:
    return f"""
requirepass {SENTINEL_PASSWORD}
sentinel monitor {SERVICE} 127.0.0.1 {port} 1
sentinel auth-pass {SERVICE} {PASSWORD}
sentinel down-after-milliseconds {SERVICE} 300
sentinel failover-timeout {SERVICE} 3000
"""


async def _told(port: int, password: str, command: str, name: str, wanted: Any) -> bool:
    """Whether a server says this of itself; one that is starting says nothing."""
    arguments = (SERVICE,) if command == "sentinel_master" else ("replication",)
    async with Redis(host="127.0.0.1", port=port, password=password) as client:
        try:
            return bool((await getattr(client, command)(*arguments)).get(name) == wanted)
        except RedisError:
            return False
