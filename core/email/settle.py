"""How e-mails are settled that were handed over: price, suppression, events, outbox row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias

from core import messaging
from core.email.events import publish_moves
from core.email.retry_policy import next_attempt
from core.email.suppression import SUPPRESSED, NewSuppression, suppress
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import after_commit
from core.messaging import Money, NextState, Settlement, Status, StoredMessage, count_moved
from core.providers.email import EmailAccepted, EmailDeferred, EmailOutcomeUnknown, EmailRefused

HARD = "invalid_address"
"""The reason of an e-mail whose address does not work and never will."""


@dataclass(frozen=True, slots=True)
class EmailStopped:
    """Not handed over at all: its recipient must not get it any more, or the e-mail is gone."""

    reason: str = SUPPRESSED


EmailOutcome: TypeAlias = (
    EmailAccepted | EmailRefused | EmailDeferred | EmailOutcomeUnknown | EmailStopped
)


def _next_state(one: Settlement[EmailOutcome], row: StoredMessage) -> NextState:
    match one.verdict:
        case EmailAccepted() | EmailOutcomeUnknown():
            # Unknown: the whole e-mail was transmitted, so it has most likely left; it is never
            # transmitted again.
            return NextState(Status.SENT, money=Money.CAPTURE)
        case EmailRefused(reason=reason) | EmailStopped(reason=reason):
            return NextState(Status.FAILED, reason, Money.RELEASE)
        case EmailDeferred(reason=reason):
            again = next_attempt(messaging.since_of(row), at=one.at)
            if again is None:
                return NextState(Status.FAILED, reason, Money.RELEASE)
            # It has not left after all: the mark of its hand-over goes.
            return NextState(Status.QUEUED, settle_at=again, forgets_reference=True)


async def _tell(rows: Sequence[StoredMessage], at: datetime) -> None:
    """The outcome of these messages is known: their e-mails go, bad addresses are suppressed."""
    await delete_from_outbox(column(rows, "id"))
    await suppress(
        [
            NewSuppression(row["organization_id"], row["env"], row["recipient"], HARD, row["id"])
            for row in rows
            if row["reason"] == HARD
        ],
        at=at,
    )
    await publish_moves(rows, at=at)
    await after_commit(partial(_count, rows))


async def _count(moved: Sequence[StoredMessage]) -> None:
    for row in moved:
        count_moved(row["channel"], row["env"], row["status"])


async def delete_from_outbox(ids: Sequence[str]) -> None:
    """The outcome of these messages is known: their e-mails go."""
    await db.execute_for(ids, "DELETE FROM email_letters WHERE message_id = ANY ($1)", list(ids))


POLICY: messaging.ChannelPolicy[EmailOutcome] = messaging.ChannelPolicy(
    open=Status.QUEUED, next_state=_next_state, tell=_tell
)

settle = partial(messaging.settle, POLICY)
"""Settle e-mails."""
