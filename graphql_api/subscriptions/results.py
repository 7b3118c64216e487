"""Results as they go over the wire: written once, whoever they go to."""

from collections.abc import Sequence
from typing import Any, Final

import orjson
from graphql import ExecutionResult
from websockets.frames import Frame, Opcode

from core.foundation.ids import random_base62
from graphql_api.errors import as_wire

REQUEST_ID: Final = f"req_{random_base62(21)}"
"""Stands in what is shared where each reader gets the id of its own request. Nobody else can know
it.
"""


class SubscriptionResult:
    """One result of a subscription, as the bytes that all its readers get, but for ids."""

    __slots__ = ("_parts", "size")

    def __init__(self, result: ExecutionResult) -> None:
        content: dict[str, Any] = {"data": result.data}
        if result.errors:
            content["errors"] = [as_wire(error, request_id=REQUEST_ID) for error in result.errors]
        written = orjson.dumps(content)
        self.size = len(written)
        self._parts = written.split(REQUEST_ID.encode()) if result.errors else [written]

    @property
    def names_request(self) -> bool:
        """Whether the id of the reader's request is part of it."""
        return len(self._parts) > 1

    def message(self, reader: "ResultReader") -> bytes:
        """The `next` of the protocol for one reader."""
        return b"%b%b}" % (reader.head, reader.request_id.join(self._parts))


class ResultReader:
    """Who a result is written for: what `next` begins with under the id of its operation, and its
    request's id.
    """

    __slots__ = ("head", "request_id")

    def __init__(self, id: str, request_id: str | None) -> None:
        self.head = b'{"type":"next","id":%b,"payload":' % orjson.dumps(id)
        self.request_id = orjson.dumps(request_id)[1:-1] if request_id else b""


class ResultFrames:
    """Results as text frames; readers whose frames are the same share the bytes."""

    def __init__(self, results: Sequence[SubscriptionResult]) -> None:
        self.results = results
        self._name_request = any(result.names_request for result in results)
        self._written: dict[tuple[bytes, bytes], bytes] = {}

    def of(self, reader: ResultReader) -> bytes:
        """All results, one frame behind the other."""
        key = (reader.head, reader.request_id if self._name_request else b"")
        written = self._written.get(key)
        if written is None:
            frames = (
                Frame(Opcode.TEXT, result.message(reader)).serialize(mask=False)
                for result in self.results
            )
            written = self._written[key] = b"".join(frames)
        return written
