"""The command to send one message, with everything that its transaction writes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core import wallet
from core.foundation.security.caller import Caller
from core.idempotency import KeyUse
from core.messaging.insert import MessageRow

Record = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class SendRequest:
    """One message that is to be accepted, with everything that is written in its transaction.

    `message`: the row; its `coins` are the price that is held. `at`: when it is asked for; later
    than the message where the request is repeated. `answer`: the unmasked 201 where it is known
    already (the sandbox answers in-process); without one the key is leased until the provider has
    answered. `keeps_answer`: it is stored for repeats; otherwise they are answered from the message,
    as it was accepted. `captured`: the price is kept at once. `identity`: the hash under which a
    denial of the recipient counts, and that of the contact which the message names; None where none
    does. `forbidden`: why a new send is refused before money, with nothing stored; a repeat is
    answered all the same. `refused`: the provider refused in-process; the (failed) message is kept,
    nothing is claimed or charged. `beside`: the values of the rows that the channel writes with it,
    by the name of their table. `also_write`: what else is written in the transaction, which is rare
    (short links). `quote_id`: the quote that the price is of; `prepaid`: it is taken from what is
    held for the quote.

    Not frozen, as the row: both are made of each send, and setting a field of a frozen one is a call.
    """

    caller: Caller
    use: KeyUse
    message: MessageRow
    at: datetime
    answer: Record | None = None
    keeps_answer: bool = True
    captured: bool = False
    identity: bytes | None = None
    forbidden: Exception | None = None
    refused: Exception | None = None
    beside: Mapping[str, Sequence[object]] | None = None
    also_write: Callable[[], Awaitable[None]] | None = None
    quote_id: str | None = None
    prepaid: bool = False
    asked: tuple[object, ...] | None = None
    """What the obstacles of its channel ask of it; None: nothing."""

    id: str = field(init=False)
    """Of the message."""
    owner: wallet.Owner = field(init=False)
    """Whose wallet pays."""

    def __post_init__(self) -> None:
        self.id = self.message.id
        self.owner = (self.caller.organization_id, self.caller.env)
