"""The head of an answer leaves with its body, and no later than at the end of its turn."""

import asyncio
from collections.abc import Iterable
from typing import Any

from rest_api.joined_writes import LARGE, JoinedWrites

HEAD = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n"


class Transport:
    """Remembers what is asked of it."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def write(self, data: bytes) -> None:
        self.heard.append(data)

    def writelines(self, parts: Iterable[bytes]) -> None:
        self.heard.append(tuple(parts))

    def close(self) -> None:
        self.heard.append("close")

    def abort(self) -> None:
        self.heard.append("abort")

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 5

    def get_protocol(self) -> str:
        return "its own"


async def test_a_head_leaves_with_its_body_or_at_the_end_of_its_turn() -> None:
    bare: Any = Transport()
    joined = JoinedWrites(bare, asyncio.get_running_loop())

    joined.write(HEAD)
    assert (bare.heard, joined.get_write_buffer_size()) == ([], 5 + len(HEAD))
    joined.write(b"{}")
    joined.write(b"more")
    await asyncio.sleep(0)
    assert bare.heard == [HEAD + b"{}", b"more"]

    bare.heard.clear()
    joined.write(HEAD)
    await asyncio.sleep(0)
    joined.write(b"{}")
    assert bare.heard == [HEAD, b"{}"]

    bare.heard.clear()
    joined.write(HEAD)
    joined.write(large := b"x" * LARGE)
    assert bare.heard == [(HEAD, large)]
    assert (joined.get_protocol(), joined.is_closing()) == ("its own", False)


async def test_a_head_alone_leaves_before_its_connection_is_closed_and_not_when_it_is_cut() -> None:
    heard = {}
    for end in ("close", "abort"):
        bare: Any = Transport()
        joined = JoinedWrites(bare, asyncio.get_running_loop())
        joined.write(HEAD)
        getattr(joined, end)()
        await asyncio.sleep(0)
        heard[end] = bare.heard

    assert heard == {"close": [HEAD, "close"], "abort": ["abort"]}


async def test_what_is_written_to_a_connection_that_is_gone_is_dropped() -> None:
    bare: Any = Transport()
    joined = JoinedWrites(bare, asyncio.get_running_loop())
    joined.write(HEAD)
    joined.lose()
    joined.write(HEAD)
    joined.write(b"x" * LARGE)
    joined.write(b"{}")
    joined.write(HEAD)
    await asyncio.sleep(0)
    assert bare.heard == []
