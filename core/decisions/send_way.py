"""How a channel is asked what would become of a send."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from core.decisions.inputs import SendQuestion
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input

New = TypeVar("New", bound=Input)


@dataclass(frozen=True, slots=True)
class SendWay(Generic[New]):
    """How a channel sends in a dry run, and how it names what is asked about it.

    `takes`: the input of a send. `send`: the send itself, by an Idempotency-Key. `fields`: those of
    the input for a question, with the address of its recipient; None is left out. `renames`: the
    names of its input, by those of the question. `routes`: its route for each category, where it
    has routes in place of categories. `route_in`: the field of the question that its route or kind
    of price stands in.
    """

    takes: type[New]
    send: Callable[[Caller, New, str], Awaitable[Mapping[str, object]]]
    fields: Callable[[SendQuestion, str | None], dict[str, object]]
    renames: Mapping[str, str]
    routes: Mapping[str, str] = field(default_factory=dict)
    route_in: str | None = None
