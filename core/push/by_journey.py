"""How notifications of journeys leave: one dispatch to the devices of all contacts of a batch."""

from collections.abc import Sequence
from datetime import datetime

from core import wallet
from core.foundation.channels import AnyChannel
from core.foundation.security.caller import Caller
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
from core.push.automate import push_to_contacts
from core.push.inputs import MAX_BODY_LENGTH


async def _carry(
    caller: Caller,
    message: JourneyMessage,
    quote: QuoteLeft | None,
    to: Sequence[JourneyRecipient],
    at: datetime,
) -> list[Carried]:
    """One dispatch to the devices of all of them. What became of it is told by its figures."""
    try:
        pushed = await push_to_contacts(
            caller,
            [one.contact_id for one in to],
            title=message.subject,
            body=message.text or "",
            at=at,
            quote_id=quote.id if quote is not None and quote.fitting(1, 1) else None,
        )
    except wallet.InsufficientBalance as unpaid:
        return [unpaid] * len(to)
    hashes = {one.identity for one in to if one.contact_id not in pushed.contact_ids}
    denied = await opted_out_among(caller.organization_id, caller.env, AnyChannel.PUSH, hashes)
    return [
        CarriedMessage(pushed.dispatch_id or "", settled=True)
        if one.contact_id in pushed.contact_ids
        else NotSent.OPTED_OUT
        if one.identity in denied
        else NotSent.NO_ADDRESS
        for one in to
    ]


BY_JOURNEY = JourneyWay(carry=_carry, longest=MAX_BODY_LENGTH, has_subject=True)
