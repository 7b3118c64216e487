"""A quote as callers see it. Amounts are whole coins."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from core.foundation.channels import ChannelSet
from core.foundation.database.rows import HasColumns
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    LargeInt,
    Made,
    Record,
    UncountedPage,
    named,
)


class QuoteChannel(ChannelSet, of=lambda facts: facts.quote):
    """A channel whose prices are promised."""


class QuoteStep(TypedDict):
    """Segments of one price."""

    segmentos: Annotated[LargeInt, Doc("How many segments have this price")]
    unitCoins: Annotated[LargeInt, Doc("What each of them costs at most; 1 coin = 0.0001 BRL")]


def _steps(steps: Sequence[Sequence[int]]) -> list[QuoteStep]:
    return [{"segmentos": count, "unitCoins": coins} for count, coins in steps]


STEPS = """
(SELECT coalesce(json_agg(json_build_object('segmentos', step->0, 'unitCoins', step->1)), '[]')::text
 FROM jsonb_array_elements(steps) AS step)"""
"""The same in SQL."""


@named(rest="QuoteItem", graphql="QuoteItem")
class QuoteItemRecord(TypedDict):
    """What is promised on one route."""

    canal: Annotated[QuoteChannel, Column("channel"), Doc("The channel")]
    rota: Annotated[str, Column("route"), Doc("The route")]
    quantidade: Annotated[int, Column("messages"), Doc("The messages that it was asked for")]
    segmentos: Annotated[LargeInt, Column("segments"), Doc("The segments that they have together")]
    restante: Annotated[
        LargeInt, Column("remaining"), Doc("The segments that may still be sent by it")
    ]
    faixas: Annotated[
        list[QuoteStep],
        Made(_steps, ("steps",), sql=STEPS),
        Doc("The prices, in the order in which they are used up"),
    ]
    coins: Annotated[LargeInt, Doc("What all of it costs at most; 1 coin = 0.0001 BRL")]


QUOTE_ITEM = Record(QuoteItemRecord)


@named(rest="Quote", graphql="Quote")
class QuoteRecord(TypedDict):
    """Prices that are promised until a time."""

    id: Annotated[Id, Doc("Names the quote: the `quoteId` of sends")]
    coins: Annotated[LargeInt, Doc("What all of it costs at most; 1 coin = 0.0001 BRL")]
    itens: Annotated[list[QuoteItemRecord], Column("items"), Doc("What is promised, by route")]
    restante: Annotated[
        LargeInt,
        Column("remaining"),
        Doc("The segments that may still be sent by it, on all routes"),
    ]
    validoAte: Annotated[Instant, Column("valid_until"), Doc("Until when it holds")]
    reservado: Annotated[
        bool, Column("reserved"), Doc("Whether its money was held when it was made")
    ]
    reservadoCoins: Annotated[
        LargeInt,
        Column("held"),
        Doc("What is still held for it, and for no message yet; 1 coin = 0.0001 BRL"),
    ]
    canceladaEm: NotRequired[
        Annotated[Instant, Column("canceled_at"), Doc("When it was canceled, where it was")]
    ]
    createdAt: Annotated[Instant, Doc("When it was made")]


QUOTE = Record(QuoteRecord)


class QuotePage(UncountedPage[QuoteRecord]):
    """A page of quotes, newest first."""


def quote_item(item: HasColumns) -> QuoteItemRecord:
    """What is promised on one route, of its stored row."""
    return QUOTE_ITEM.make(item, unmasked=True)
