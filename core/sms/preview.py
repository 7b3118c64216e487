"""The preview of a text: its encoding, segments and price, without sending it."""

from typing import Annotated, Any

from pydantic import StringConstraints

from core import wallet
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.inputs import Input
from core.sms.encoding import encode_sms
from core.sms.errors import QuoteOnlyRoute
from core.sms.inputs import MAX_TEXT_LENGTH, Route


class SmsDraft(Input):
    """A text to look at; with a route, its price too."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)]
    route: Route | None = None


async def preview_message(caller: Caller, draft: SmsDraft) -> dict[str, Any]:
    """The text as it reaches the device, its billable count, and its price at the present volume.

    Raises PreconditionFailed for a route without a table price. (Interface: POST /v2/sms/preview.)
    """
    caller.require(Scope.SMS_SEND)
    encoded = encode_sms(draft.body)
    answer: dict[str, Any] = encoded._asdict()
    if draft.route is not None:
        rates = await wallet.read_rates([(caller.organization_id, draft.route)], at=now())
        rate = rates.get((caller.organization_id, draft.route))
        if rate is None or not wallet.has_table_price(draft.route):
            raise QuoteOnlyRoute
        answer["billing"] = {"coins": rate.price(encoded.segments) if current().charges else 0}
    return answer
