"""Claiming due messages from the queue in one transaction; what may leave becomes `sending`.

A message is marked before it is handed over, so that a crash in between can only lose it, never
send it twice: what stays `sending` without a word is settled by a report or counts as indeterminate
after ten minutes.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.conversations.queue.pacing import Quota
from core.conversations.queue.postpone import postponements
from core.conversations.queue.pre_send_checks import failure_before_send, lock_messages
from core.conversations.queue.queued_messages import COLUMNS, QueuedMessage, enqueue
from core.conversations.queue.settle import ConversationSettlement, PreSendFailure, settle
from core.conversations.sandbox import accepted_by_sandbox, begin_stories
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messaging import announce_messages

OUTCOME_TIMEOUT = timedelta(minutes=10)
"""How long a report may settle a message whose hand-over was not answered."""


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """A live message that is to be handed over now; its row is `sending`. `reply_to`: the
    platform's id.
    """

    queued: QueuedMessage
    row: db.Row
    to: str
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What a claim took: how many rows, what is to be handed over, and by sender what took a token
    for nothing.
    """

    taken: int
    ready: list[ReadyMessage]
    unused: Mapping[str, int]


async def claim(quotas: Sequence[Quota], *, at: datetime) -> ClaimResult:
    """Take what the quotas allow. What must not leave any more fails here, what must not leave yet
    waits on, and the sandbox takes its own at once.
    """
    async with transaction():
        taken = await _take_due(quotas, at=at)
        if not taken:
            return ClaimResult(0, [], {})
        facts = await lock_messages(taken)
        due = [one for one in taken if one.message_id in facts]
        failures = _failures(due, facts, at=at)
        postponed = await _postpone(_without(due, failures), at=at)
        leaving = _without(due, failures.keys() | postponed)
        stopped = [one for one in due if one.message_id in failures]
        begun = await _begin(leaving, stopped, at=at)
        live = [one for one in leaving if one.env == "live"]
        sandboxed = [one for one in leaving if one.env == "test"]
        # All in one: wallets are locked in one order.
        await settle(
            [
                *(ConversationSettlement(one, failures[one.message_id], at) for one in stopped),
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


async def _take_due(quotas: Sequence[Quota], *, at: datetime) -> list[QueuedMessage]:
    """Delete the rows that the quotas allow, and answer them in the order of their turn."""
    allowed = [(one.sender_id, one.urgency, one.count) for one in quotas]
    rows = await db.fetch(TAKE, *db.columns(allowed, 3), at)
    return sorted((QueuedMessage(*row.values()) for row in rows), key=_turn)


def _failures(
    due: Sequence[QueuedMessage], facts: Mapping[str, db.Row], *, at: datetime
) -> dict[str, PreSendFailure]:
    """The messages that must not leave any more, by id, and why."""
    found = {one.message_id: failure_before_send(one, facts[one.message_id], at=at) for one in due}
    return {id: failure for id, failure in found.items() if failure is not None}


async def _postpone(sendable: Sequence[QueuedMessage], *, at: datetime) -> set[str]:
    """Put back what must not leave yet. Answers the ids."""
    later = await postponements(sendable, at=at)
    await enqueue([replace(one, due_at=due_at) for one, due_at in later])
    return {one.message_id for one, _ in later}


def _without(due: Sequence[QueuedMessage], ids: Container[str]) -> list[QueuedMessage]:
    return [one for one in due if one.message_id not in ids]


async def _begin(
    leaving: Sequence[QueuedMessage], stopped: Sequence[QueuedMessage], *, at: datetime
) -> dict[str, db.Row]:
    """Mark messages as `sending`, also those that fail at once: only such a message is settled."""
    ids = [one.message_id for one in (*leaving, *stopped)]
    failing = [one.message_id for one in stopped]
    rows = await db.fetch(BEGIN, ids, failing, at, at + OUTCOME_TIMEOUT)
    return {row["id"]: row for row in rows}


def _unused_tokens(
    due: Sequence[QueuedMessage], leaving: Sequence[QueuedMessage]
) -> Mapping[str, int]:
    """By sender, the tokens that were taken for messages that do not leave."""
    left = {one.message_id for one in leaving}
    return Counter(one.sender_id for one in _without(due, left) if not one.force)


def _turn(one: QueuedMessage) -> tuple[int, datetime, datetime, str]:
    return one.urgency, one.due_at, one.created_at, one.message_id


def _ready(one: QueuedMessage, row: db.Row, facts: db.Row) -> ReadyMessage:
    return ReadyMessage(
        one, row, facts["platform_address"] or row["recipient"], facts["reply_reference"]
    )


TAKE = f"""
WITH picked AS (
    SELECT p.message_id
    FROM unnest($1::text[], $2::smallint[], $3::int[]) AS q (sender_id, urgency, count)
    CROSS JOIN LATERAL (
        SELECT w.message_id FROM waiting_messages w
        WHERE w.sender_id = q.sender_id AND w.urgency = q.urgency AND w.due_at <= $4
        ORDER BY w.due_at, w.created_at, w.message_id LIMIT q.count
        FOR UPDATE SKIP LOCKED) AS p
)
DELETE FROM waiting_messages WHERE message_id = ANY (ARRAY(SELECT message_id FROM picked)) RETURNING {COLUMNS}
"""

BEGIN = """
UPDATE messages
SET status = 'sending', attempts = attempts + CASE WHEN id = ANY ($2) THEN 0 ELSE 1 END, settle_at = $4,
    updated_at = $3
WHERE id = ANY ($1)
RETURNING *
"""
