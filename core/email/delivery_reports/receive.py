"""Receiving delivery reports of live e-mails: late, duplicate, or about none of ours."""

from collections.abc import Sequence
from datetime import datetime

from core import messaging
from core.email.delivery_reports.apply import apply_moves
from core.email.settle import EmailSettlement, settle
from core.foundation.database.transactions import transaction
from core.messaging import Channel, LoggedReport, Status, StatusUpdate
from core.providers.email import EmailAccepted, Feedback
from core.providers.smtp import PROVIDER


async def receive_feedback(
    organization_id: str, feedback: Sequence[Feedback], *, at: datetime
) -> None:
    """Apply reports and publish what they tell, in one transaction. What is about nobody's e-mail
    is passed over: our ids stand in e-mails from the start, so nothing is waited for.
    """
    async with transaction():
        rows = await messaging.lock_matching(
            organization_id,
            "live",
            Channel.EMAIL,
            PROVIDER,
            [(one.message_id, None) for one in feedback],
        )
        known = [(one, row) for one, row in zip(feedback, rows, strict=True) if row is not None]
        # Whatever is reported of an e-mail, it left, although nobody came to write that down yet.
        early = {
            row["id"]
            for one, row in known
            if row["status"] == Status.QUEUED and one.status is not None
        }
        if early:
            await settle([EmailSettlement(id, EmailAccepted(), at) for id in sorted(early)])
        moved = await apply_moves(
            [
                StatusUpdate(row["id"], organization_id, "live", one.status, one.reason, one.at)
                for one, row in known
                if one.status is not None
            ],
            at=at,
        )
        ended = {(row["id"], row["status"]) for row in moved}
        await messaging.log_reports(
            [
                LoggedReport(
                    organization_id,
                    "live",
                    row["id"],
                    one.status,
                    one.reason,
                    {"kind": one.kind},
                    (row["id"], one.status) in ended,
                )
                for one, row in known
            ],
            at=at,
        )
