"""Sandbox endings of conversational messages: all are accepted, delivery reports follow later."""

from collections.abc import Sequence
from datetime import datetime

from core.conversations.delivery_reports.apply import StatusChange, apply_status_changes
from core.conversations.queue.settle import Verdict, settlement_of
from core.foundation.database.rows import by_column
from core.foundation.database.transactions import transaction
from core.messaging import CONVERSATIONS, Settlement, StoredMessage, fetch_messages
from core.messaging.queue.rows import QueuedMessage
from core.providers import sandbox
from core.providers.platform import PlatformAcceptance
from core.providers.sandbox.conversations import WORDS, Step, conversation_story

BATCH_SIZE = 500
REFERENCE = "wamid.sbx."
"""What stands before our id in the id that the sandbox gives."""


def accepted_by_sandbox(one: QueuedMessage, *, at: datetime) -> Settlement[Verdict]:
    """The sandbox accepts every message."""
    return settlement_of(one, PlatformAcceptance(REFERENCE + one.message_id[4:]), at)


async def begin_stories(rows: Sequence[StoredMessage], *, at: datetime) -> None:
    """Write down how each message goes on that the sandbox has taken; in the transaction that takes
    it.
    """
    await _tell([(row, conversation_story(row["recipient"])) for row in rows], at=at)


async def apply_due_reports(*, at: datetime) -> int:
    """Apply the steps that are due and write down the next ones, in one transaction. Answers how
    many it took.
    """
    if not await sandbox.are_due(*CONVERSATIONS, at=at):
        return 0
    async with transaction():
        due = [
            report
            for channel in CONVERSATIONS
            for report in await sandbox.take_due_reports(channel, at=at, limit=BATCH_SIZE)
        ]
        found = by_column(
            await fetch_messages(
                "SELECT * FROM messages WHERE id = ANY ($1)", [report.message_id for report in due]
            ),
            "id",
        )
        await apply_status_changes(
            [
                StatusChange(
                    message_id=one.message_id,
                    organization_id=one.organization_id,
                    env=one.env,
                    status=one.status,
                    at=at,
                    code=one.reason,
                    error=WORDS.get(one.reason or ""),
                )
                for one in due
            ],
            at=at,
        )
        await _tell(
            [
                (found[one.message_id], tuple(tuple(step) for step in one.receipt.get("then", ())))
                for one in due
                if one.message_id in found
            ],
            at=at,
        )
    return len(due)


async def _tell(stories: Sequence[tuple[StoredMessage, tuple[Step, ...]]], *, at: datetime) -> None:
    await sandbox.tell_on(stories, lambda step: step, at=at)
