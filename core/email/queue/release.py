"""Releasing queued e-mails that are due into the outbox, by their priority.

The outbox hands them over like any other: under its lease, asking again who said no. Only few wait
there at a time, so that what requests send is never behind a campaign.
"""

from datetime import datetime

from core.email.settle import EmailStopped, settle
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.foundation.moved_clocks import may_drain, narrowed
from core.messaging import Channel, Settlement, Status
from core.messaging.queue.claim import begin_hand_over, lock_queued, take_due
from core.messaging.queue.due_organizations import (
    DueOrganization,
    find_due_organizations,
    grant_all,
)
from core.messaging.queue.pacing import Pacing
from core.messaging.queue.rows import QueuedMessage

MAX_IN_OUTBOX = 200
"""E-mails that are due in the outbox, beyond which none is released."""

EXPIRED = "provider_error"
"""The reason of an e-mail that nobody took within its validity."""


class QueueRelease:
    """Releases what is due. It remembers what bulk is owed."""

    def __init__(self) -> None:
        self._pacing: Pacing[DueOrganization] = Pacing(grant_all)

    async def release_due(self, *, at: datetime) -> int:
        """Put what is due into the outbox, as much as it has place for. Answers how many it took."""
        found = await find_due_organizations(Channel.EMAIL, at=at, most=MAX_IN_OUTBOX)
        due = [one for one in found if may_drain(one.organization_id, one.env)]
        if not due:
            return 0
        free = MAX_IN_OUTBOX - await db.fetchval(*narrowed(IN_OUTBOX, at, MAX_IN_OUTBOX))
        quotas = await self._pacing.allot(due, slots=free) if free > 0 else []
        if not quotas:
            return 0
        async with transaction():
            taken = await take_due(quotas, at=at)
            await _release(taken, at=at)
        return len(taken)


async def _release(taken: list[QueuedMessage], *, at: datetime) -> None:
    """Put these into the outbox, due at once; those whose time is over fail."""
    queued = await lock_queued([one.message_id for one in taken])
    await begin_hand_over(queued, status=Status.QUEUED, until=at, at=at)
    over = {one.message_id for one in taken if one.expires_at is not None and one.expires_at <= at}
    await settle([Settlement(id, EmailStopped(EXPIRED), at) for id in queued if id in over])
    await wake(Job.HAND_OVER_EMAILS)


IN_OUTBOX = """
SELECT count(*) FROM (
    SELECT FROM messages WHERE channel = 'email' AND settle_at <= $1 AND direction = 'outbound' /* whose */
    LIMIT $2) AS due
"""
