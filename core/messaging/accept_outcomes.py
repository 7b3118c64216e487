"""What becomes of a send when it is accepted, on any channel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Grant


@dataclass(slots=True)
class AcceptedSend:
    """The unmasked answer, and whether it is an earlier one given again (a replay). `allowance`: what
    is left of the ceiling that a new send met, once its channel has noted it.
    """

    record: dict[str, Any]
    replayed: bool = False
    allowance: Grant | None = None

    def answer_for(
        self, caller: Caller, masked: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> dict[str, Any]:
        """The answer as the caller may see it, and whether it is an earlier one."""
        record = self.record if caller.sees_personal_data else masked(self.record)
        return {**record, "replayed": self.replayed}


@dataclass(slots=True)
class AwaitingProvider:
    """Stored with its price held: the provider is to be asked now, with no transaction open."""

    allowance: Grant | None = None


@dataclass(frozen=True, slots=True)
class OutcomePending:
    """An earlier send with this key whose outcome is not known yet, or whose answer is not stored: its
    message is the answer.
    """

    message_id: str


@dataclass(frozen=True, slots=True)
class InProgress:
    """Another send with the same key has not finished: ask again.

    `elsewhere`: it is not of this batch, so asking again at once is of no use.
    """

    elsewhere: bool = True


AcceptOutcome = AcceptedSend | AwaitingProvider | OutcomePending | InProgress
