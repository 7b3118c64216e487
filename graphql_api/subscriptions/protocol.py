"""What may be said when, in graphql-transport-ws. No socket and no clock: a message in, what it
asks for out.

https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
"""

from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from core.foundation.validation.json_field import is_deeper

SUBPROTOCOL: Final = "graphql-transport-ws"

MAX_MESSAGE_BYTES = 1_000_000
"""As long as the body of a request."""

MAX_INTRODUCTION_BYTES = 10_000
"""Of the message in which a client says who it is: what nobody has shown a key for has no need to
be long.
"""

MAX_ID_LENGTH = 128
MAX_REASON_BYTES = 120
"""Bytes of a reason: a close frame has room for 123."""

MAX_OPERATIONS = 50
"""Under way in one conversation."""


class Closing(Exception):
    """The conversation ends with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")


@dataclass(frozen=True, slots=True)
class Init:
    """The client introduces itself."""

    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ping:
    """The client wants a pong."""


@dataclass(frozen=True, slots=True)
class Subscribe:
    """The client starts an operation; the payload is the body of a POST."""

    id: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Complete:
    """The client ends an operation that may be over already."""

    id: str


Said = Init | Ping | Subscribe | Complete


@dataclass(slots=True)
class Protocol:
    """The server's side of one conversation."""

    initialised: bool = False
    acknowledged: bool = False
    operations: set[str] = field(default_factory=set)
    """The ids under way."""

    def read(self, frame: str | bytes) -> Said | None:
        """What a frame asks for; None where nothing is to be done. Raises Closing for what may not
        be said.
        """
        message = _read(frame, MAX_MESSAGE_BYTES if self.initialised else MAX_INTRODUCTION_BYTES)
        match message.get("type"):
            case "connection_init":
                return self._init(_payload_of(message))
            case "ping":
                _payload_of(message)
                return Ping()
            case "pong":
                _payload_of(message)
                return None
            case "subscribe":
                return self._subscribe(_id_of(message), message.get("payload"))
            case "complete":
                id = _id_of(message)
                self.operations.discard(id)
                return Complete(id)
            case _:
                raise Closing(4400, "Invalid message: unknown type")

    def _init(self, payload: dict[str, Any]) -> Init:
        if self.initialised:
            raise Closing(4429, "Too many initialisation requests")
        self.initialised = True
        return Init(payload)

    def _subscribe(self, id: str, payload: Any) -> Subscribe:
        if not self.acknowledged:
            raise Closing(4401, "Unauthorized")
        if not isinstance(payload, dict):
            raise Closing(4400, "Invalid message: payload is an object with query")
        if id in self.operations:
            raise Closing(4409, "Subscriber for this id already exists")
        self.operations.add(id)
        return Subscribe(id, payload)

    def acknowledge(self) -> str:
        """The client is known from now on."""
        self.acknowledged = True
        return said("connection_ack")


def said(type: str, **more: Any) -> str:
    """A message of ours, as text: clients expect text frames."""
    return orjson.dumps({"type": type, **more}).decode()


def _read(frame: str | bytes, longest: int) -> dict[str, Any]:
    if len(frame) > longest:
        raise Closing(1009, "The message is too large")
    if not isinstance(frame, str):
        raise Closing(4400, "Invalid message: send text frames")
    try:
        message = orjson.loads(frame)
    except orjson.JSONDecodeError:
        raise Closing(4400, "Invalid message: not JSON") from None
    if not isinstance(message, dict):
        raise Closing(4400, "Invalid message: not an object")
    if is_deeper(message):
        raise Closing(4400, "Invalid message: nested too deep")
    return message


def _payload_of(message: dict[str, Any]) -> dict[str, Any]:
    payload = message.get("payload")
    if payload is None:
        return {}
    if not isinstance(payload, dict):
        raise Closing(4400, "Invalid message: payload is an object")
    return payload


def _id_of(message: dict[str, Any]) -> str:
    id = message.get("id")
    if not isinstance(id, str) or not 1 <= len(id) <= MAX_ID_LENGTH:
        raise Closing(4400, "Invalid message: id is a text")
    return id
