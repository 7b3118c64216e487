"""query_sm: what became of a message."""

from datetime import datetime

from core import sms
from core.foundation.ids import is_id
from core.smpp import SmppClient
from smpp_api.wire.bodies import QuerySm, QuerySmResp
from smpp_api.wire.commands import Malformed, Status
from smpp_api.wire.receipts import MessageState
from smpp_api.wire.times import write_time

ERRORS = {
    "carrier_rejected": 1,
    "invalid_number": 2,
    "blacklisted": 3,
    "expired": 4,
    "indeterminate": 5,
}
"""The code of each reason; 0 of none."""


async def query(client: SmppClient, asked: QuerySm) -> QuerySmResp:
    """The state of a message of the client's. Raises Malformed, and NotFound."""
    if not is_id("msg", asked.message_id):
        raise Malformed(Status.ESME_RINVMSGID, "no message has such an id")
    record = await sms.get_message(client.caller, asked.message_id)
    reason = record.get("reason")
    ended = record.get("deliveredAt") or record.get("failedAt")
    return QuerySmResp(
        asked.message_id,
        write_time(datetime.fromisoformat(ended)) if ended else "",
        state_of(record["status"], reason),
        ERRORS.get(reason or "", 0),
    )


def state_of(status: str, reason: str | None) -> MessageState:
    """The state by the status of the record and its reason."""
    match status, reason:
        case "delivered", _:
            return MessageState.DELIVERED
        case "undelivered", _:
            return MessageState.UNDELIVERABLE
        case "failed", "expired":
            return MessageState.EXPIRED
        case "failed", "indeterminate":
            return MessageState.UNKNOWN
        case "failed", _:
            return MessageState.REJECTED
    return MessageState.ENROUTE
