"""query_sm and cancel_sm: what became of a message, and calling one off."""

from datetime import datetime

from core import smpp, sms
from core.foundation.ids import is_id
from core.smpp import SmppClient
from smpp_api.wire.bodies import CancelSm, QuerySm, QuerySmResp
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.receipts import MessageState
from smpp_api.wire.times import write_time

ERRORS = {
    "carrier_rejected": 1,
    "invalid_number": 2,
    "blacklisted": 3,
    "expired": 4,
    "indeterminate": 5,
    "abandoned": 6,
    "incomplete": 10,
    "refused": 11,
}
"""The code of each reason; 0 of none."""


async def query(client: SmppClient, asked: QuerySm) -> QuerySmResp:
    """The state of a message of the client's, also by the id of one of its parts. Raises Malformed,
    and NotFound.
    """
    id = await _message_id(client, asked.message_id)
    if not id:
        return QuerySmResp(asked.message_id, "", MessageState.ENROUTE, 0)
    record = await sms.get_message(client.caller, id)
    reason = record.get("reason")
    ended = record.get("deliveredAt") or record.get("failedAt")
    return QuerySmResp(
        asked.message_id,
        write_time(datetime.fromisoformat(ended)) if ended else "",
        state_of(record["status"], reason),
        ERRORS.get(reason or "", 0),
    )


async def cancel(client: SmppClient, asked: CancelSm) -> None:
    """Call off a message that waits for its time. Raises Malformed, NotFound, and what a message
    raises that waits no more.
    """
    id = await _message_id(client, asked.message_id)
    if not id:
        raise Malformed(CommandStatus.ESME_RCANCELFAIL, "its parts are not all there")
    await sms.cancel_message(client.caller, id)


async def _message_id(client: SmppClient, id: str) -> str:
    """The message that an id of ours stands for; "" for parts that wait for the others."""
    if is_id("msg", id):
        return id
    found = await smpp.message_of_part(client, id) if is_id("prt", id) else None
    if found is None:
        raise Malformed(CommandStatus.ESME_RINVMSGID, "no message has such an id")
    return found


_OF_FAILED = {
    "expired": MessageState.EXPIRED,
    "abandoned": MessageState.EXPIRED,
    "canceled": MessageState.DELETED,
    "indeterminate": MessageState.UNKNOWN,
}
"""By the reason of a failure; the others were rejected."""


def state_of(status: str, reason: str | None) -> MessageState:
    """The state by the status of the record and its reason."""
    match status:
        case "delivered":
            return MessageState.DELIVERED
        case "undelivered":
            return MessageState.UNDELIVERABLE
        case "failed":
            return _OF_FAILED.get(reason or "", MessageState.REJECTED)
    return MessageState.ENROUTE
