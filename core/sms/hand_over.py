"""Handing a live SMS to its provider, and settling it by the answer."""

from typing import Any

from core import messaging
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.messaging import Channel, Status
from core.providers import registry
from core.providers.contracts import Outgoing
from core.sms.send_request import SmsSendRequest
from core.sms.settle import SmsSettlement, settle

settlements: Combiner[SmsSettlement, dict[str, Any]] = Combiner(settle)


async def hand_over(request: SmsSendRequest) -> dict[str, Any]:
    """Ask the provider, with no transaction open; answer the settled record or raise the refusal.

    A crash from here on leaves the message `sending`: reconciliation asks the provider about it, and
    hands it over again only where the provider promises to take it once.
    """
    carriers = registry.carriers(Channel.SMS, request.new.route)
    assert carriers, "a live send without a provider is refused before"
    answer = await messaging.hand_over_in_turn(
        carriers,
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
        ),
        open=Status.SENDING,
    )
    return await settlements.submit(SmsSettlement(request.id, request.owner, answer, now()))
