"""Handing the live SMS of a request to its provider."""

from core.messaging import Channel, HandOver, Record, Status
from core.providers.contracts import Outgoing
from core.sms.send_request import SmsSendRequest
from core.sms.settle import settle

HAND_OVER = HandOver(Channel.SMS, settle, open=Status.SENDING)


async def hand_over(request: SmsSendRequest) -> Record:
    """The settled record; raises the refusal."""
    return await HAND_OVER(
        Outgoing(
            id=request.id,
            channel=Channel.SMS,
            to=request.new.to,
            text=request.encoded.body,
            content=None,
            route=request.new.route,
            sender_id=request.new.sender_id,
            organization_id=request.caller.organization_id,
            segments=request.encoded.segments,
        )
    )
