"""The preview of a text: its encoding, segments and price, without sending it."""

from pydantic import Field

from core import wallet
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.inputs import Input
from core.sms.encoding import encode_sms
from core.sms.errors import QuoteOnlyRoute
from core.sms.inputs import SmsRoute, SmsText
from core.sms.record import SmsPreview


class SmsDraft(Input):
    """A text to look at; with a route, its price too."""

    body: SmsText
    route: SmsRoute | None = Field(
        default=None, description="The way that it would take; without one no price is told"
    )


async def preview_message(caller: Caller, draft: SmsDraft) -> SmsPreview:
    """The text as it reaches the device, its billable count, and its price at the present volume.

    Raises PreconditionFailed for a route without a table price. (Interface: POST /v2/sms/preview.)
    """
    caller.require(Scope.SMS_SEND)
    encoded = encode_sms(draft.body)
    answer: SmsPreview = {
        "body": encoded.body,
        "encoding": encoded.encoding,
        "length": encoded.length,
        "segments": encoded.segments,
    }
    if draft.route is not None:
        rates = await wallet.read_rates([(caller.organization_id, draft.route)], at=now())
        rate = rates.get((caller.organization_id, draft.route))
        if rate is None or not wallet.has_table_price(draft.route):
            raise QuoteOnlyRoute
        answer["billing"] = {"coins": rate.price(encoded.segments) if current().charges else 0}
    return answer
