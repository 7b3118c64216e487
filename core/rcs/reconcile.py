"""Reconciliation of RCS messages: no answer, on their way as SMS, or never reported on."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from core import messaging
from core.foundation.database.transactions import transaction
from core.messaging import Channel, OtherWay, Status
from core.rcs.fallback import go_on, is_diverted
from core.rcs.outgoing import MARKETING_ROUTE, outgoing_of
from core.rcs.price import give_back, pay
from core.rcs.settle import settle

REPEATABLE = messaging.Repeatable(Channel.RCS, Status.QUEUED, MARKETING_ROUTE, outgoing_of)


async def _close(ids: Sequence[str], *, at: datetime) -> None:
    """Messages of which nobody told in three days which way they took: those that failed give back
    what is still held, the others are taken for delivered by RCS.
    """
    if not ids:
        return
    async with transaction():
        rows = await messaging.fetch_messages(
            (
                "SELECT * FROM messages WHERE id = ANY ($1) AND settle_at IS NOT NULL ORDER "
                "BY id FOR UPDATE"
            ),
            ids,
        )
        await give_back([row for row in rows if row["status"] == Status.FAILED], at=at)
        await pay(
            [row for row in rows if row["status"] in (Status.SENT, Status.DELIVERED, Status.READ)],
            at=at,
        )


reconcile = partial(
    messaging.reconcile,
    messaging.Reconciliation(REPEATABLE, settle, _close, OtherWay(is_diverted, go_on)),
)
"""Settle what is due. Answers how many messages it looked at."""
