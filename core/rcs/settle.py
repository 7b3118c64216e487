"""How RCS messages are settled by their provider's answer: the price stays held until their way is
known, and one whose recipient has no RCS leaves by its SMS.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from core import messaging
from core.foundation.jobs import Job, wake
from core.messaging import (
    Diverted,
    NextState,
    PhoneVerdict,
    Settlement,
    Status,
    StoredMessage,
    timeouts,
)
from core.providers.contracts import Accepted, Refused
from core.rcs.delivery_reports.effects import NO_RCS
from core.rcs.delivery_reports.events import publish_status_events
from core.rcs.record import answer_of
from core.rcs.validity import EXPIRED


def _next_state(one: Settlement[PhoneVerdict], row: StoredMessage) -> NextState:
    """A recipient without RCS is no failure where an SMS stands in."""
    has_no_rcs = isinstance(one.verdict, Refused) and one.verdict.reason == NO_RCS
    if has_no_rcs and row["fallback"] is not None:
        one = replace(one, verdict=Diverted(NO_RCS))
    return messaging.phone_state(
        one, row, open=Status.QUEUED, accepted=partial(_accepted, one.at), expired=EXPIRED
    )


def _accepted(at: datetime, answer: Accepted) -> NextState:
    """Acceptance is not paid."""
    return NextState(
        Status.SENT, reference=answer.reference or None, settle_at=at + timeouts.REPORT_TIMEOUT
    )


async def _tell(rows: Sequence[StoredMessage], at: datetime) -> None:
    """rcs.failed for what its recipient, a rule of ours or an unknown outcome ended."""
    failed = [row for row in rows if row["status"] == Status.FAILED]
    await publish_status_events([row for row in failed if not messaging.was_refused(row)], at)
    if any(row["reason"] == NO_RCS and row["status"] == Status.SENT for row in rows):
        await wake(Job.RECONCILE_RCS)


POLICY: messaging.ChannelPolicy[PhoneVerdict] = messaging.ChannelPolicy(
    open=Status.QUEUED, next_state=_next_state, tell=_tell, answer=answer_of
)

settle = partial(messaging.settle, POLICY)
"""Settle RCS messages; answers the record of each, or the refusal that its request gets."""
