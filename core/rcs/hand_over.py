"""Handing the live RCS message of a request to its provider."""

from core.messaging import Channel, HandOver, Record, SendRequest, Status
from core.rcs.outgoing import outgoing_of
from core.rcs.settle import settle

HAND_OVER = HandOver(Channel.RCS, settle, open=Status.QUEUED)


async def hand_over(request: SendRequest) -> Record:
    """The settled record; raises the refusal."""
    return await HAND_OVER(outgoing_of(request.message.as_row()))
