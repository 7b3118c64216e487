"""Quotes: prices that are promised for so many segments, until a time.

They are asked for in `core.quoting`, which knows the prices of the channels; a channel's sends use them
up by `core.messaging.by_quote`.
"""

from core.quotes.end import NEXT_END, cancel_quote, sweep_quotes
from core.quotes.errors import (
    QuoteExhausted,
    QuoteExpired,
    QuoteOfAnotherRoute,
    UnknownQuote,
)
from core.quotes.inputs import QuoteFilter
from core.quotes.models import Quote, QuoteItem
from core.quotes.priced import PricedChannel, QuotedSend
from core.quotes.promises import (
    Promise,
    PromiseKey,
    Step,
    Use,
    lock_promises,
    lock_quote,
    usable,
    use_up,
)
from core.quotes.queries import get_quote, list_quotes, read_quote, readable_channels
from core.quotes.record import QuoteChannel, QuotePage, QuoteRecord, quote_item
from core.quotes.store import PromisedItem, store_quote

__all__ = [
    "NEXT_END",
    "PricedChannel",
    "Promise",
    "PromiseKey",
    "PromisedItem",
    "Quote",
    "QuoteChannel",
    "QuoteExhausted",
    "QuoteExpired",
    "QuoteFilter",
    "QuoteItem",
    "QuoteOfAnotherRoute",
    "QuotePage",
    "QuoteRecord",
    "QuotedSend",
    "Step",
    "UnknownQuote",
    "Use",
    "cancel_quote",
    "get_quote",
    "list_quotes",
    "lock_promises",
    "lock_quote",
    "quote_item",
    "read_quote",
    "readable_channels",
    "store_quote",
    "sweep_quotes",
    "usable",
    "use_up",
]
