"""A provider inside the test's process: it answers as it is told and remembers what it was asked."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from core.providers.contracts import Accepted, Answer, Lookup, MessageNotFound, Outgoing

Behaviour: TypeAlias = Callable[[Outgoing], Awaitable[Answer]]


class ScriptedProvider:
    """Accepts everything until it is told otherwise; of what became of a message it knows what
    `knows` says.
    """

    name = "gateway"
    is_idempotent = False

    def __init__(self) -> None:
        self.asked: list[Outgoing] = []
        """The messages handed over, whatever came of them."""
        self.looked_up: list[str] = []
        self.knows: dict[str, Lookup] = {}
        self.always: Behaviour = accept
        self._next: deque[Answer | Behaviour] = deque()

    def will(self, *answers: Answer | Behaviour) -> None:
        """What the next sends meet, one each; afterwards `always` holds again."""
        self._next.extend(answers)

    async def send(self, outgoing: Outgoing) -> Answer:
        """Take one message as the script says."""
        self.asked.append(outgoing)
        answer = self._next.popleft() if self._next else self.always
        return await answer(outgoing) if callable(answer) else answer

    async def look_up(self, message_id: str) -> Lookup:
        """What the script knows of a message."""
        self.looked_up.append(message_id)
        return self.knows.get(message_id, MessageNotFound())

    async def probe(self) -> str:
        """It always could."""
        return "is a script"


def reference_of(message_id: str) -> str:
    """The provider's own id of a message that it accepted."""
    return f"gw_{message_id[4:]}"


async def accept(outgoing: Outgoing) -> Answer:
    """Taken."""
    return Accepted(reference_of(outgoing.id))


class Crash(Exception):
    """What ends a request in the middle, as the death of its process does."""


async def crash(outgoing: Outgoing) -> Answer:
    """Nothing comes back, and the request does not go on."""
    raise Crash
