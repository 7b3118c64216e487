"""Prices that are promised and kept."""

from core import quotes, quoting
from core.foundation.records import WrittenPage
from rest_api.quotes import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import QUOTE


async def create_quote(call: Call[quoting.NewQuote]) -> quotes.QuoteRecord:
    return await quoting.create_quote(call.caller, call.body)


async def list_quotes(
    call: Call[None, quotes.QuoteFilter],
) -> WrittenPage[quotes.QuotePage]:
    return await quotes.list_quotes(call.caller, call.query)


async def get_quote(call: Call) -> quotes.QuoteRecord:
    return await quotes.get_quote(call.caller, call.path["id"])


async def cancel_quote(call: Call) -> quotes.QuoteRecord:
    return await quotes.cancel_quote(call.caller, call.path["id"])


operations = [
    Operation(
        "POST",
        "/v2/quotes",
        create_quote,
        None,
        "Ask for prices that are kept",
        "Quotes",
        description=(
            "The prices of now, band by band, are promised until `validoAte`: a send whose `quoteId` "
            "names the quote pays per segment no more than it promises, and less where the present "
            "price is lower. It sends no more segments than it promises. With `reservar` its money "
            "is held, and given back when the quote ends. Needs the channel's scope to send."
        ),
        errors=(400, 401, 402, 403, 412, 422),
        status=201,
        body=quoting.NewQuote,
        answer=quotes.QuoteRecord,
        examples={"a campaign": examples.ASKED, "its money is held": examples.RESERVED},
        answers={"a quote": examples.QUOTED},
    ),
    Operation(
        "GET",
        "/v2/quotes",
        list_quotes,
        None,
        "List quotes, newest first",
        "Quotes",
        description=(
            "On the channels that the credential may read or send on. They are kept for 90 days "
            "after their time."
        ),
        errors=(401, 403, 422),
        query=quotes.QuoteFilter,
        answer=quotes.QuotePage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "GET",
        "/v2/quotes/{id}",
        get_quote,
        None,
        "Read a quote, and what is left of it",
        "Quotes",
        errors=(401, 403, 404),
        answer=quotes.QuoteRecord,
        answers={"a quote": examples.QUOTED},
        ids={"id": QUOTE},
    ),
    Operation(
        "POST",
        "/v2/quotes/{id}/cancel",
        cancel_quote,
        None,
        "End a quote before its time",
        "Quotes",
        description=(
            "Nothing is sent by it any more, and what is held for it is given back. What was sent "
            "stays paid as promised. Repeated, it changes nothing."
        ),
        errors=(401, 403, 404),
        answer=quotes.QuoteRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": QUOTE},
    ),
]
