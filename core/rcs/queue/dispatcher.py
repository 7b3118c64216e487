"""The dispatcher of RCS messages that leave later, and what the sandbox answers. They have no
ceiling.
"""

from core.messaging import Channel, PhoneDispatcher, PhoneQueue, Status
from core.providers import sandbox
from core.rcs.delivery_reports.effects import sandbox_receipt
from core.rcs.outgoing import outgoing_of
from core.rcs.settle import settle
from core.rcs.validity import EXPIRED

QUEUE = PhoneQueue(
    Channel.RCS,
    open=Status.QUEUED,
    expired=EXPIRED,
    outgoing=outgoing_of,
    ending=lambda row: sandbox.rcs_ending(row["recipient"], fallback=row["fallback"] is not None),
    receipt=lambda row, ending: sandbox_receipt(row["recipient"], row["id"], ending),
    settle=settle,
)


class RcsDispatcher(PhoneDispatcher):
    """Lets queued RCS messages leave."""

    def __init__(self) -> None:
        super().__init__(QUEUE)
