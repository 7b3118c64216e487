"""The dispatcher of SMS that leave later: the ceiling, and what the sandbox answers."""

from core.foundation.database import db
from core.messaging import Channel, PhoneDispatcher, PhoneQueue, Status
from core.messaging.queue.reasons import ABANDONED
from core.providers import sandbox
from core.sms.outgoing import outgoing_of
from core.sms.queue.ceiling import return_tokens, take_tokens
from core.sms.settle import settle


def _receipt(row: db.Row, ending: sandbox.Ending) -> dict[str, object]:
    assert ending.status is not None, "nothing is reported of the others"
    return sandbox.sms_receipt(
        reference=sandbox.reference_of(row["id"]),
        message_id=row["id"],
        recipient=row["recipient"],
        route=row["route"],
        status=ending.status,
        reason=ending.reason,
        segments=row["segments"],
    )


QUEUE = PhoneQueue(
    Channel.SMS,
    open=Status.SENDING,
    expired=ABANDONED,
    outgoing=outgoing_of,
    ending=lambda row: sandbox.sms_ending(row["recipient"]),
    receipt=_receipt,
    settle=settle,
    take_tokens=take_tokens,
    return_tokens=return_tokens,
)


class SmsDispatcher(PhoneDispatcher):
    """Lets queued SMS leave."""

    def __init__(self) -> None:
        super().__init__(QUEUE)
