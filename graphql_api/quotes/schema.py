"""Prices that are promised and kept."""

from typing import Annotated, cast

import strawberry
from strawberry.types import Info

from core import quotes, quoting
from core.foundation.errors import NotFound
from graphql_api.context import caller_of
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.records import type_of

Quote = type_of(quotes.QuoteRecord)


async def _quote(
    info: Info,
    id: Annotated[strawberry.ID, strawberry.argument(description="The id of the quote")],
) -> Quote | None:
    try:
        return cast("Quote", await quotes.get_quote(caller_of(info), id))
    except NotFound:
        return None


@strawberry.type
class QuoteQueries:
    quote: Quote | None = strawberry.field(
        resolver=_quote, description="A quote (`qte_…`), and what is left of it"
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
        description="Nothing is sent by it any more; what is held for it is given back.",
    )
