"""The network as the process sees it, made up: every name that is looked up and every address that
is connected to.
"""

import asyncio
import socket
from asyncio import selector_events
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

LOOPBACK = "127.0.0.1"


class Network:
    """Answers look-ups and refuses connections below everything that could go around the guard, and
    keeps a record.

    `leads`: the answers for a name, one list of addresses after the other; the last one stays. A
    name that is not told of leads to this machine, so that whoever asks for one that he should not
    is not saved by an error. `open_ports`: those of this machine that are really connected to.
    """

    def __init__(self) -> None:
        self.leads: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.open_ports: set[int] = set()

    def look_up(self, host: Any, port: Any, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        """socket.getaddrinfo."""
        self.asked.append(host)
        answers = self.leads.get(host, [[LOOPBACK]])
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                socket.IPPROTO_TCP,
                "",
                (address, port or 0, 0, 0) if ":" in address else (address, port or 0),
            )
            for address in found
        ]

    def forget(self) -> None:
        """What happened so far."""
        self.asked.clear()
        self.connected.clear()


@contextmanager
def a_network() -> Iterator[Network]:
    """Everything that this process connects to from now on, but the sockets in the file system of
    its own servers.
    """
    assert isinstance(asyncio.get_running_loop(), selector_events.BaseSelectorEventLoop)
    network = Network()
    really_connect = selector_events.BaseSelectorEventLoop.sock_connect

    async def sock_connect(loop: Any, sock: socket.socket, address: Any) -> None:
        if isinstance(address, tuple):
            network.connected.append((address[0], address[1]))
            if address[0] != LOOPBACK or address[1] not in network.open_ports:
                raise ConnectionRefusedError("nobody is there")
        await really_connect(loop, sock, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selector_events.BaseSelectorEventLoop, "sock_connect", sock_connect)
        patch.setattr(socket, "getaddrinfo", network.look_up)
        yield network
