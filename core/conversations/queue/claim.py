"""Claiming due messages from the queue in one transaction; what may leave becomes `sending`.

A message is marked before it is handed over, so that a crash in between can only lose it, never
send it twice: what stays `sending` without a word is settled by a report or counts as indeterminate
after ten minutes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.conversations.queue.postpone import postponements
from core.conversations.queue.pre_send_checks import (
    LeavingFacts,
    failure_before_send,
    lock_messages,
)
from core.conversations.queue.settle import PreSendFailure, settle, settlement_of
from core.conversations.sandbox import accepted_by_sandbox, begin_stories
from core.foundation.absent import without_none
from core.foundation.database.transactions import transaction
from core.messaging import Status, StoredMessage, announce_messages, timeouts
from core.messaging.queue.claim import Quota, begin_hand_over, take_due
from core.messaging.queue.dispatcher import ClaimResult
from core.messaging.queue.rows import QueuedMessage, enqueue, without


@dataclass(frozen=True, slots=True)
class ReadyConversationMessage:
    """A live message that is to be handed over now; its row is `sending`. `reply_to`: the
    platform's id.
    """

    queued: QueuedMessage
    row: StoredMessage
    to: str
    reply_to: str | None


async def claim(quotas: Sequence[Quota], *, at: datetime) -> ClaimResult[ReadyConversationMessage]:
    """Take what the quotas allow. What must not leave any more fails here, what must not leave yet
    waits on, and the sandbox takes its own at once.
    """
    async with transaction():
        taken = await take_due(quotas, at=at)
        if not taken:
            return ClaimResult(0, [], {})
        facts = await lock_messages(taken)
        due = [one for one in taken if one.message_id in facts]
        failures = _failures(due, facts, at=at)
        postponed = await _postpone(without(due, failures), at=at)
        leaving = without(due, failures.keys() | postponed)
        stopped = [one for one in due if one.message_id in failures]
        begun = await _begin(leaving, stopped, at=at)
        live = [one for one in leaving if one.env == "live"]
        sandboxed = [one for one in leaving if one.env == "test"]
        # All in one: wallets are locked in one order.
        await settle(
            [
                *(settlement_of(one, failures[one.message_id], at) for one in stopped),
                *(accepted_by_sandbox(one, at=at) for one in sandboxed),
            ]
        )
        await begin_stories([begun[one.message_id] for one in sandboxed], at=at)
        await announce_messages([begun[one.message_id] for one in live])
    return ClaimResult(
        taken=len(taken),
        ready=[_ready(one, begun[one.message_id], facts[one.message_id]) for one in live],
        unused=_unused_tokens(due, leaving),
    )


def _failures(
    due: Sequence[QueuedMessage], facts: Mapping[str, LeavingFacts], *, at: datetime
) -> dict[str, PreSendFailure]:
    """The messages that must not leave any more, by id, and why."""
    found = {one.message_id: failure_before_send(one, facts[one.message_id], at=at) for one in due}
    return without_none(found)


async def _postpone(sendable: Sequence[QueuedMessage], *, at: datetime) -> set[str]:
    """Put back what must not leave yet. Answers the ids."""
    later = await postponements(sendable, at=at)
    await enqueue([replace(one, due_at=due_at) for one, due_at in later])
    return {one.message_id for one, _ in later}


async def _begin(
    leaving: Sequence[QueuedMessage], stopped: Sequence[QueuedMessage], *, at: datetime
) -> dict[str, StoredMessage]:
    """Mark messages as `sending`, also those that fail at once: only such a message is settled."""
    ids = [one.message_id for one in (*leaving, *stopped)]
    failing = [one.message_id for one in stopped]
    # A report may settle what was not answered, for so long.
    until = at + timeouts.NOT_FOUND_TIMEOUT
    return await begin_hand_over(ids, status=Status.SENDING, until=until, uncounted=failing, at=at)


def _unused_tokens(
    due: Sequence[QueuedMessage], leaving: Sequence[QueuedMessage]
) -> Mapping[str, int]:
    """By sender, the tokens that were taken for messages that do not leave."""
    left = {one.message_id for one in leaving}
    return Counter(one.sender_id for one in without(due, left) if not one.force)


def _ready(one: QueuedMessage, row: StoredMessage, facts: LeavingFacts) -> ReadyConversationMessage:
    return ReadyConversationMessage(
        one, row, facts["platform_address"] or row["recipient"], facts["reply_reference"]
    )
