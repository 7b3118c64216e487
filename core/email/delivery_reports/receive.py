"""Receiving delivery reports of live e-mails: late, duplicate, or about none of ours."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from core import messaging
from core.email.delivery_reports.apply import follow_moves
from core.email.settle import settle
from core.foundation.database.transactions import transaction
from core.messaging import Channel, MatchedReport, Settlement, Status, StoredMessage
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
        await messaging.apply_matched(RULES, [_report(one, row) for one, row in known], at=at)


def _report(one: Feedback, row: StoredMessage) -> MatchedReport:
    return MatchedReport(
        row,
        one.status,
        one.reason,
        one.at,
        {"kind": one.kind},
        proves_acceptance=one.status is not None,
    )


async def _accept(references: Mapping[str, str], at: datetime) -> None:
    """Whatever is reported of an e-mail, it left, although nobody came to write that down yet."""
    await settle([Settlement(id, EmailAccepted(), at) for id in sorted(references)])


async def _follow(
    before: Mapping[str, StoredMessage], moved: Sequence[StoredMessage], at: datetime
) -> None:
    await follow_moves(moved, at=at)


RULES = messaging.ReportRules(open=Status.QUEUED, accept=_accept, then=_follow)
