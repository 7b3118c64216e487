"""A send whose input is sound, and how it can come out."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core import wallet
from core.foundation.security.caller import Caller
from core.idempotency import KeyUse
from core.messages.insert import NewMessage

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """One message that is to be taken in, with everything that is written beside it.

    `message`: the row; its `coins` are the price that is held. `answer`: the unmasked 201 where it
    is known already (the sandbox answers in-process); without one the key is leased until the
    provider has answered. `captured`: the price is kept at once. `identity`: the hash under which a
    denial of the recipient counts, and that of the contact which the message names; None where none
    does. `forbidden`: why a new send is refused before money, with nothing stored; a repeat is
    answered all the same. `refused`: the provider said no in-process; the (failed) message is kept,
    nothing is claimed or charged. `beside`: what else is written in the transaction (links, a
    sandbox report, a letter).
    """

    caller: Caller
    use: KeyUse
    message: NewMessage
    answer: Mapping[str, Any] | None = None
    captured: bool = False
    identity: bytes | None = None
    forbidden: Exception | None = None
    refused: Exception | None = None
    beside: Callable[[], Awaitable[None]] | None = None

    @property
    def owner(self) -> wallet.Owner:
        """Whose wallet pays."""
        return (self.caller.organization_id, self.caller.env)


@dataclass(frozen=True, slots=True)
class Taken:
    """The unmasked answer, and whether it is an earlier one said again."""

    record: Record
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """Written down with its price held: the provider is to be asked now, with no transaction open."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """An earlier send with this key whose outcome is not known yet: its message is the answer."""

    message_id: str


@dataclass(frozen=True, slots=True)
class UnderWay:
    """Another send with this key has not finished: ask again."""


Outcome = Taken | Held | Unsettled | UnderWay
