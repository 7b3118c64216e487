"""Acceptance by a report: it proves that a message left whose hand-over was not written down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messaging
from core.conversations.addresses import identity_of
from core.conversations.queue.settle import settle, settlement_of
from core.conversations.reasons import FailureReason
from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.messaging import Status, StoredMessage
from core.messaging.queue.rows import QueuedMessage, dequeue
from core.providers.platform import PlatformAcceptance


@dataclass(frozen=True, slots=True)
class AcceptanceProof:
    """A (locked) message as it was, and what the first report on it says of its acceptance."""

    row: StoredMessage
    taken: PlatformAcceptance
    failed: bool
    at: datetime

    @property
    def is_news(self) -> bool:
        """It was still open, or counted as lost."""
        lost = (
            self.row["status"] == Status.FAILED
            and self.row["reason"] == FailureReason.INDETERMINATE
        )
        return self.row["status"] in (Status.QUEUED, Status.SENDING) or (lost and not self.failed)


async def dequeue_reported(mentioned: Sequence[tuple[str, str, str]]) -> dict[str, QueuedMessage]:
    """Dequeue, by message, the rows of those that are to be tried once more: they left
    already. Belongs before any lock on messages. `mentioned`: message, organization, environment,
    so that nobody takes another's.
    """
    again = await db.fetch(AGAIN, *db.columns(mentioned, 3))
    taken = await dequeue(column(again, "id")) if again else []
    return {queued.message_id: queued for queued in taken}


async def accept_reported(
    proofs: Sequence[AcceptanceProof], dequeued: Mapping[str, QueuedMessage]
) -> None:
    """Settle what is news as accepted, each at the time that its report tells, with its money and
    its event.
    """
    news = [proof for proof in proofs if proof.is_news]
    if not news:
        return
    await messaging.reopen([proof.row["id"] for proof in news])
    unified = await _unified({proof.row["organization_id"] for proof in news})
    # All in one: pairs are locked before wallets, and both in one order.
    await settle(
        [
            settlement_of(
                dequeued.get(proof.row["id"])
                or _as_it_was_queued(
                    proof.row, unified=unified.get(proof.row["organization_id"], True)
                ),
                proof.taken,
                proof.at,
            )
            for proof in news
        ]
    )


async def _unified(organization_ids: set[str]) -> dict[str, bool]:
    """Which organizations hold a mobile with and without its ninth digit for one phone."""
    rows = await db.fetch(
        "SELECT id, unifies_ninth_digit FROM organizations WHERE id = ANY ($1)",
        sorted(organization_ids),
    )
    return pairs_of(rows, "id", "unifies_ninth_digit")


def _as_it_was_queued(row: StoredMessage, *, unified: bool) -> QueuedMessage:
    """The queue row that a message had, as far as settling needs it."""
    owner = (row["organization_id"], row["env"])
    sender = row["number_id"] or row["instagram_account_id"] or ""
    identity = identity_of(row["channel"], owner[0], row["recipient"], unified=unified)
    at = row["created_at"]
    return QueuedMessage(
        row["id"],
        *owner,
        sender,
        identity,
        0,
        force=False,
        is_marketing=False,
        due_at=at,
        created_at=at,
    )


AGAIN = """
SELECT m.id FROM unnest($1::text[], $2::text[], $3::text[]) AS r (id, organization_id, env)
JOIN messages m USING (id, organization_id, env)
WHERE m.status = 'queued' AND m.attempts > 0
"""
