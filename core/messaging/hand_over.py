"""Handing a live message of a request to its phone provider, and settling it by the answer."""

from collections.abc import Awaitable, Callable, Sequence

from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.dry_run import is_dry_run
from core.messaging.fail_over import hand_over_in_turn
from core.messaging.models import Channel, Status
from core.messaging.phone_answers import PhoneVerdict
from core.messaging.send_request import Record
from core.messaging.settle import Result, Settlement
from core.providers import registry
from core.providers.contracts import Accepted, Answer, Outgoing

Settle = Callable[[Sequence[Settlement[PhoneVerdict]]], Awaitable[Sequence[Result]]]


class HandOver:
    """Hands over the messages of one channel; what is answered at the same time is settled together.

    `open`: the status of a message whose outcome is not known.
    """

    def __init__(self, channel: Channel, settle: Settle, *, open: Status) -> None:
        self._channel = channel
        self._open = open
        self.settlements: Combiner[Settlement[PhoneVerdict], Record | None] = Combiner(settle)

    async def __call__(self, outgoing: Outgoing) -> Record:
        """Ask the provider, with no transaction open; answer the settled record or raise the
        refusal. In a dry run nobody is asked, and the message counts as taken.

        A crash from here on leaves the message open: reconciliation asks the provider about it, and
        hands it over again only where the provider promises to take it once.
        """
        carriers = registry.carriers(self._channel, outgoing.route)
        assert carriers, "a live send without a provider is refused before"
        if is_dry_run():
            answer: Answer = Accepted(f"simulado_{outgoing.id}")
        else:
            answer = await hand_over_in_turn(carriers, outgoing, open=self._open)
        record = await self.settlements.submit(Settlement(outgoing.id, answer, now()))
        assert record is not None, "a request is answered, or refused"
        return record
