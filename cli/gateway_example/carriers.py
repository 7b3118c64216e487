"""What stands behind a gateway: a carrier takes messages, and tells later what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from aiohttp import web

Message = dict[str, Any]
"""As the service sent it: `{id, organizationId, channel, to, text | content, route, senderId?}`."""


@dataclass(frozen=True)
class CarrierAccepted:
    """The carrier has it, under this id of its own."""

    reference: str


@dataclass(frozen=True)
class CarrierRefused:
    """Nobody can reach this recipient; the same message would be refused again."""

    reason: str


@dataclass(frozen=True)
class CarrierBusy:
    """Nothing left, and the message may come again. `status`: what the service is answered."""

    status: int
    retry_after: int | None = None


@dataclass(frozen=True)
class Lost:
    """Nobody knows: it was handed over, and no readable answer came. It must not leave again."""


Answer = CarrierAccepted | CarrierRefused | CarrierBusy | Lost


class Tell(Protocol):
    """Keeps a receipt or a reply about a message until the service took it."""

    def __call__(
        self, kind: str, message_id: str, fields: dict[str, Any], *, delay: float = 0.0
    ) -> None: ...


class Carrier(Protocol):
    """Who takes the messages: the last digits of phones, or an aggregator."""

    name: str

    async def send(self, message: Message) -> Answer:
        """Hand one message over, once. Raises nothing that the network may cause."""
        ...

    def routes(self) -> "Sequence[web.RouteDef]":
        """The addresses at which the carrier reports by itself, if any."""
        ...

    async def close(self) -> None:
        """Let connections go."""
        ...
