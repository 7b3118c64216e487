"""The look-up of names: slow name servers, callers that give up, and the end of the process."""

import asyncio
import gc
import socket
import threading
from collections.abc import Iterator

import pytest

from core.foundation.http_client.resolver import SystemResolver

V4, V6 = "93.184.215.14", "2606:4700::1"


class SlowNames:
    """getaddrinfo whose answer for slow names waits for `release`."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.release = threading.Event()

    def getaddrinfo(self, host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        self.asked.append(host)
        if host.startswith("slow"):
            self.release.wait(5)
        v4 = (socket.AF_INET, socket.SOCK_STREAM, 6, "", (V4, 0))
        return [v4, v4, (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (V6, 0, 0, 0))]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowNames]:
    slow = SlowNames()
    monkeypatch.setattr(socket, "getaddrinfo", slow.getaddrinfo)
    yield slow
    slow.release.set()


async def test_every_address_of_a_name_is_found_once(names: SlowNames) -> None:
    resolver = SystemResolver()
    found = await resolver.resolve("example.com")
    await resolver.close()
    assert found == [V4, V6]


async def test_a_slow_name_holds_one_thread_and_stops_no_other(names: SlowNames) -> None:
    resolver = SystemResolver(threads=2)
    slow = [asyncio.create_task(resolver.resolve("slow.example.com")) for _ in range(50)]
    await asyncio.sleep(0)
    await asyncio.wait_for(resolver.resolve("quick.example.com"), 2)
    slow[0].cancel()  # one caller gives up; the others still get their answer
    await asyncio.sleep(0)
    names.release.set()
    given_up, *answered = await asyncio.gather(*slow, return_exceptions=True)
    await resolver.close()
    assert isinstance(given_up, asyncio.CancelledError)
    assert all(isinstance(found, list) and found for found in answered)
    assert names.asked.count("slow.example.com") == 1


async def test_a_look_up_that_fails_after_everyone_gave_up_is_no_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()

    def getaddrinfo(*_: object, **__: object) -> None:
        release.wait(5)
        raise socket.gaierror("no such host")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    noise: list[dict[str, object]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: noise.append(context))
    try:
        resolver = SystemResolver()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(resolver.resolve("example.com"), 0.01)
        release.set()
        await asyncio.sleep(0.05)
        await resolver.close()
        gc.collect()
    finally:
        loop.set_exception_handler(None)
    assert noise == []


async def test_a_look_up_is_forgotten_when_it_ends(names: SlowNames) -> None:
    resolver = SystemResolver()
    for _ in range(3):
        await resolver.resolve("example.com")
    await resolver.close()
    assert len(names.asked) == 3


async def test_closing_ends_waiting_look_ups_without_cancelling_the_callers(
    names: SlowNames,
) -> None:
    resolver = SystemResolver(threads=1)
    holding = asyncio.create_task(resolver.resolve("slow.example.com"))
    waiting = asyncio.create_task(resolver.resolve("example.com"))
    await asyncio.sleep(0.01)
    await resolver.close()
    with pytest.raises(OSError, match="closed"):
        await asyncio.wait_for(waiting, 2)
    names.release.set()
    assert await asyncio.wait_for(holding, 2)
