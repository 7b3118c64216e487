"""DNS resolver: all addresses of a name, on threads of its own."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol


class Resolver(Protocol):
    """Who looks names up. What it finds is judged by whoever asks."""

    async def resolve(self, host: str) -> list[str]:
        """Every address of a name, IPv4 and IPv6, best first. Raises OSError."""
        ...

    async def close(self) -> None:
        """End what is under way."""
        ...


class SystemResolver:
    """getaddrinfo on threads of its own.

    A customer's name server may take half a minute to answer. On the loop's shared threads (six on
    two cores) a handful of such names would stop everything else that needs a thread. Callers of
    one name share one look-up while it is under way, so a slow name holds one thread.
    """

    def __init__(self, threads: int = 32) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dns")
        self._under_way: dict[str, asyncio.Future[list[str]]] = {}

    async def resolve(self, host: str) -> list[str]:
        """Every address of a name, in the system's order."""
        look_up = self._look_up(host)
        try:
            return await asyncio.shield(look_up)
        except asyncio.CancelledError:
            if look_up.cancelled():  # by `close`: nobody cancelled the caller
                raise OSError("the resolver was closed") from None
            raise

    def _look_up(self, host: str) -> asyncio.Future[list[str]]:
        if (under_way := self._under_way.get(host)) is not None:
            return under_way
        future = asyncio.get_running_loop().run_in_executor(self._threads, _addresses_of, host)
        self._under_way[host] = future
        future.add_done_callback(lambda done: self._forget(host, done))
        return future

    def _forget(self, host: str, done: asyncio.Future[list[str]]) -> None:
        self._under_way.pop(host, None)
        if not done.cancelled():
            done.exception()  # marks it as seen: every caller may have given up by now

    async def close(self) -> None:
        """End what is under way; whoever waits for it gets an OSError."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses_of(host: str) -> list[str]:
    # Without AI_ADDRCONFIG, so that a machine without IPv6 still sees, and judges, the AAAA
    # records.
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
