"""Error catalogue: refusals of RCS, where other channels have none of the kind."""

from core.messaging import RecipientOptedOut
from core.rcs.errors import RouteWithoutPrice, TooLongWithLinks
from rest_api.problems.error_doc import ErrorDoc, at

SEND = "POST /v2/rcs/messages"

UNPRICED = (
    ErrorDoc(
        RouteWithoutPrice(),
        "The price table of the organization lacks the route, or the SMS route by "
        "which the fallback would leave "
        "(`premium` for `easy_rcs`, `otp` for `easy_otp_rcs`).",
        "Ask for a price, send by the other route, or send without a fallback.",
        at(SEND, "POST /v2/quotes"),
    ),
)

INVALID = (
    ErrorDoc(
        RecipientOptedOut(),
        "The contact behind this phone, or the one that `contactId` names, asked not "
        "to receive communication by RCS "
        "or at all.",
        (
            "Do not send it. The route `easy_otp_rcs` is transactional and reaches "
            "everybody; it is not for anything else."
        ),
        at(SEND),
    ),
    ErrorDoc(
        TooLongWithLinks(),
        "With `trackLinks`, the short links made the text longer than a message may be.",
        "Shorten the text, or send it as a card.",
        at(SEND),
    ),
)
