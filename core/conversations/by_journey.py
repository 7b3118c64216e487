"""How messages of journeys go into conversations: a template, or a text where the window is open."""

from collections.abc import Sequence
from datetime import datetime

from core.conversations.models import ConversationType
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest
from core.foundation.security.caller import Caller
from core.messaging import Channel, MessagePriority
from core.messaging.by_journey import (
    Carried,
    CarriedMessage,
    JourneyMessage,
    JourneyRecipient,
    JourneyWay,
    NotSent,
    QuoteLeft,
)
from core.messaging.opt_out import opted_out_among


async def _carry(
    caller: Caller,
    message: JourneyMessage,
    quote: QuoteLeft | None,
    to: Sequence[JourneyRecipient],
    at: datetime,
) -> list[Carried]:
    """Whoever said no gets no template either that is none of marketing: nobody asked for it."""
    hashes = {one.identity for one in to}
    denied = await opted_out_among(caller.organization_id, caller.env, Channel.WHATSAPP, hashes)
    willing = [one for one in to if one.identity not in denied]
    covered = 0
    if quote is not None and message.template_id is not None:
        covered = quote.fitting(1, len(willing))
    outcomes = await accept_messages(
        caller,
        [
            ConversationRequest(
                number_id=message.number_id,
                type=ConversationType.TEXT
                if message.template_id is None
                else ConversationType.TEMPLATE,
                payload={} if message.text is None else {"text": message.text},
                to=one.phone,
                contact_id=one.contact_id,
                template_id=message.template_id,
                template_vars=message.variables,
                priority=MessagePriority.BULK,
                journey=one.journey,
                quote_id=quote.id if quote is not None and place < covered else None,
            )
            for place, one in enumerate(willing)
        ],
        at=at,
    )
    carried: dict[str, Carried] = {
        one.key: CarriedMessage(outcome.id) if isinstance(outcome, AcceptedMessage) else outcome
        for one, outcome in zip(willing, outcomes, strict=True)
    }
    return [carried.get(one.key, NotSent.OPTED_OUT) for one in to]


BY_JOURNEY = JourneyWay(carry=_carry, counts=True)
