"""Handing the live RCS message of a request to its provider."""

from core.messaging import Channel, HandOver, Record, Status
from core.providers.contracts import Outgoing
from core.rcs.send_request import RcsSend
from core.rcs.settle import settle

HAND_OVER = HandOver(Channel.RCS, settle, open=Status.QUEUED)


async def hand_over(send: RcsSend) -> Record:
    """The settled record; raises the refusal."""
    return await HAND_OVER(
        Outgoing(
            id=send.id,
            channel=Channel.RCS,
            to=send.new.to,
            text=None,
            content=send.left.content,
            route=send.new.route,
            sender_id=None,
            organization_id=send.caller.organization_id,
        )
    )
