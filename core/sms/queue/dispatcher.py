"""The dispatcher of SMS that leave later: the ceiling, and what the sandbox answers."""

from datetime import datetime, timedelta

from core import messaging
from core.foundation.database import db
from core.foundation.settings import current
from core.messaging import (
    Channel,
    DueOrganization,
    PhoneQueue,
    QueueDispatcher,
    ReadyMessage,
    SandboxAnswer,
    Status,
)
from core.messaging.queue.reasons import ABANDONED
from core.providers import sandbox
from core.providers.contracts import Accepted, OutOfCredit
from core.sms.outgoing import outgoing_of
from core.sms.queue.ceiling import return_tokens, take_tokens
from core.sms.settle import settle


def _in_sandbox(row: db.Row, at: datetime) -> SandboxAnswer:
    """What the last digits of the recipient stand for, as for a send of a request."""
    ending = sandbox.sms_ending(row["recipient"])
    if ending.refused:
        return OutOfCredit(), None
    reference = f"sbx_{row['id'][4:]}"
    if ending.status is None:
        return Accepted(reference), None
    receipt = sandbox.sms_receipt(
        reference=reference,
        message_id=row["id"],
        recipient=row["recipient"],
        route=row["route"],
        status=ending.status,
        reason=ending.reason,
        segments=row["segments"],
    )
    report = sandbox.ScheduledReport(
        row["id"],
        row["organization_id"],
        row["env"],
        Channel.SMS,
        ending.status,
        ending.reason,
        at + timedelta(seconds=current().sandbox_delay_seconds),
        receipt,
    )
    return Accepted(reference), report


QUEUE = PhoneQueue(
    Channel.SMS,
    open=Status.SENDING,
    expired=ABANDONED,
    outgoing=outgoing_of,
    in_sandbox=_in_sandbox,
    settle=settle,
    take_tokens=take_tokens,
    return_tokens=return_tokens,
)


class SmsDispatcher(QueueDispatcher[DueOrganization, ReadyMessage]):
    """Lets queued SMS leave."""

    def __init__(self) -> None:
        super().__init__(messaging.queue_of(QUEUE))
