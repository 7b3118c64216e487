"""The dispatcher of RCS messages that leave later, and what the sandbox answers. They have no
ceiling.
"""

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
from core.providers import sandbox
from core.providers.contracts import Accepted, OutOfCredit
from core.rcs.delivery_reports.effects import sandbox_receipt
from core.rcs.outgoing import outgoing_of
from core.rcs.settle import settle
from core.rcs.validity import EXPIRED


def _in_sandbox(row: db.Row, at: datetime) -> SandboxAnswer:
    """What the last digits of the recipient stand for, as for a send of a request."""
    ending = sandbox.rcs_ending(row["recipient"], fallback=row["fallback"] is not None)
    if ending.refused:
        return OutOfCredit(), None
    accepted = Accepted(f"sbx_{row['id'][4:]}")
    if ending.status is None:
        return accepted, None
    return accepted, sandbox.ScheduledReport(
        row["id"],
        row["organization_id"],
        row["env"],
        Channel.RCS,
        ending.status,
        ending.reason,
        at + timedelta(seconds=current().sandbox_delay_seconds),
        sandbox_receipt(row["recipient"], row["id"], ending),
    )


QUEUE = PhoneQueue(
    Channel.RCS,
    open=Status.QUEUED,
    expired=EXPIRED,
    outgoing=outgoing_of,
    in_sandbox=_in_sandbox,
    settle=settle,
)


class RcsDispatcher(QueueDispatcher[DueOrganization, ReadyMessage]):
    """Lets queued RCS messages leave."""

    def __init__(self) -> None:
        super().__init__(messaging.queue_of(QUEUE))
