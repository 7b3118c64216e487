"""Prices that are promised and kept."""

import strawberry
from strawberry import UNSET

from core import quotes, quoting
from core.read_models.quotes import QUOTE
from graphql_api.connections import Connection, connection_field, node_field
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type


@record_type(quotes.QuoteRecord)
class Quote(Node):
    """Prices that are promised until a time."""


@strawberry.input(description="Conditions that all hold.")
class QuoteFilter:
    valida: bool | None = strawberry.field(
        default=UNSET, description="Those that hold now, or that hold no longer"
    )


@strawberry.type
class QuoteQueries:
    quote: Quote | None = node_field(
        QUOTE, description="A quote (`qte_…`), and what is left of it; null where there is none"
    )
    quotes: Connection[Quote] | None = connection_field(
        QUOTE, filter=QuoteFilter, description="Newest first"
    )


@mutation_type
class QuoteMutations:
    create_quote: Quote | None = mutation_field(
        quoting.create_quote,
        quoting.NewQuote,
        scope=None,
        description="Promise the prices of now: sends with this quoteId pay no more, until it ends.",
    )
    cancel_quote: Quote | None = mutation_field(
        quotes.cancel_quote,
        scope=None,
        ids=("id",),
        description=(
            "End a quote: nothing is sent by it any more, and what is held for it is given back."
        ),
    )
