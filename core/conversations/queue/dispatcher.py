"""The dispatcher of conversations: what their queue does besides waiting."""

from collections.abc import Mapping, Sequence

from core.conversations.queue.claim import ReadyConversationMessage, claim
from core.conversations.queue.hand_over import Sender, hand_over
from core.conversations.queue.pacing import (
    DueSender,
    find_due_senders,
    return_tokens,
    take_tokens,
)
from core.conversations.queue.settle import Verdict, settle
from core.messaging import Settlement
from core.messaging.queue.dispatcher import (
    MAX_IN_FLIGHT,
    MAX_PER_SENDER,
    QueueDispatcher,
    QueueOfChannels,
)
from core.numbers.models import InstagramAccount, Number
from core.providers import registry


class ConversationDispatcher(QueueDispatcher[DueSender, ReadyConversationMessage]):
    """Lets conversational messages leave."""

    def __init__(
        self, *, max_in_flight: int = MAX_IN_FLIGHT, max_per_sender: int = MAX_PER_SENDER
    ) -> None:
        queue = QueueOfChannels(
            find_due=find_due_senders,
            take_tokens=take_tokens,
            return_tokens=return_tokens,
            prepare=_senders,
            claim=claim,
            hand_over=_hand_over,
            settle=settle,
        )
        super().__init__(queue, max_in_flight=max_in_flight, max_per_sender=max_per_sender)


async def _hand_over(
    ready: ReadyConversationMessage, senders: Mapping[str, Sender]
) -> Settlement[Verdict] | None:
    return await hand_over(ready, senders.get(ready.queued.sender_id), registry.for_conversations())


async def _senders(due: Sequence[DueSender]) -> dict[str, Sender]:
    """The numbers and accounts that something leaves from."""
    ids = [one.id for one in due]
    if not ids:
        return {}
    found: dict[str, Sender] = {number.id: number for number in await Number.filter(id__in=ids)}
    return found | {account.id: account for account in await InstagramAccount.filter(id__in=ids)}
