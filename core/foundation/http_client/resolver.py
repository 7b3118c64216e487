"""Guarded DNS resolver: all addresses of a name are looked up; one not allowed refuses the name."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult


class GuardedResolver(AbstractResolver):
    """Hands on what `inner` found, after `admit` has seen every address of it.

    The connection is made to exactly these addresses, with no second look-up in between, so a name
    that changes its mind (DNS rebinding) gains nothing. `admit` raises `OutboundRefused`.
    """

    def __init__(self, inner: AbstractResolver, admit: Callable[[str], None]) -> None:
        self._inner = inner
        self._admit = admit

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if not found:
            raise OSError("the name has no address")
        for result in found:
            self._admit(result["host"])
        return found

    async def close(self) -> None:
        await self._inner.close()


class SystemResolver(AbstractResolver):
    """getaddrinfo on threads of its own.

    A customer's name server may take half a minute to answer. On the loop's shared threads (six on
    two cores) a handful of such names would stop everything else that needs a thread. Callers of
    one name share one look-up while it is under way, so a slow name holds one thread.
    """

    def __init__(self, threads: int = 32) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dns")
        self._under_way: dict[str, asyncio.Future[list[str]]] = {}

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 - every address has to be seen
    ) -> list[ResolveResult]:
        look_up = self._look_up(host)
        try:
            addresses = await asyncio.shield(look_up)
        except asyncio.CancelledError:
            if look_up.cancelled():  # by `close`: nobody cancelled the caller
                raise OSError("the resolver was closed") from None
            raise
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

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
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses_of(host: str) -> list[str]:
    # Without AI_ADDRCONFIG, so that a machine without IPv6 still sees, and judges, the AAAA
    # records.
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
