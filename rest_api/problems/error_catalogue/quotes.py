"""Error catalogue: refusals of quotes, and of sends that name one."""

from core.quotes import QuoteExhausted, QuoteExpired, QuoteOfAnotherRoute, UnknownQuote
from rest_api.problems.error_doc import ErrorDoc, at

ASK = "POST /v2/quotes"
SENDING = (
    "POST /v2/sms/messages",
    "POST /v2/rcs/messages",
    "POST /v2/email/messages",
    "POST /messages",
    "POST /messages/force",
    "POST /messages/bulk",
)
SENDS = at(*SENDING)
NAMING_ONE = at(*SENDING, "POST /v2/journeys/{id}/ativar")

CONFLICTS = (
    ErrorDoc(
        QuoteExhausted(2),
        "The quote has fewer segments left than the message has: `meta.restante` says how many. Nothing was sent or "
        "charged.",
        "Ask for a new quote, or send without `quoteId` at the present price.",
        SENDS,
    ),
)

INVALID = (
    ErrorDoc(
        UnknownQuote(),
        "`quoteId` names no quote of this organization in the environment of the credential.",
        "Send the `id` that `POST /v2/quotes` answered.",
        NAMING_ONE,
    ),
    ErrorDoc(
        QuoteExpired(),
        "The time of the quote is over (`validoAte`), or it was canceled. Nothing was sent or charged.",
        "Ask for a new quote, or send without `quoteId` at the present price.",
        NAMING_ONE,
    ),
    ErrorDoc(
        QuoteOfAnotherRoute(),
        "The quote is for other routes. Nothing was sent or charged.",
        "Send on a route of the quote, or ask for a quote for this one.",
        NAMING_ONE,
    ),
)
