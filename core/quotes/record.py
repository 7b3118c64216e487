"""A quote as callers see it. Amounts are whole coins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import Doc, Id, Instant, LargeInt, UncountedPage, named
from core.foundation.security.caller import Scope


class QuoteChannel(DescribedEnum):
    """A channel whose prices are promised."""

    SMS = "sms", "Text messages, by the segment"
    RCS = "rcs", "RCS messages, by the message"
    EMAIL = "email", "E-mails, by the letter"
    WHATSAPP = "whatsapp", "Templates on WhatsApp, by the message"
    PUSH = "push", "Notifications, by the device"


@dataclass(frozen=True, slots=True)
class ChannelScopes:
    """Who may read the quotes of a channel, and who may ask for them and end them."""

    read: Scope
    send: Scope


SCOPES: Mapping[QuoteChannel, ChannelScopes] = {
    QuoteChannel.SMS: ChannelScopes(Scope.SMS_READ, Scope.SMS_SEND),
    QuoteChannel.RCS: ChannelScopes(Scope.RCS_READ, Scope.RCS_SEND),
    QuoteChannel.EMAIL: ChannelScopes(Scope.EMAIL_READ, Scope.EMAIL_SEND),
    QuoteChannel.WHATSAPP: ChannelScopes(Scope.MESSAGES_READ, Scope.MESSAGES_SEND),
    QuoteChannel.PUSH: ChannelScopes(Scope.PUSH_READ, Scope.PUSH_SEND),
}


class QuoteStep(TypedDict):
    """Segments of one price."""

    segmentos: Annotated[LargeInt, Doc("How many segments have this price")]
    unitCoins: Annotated[LargeInt, Doc("What each of them costs at most; 1 coin = 0.0001 BRL")]


@named(rest="QuoteItem", graphql="QuoteItem")
class QuoteItemRecord(TypedDict):
    """What is promised on one route."""

    canal: Annotated[QuoteChannel, Doc("The channel")]
    rota: Annotated[str, Doc("The route")]
    quantidade: Annotated[int, Doc("The messages that it was asked for")]
    segmentos: Annotated[LargeInt, Doc("The segments that they have together")]
    restante: Annotated[LargeInt, Doc("The segments that may still be sent by it")]
    faixas: Annotated[list[QuoteStep], Doc("The prices, in the order in which they are used up")]
    coins: Annotated[LargeInt, Doc("What all of it costs at most; 1 coin = 0.0001 BRL")]


@named(rest="Quote", graphql="Quote")
class QuoteRecord(TypedDict):
    """Prices that are promised until a time."""

    id: Annotated[Id, Doc("Names the quote: the `quoteId` of sends")]
    coins: Annotated[LargeInt, Doc("What all of it costs at most; 1 coin = 0.0001 BRL")]
    itens: Annotated[list[QuoteItemRecord], Doc("What is promised, by route")]
    restante: Annotated[LargeInt, Doc("The segments that may still be sent by it, on all routes")]
    validoAte: Annotated[Instant, Doc("Until when it holds")]
    reservado: Annotated[bool, Doc("Whether its money was held when it was made")]
    reservadoCoins: Annotated[
        LargeInt, Doc("What is still held for it, and for no message yet; 1 coin = 0.0001 BRL")
    ]
    canceladaEm: NotRequired[Annotated[Instant, Doc("When it was canceled, where it was")]]
    createdAt: Annotated[Instant, Doc("When it was made")]


class QuotePage(UncountedPage[QuoteRecord]):
    """A page of quotes, newest first."""


def quote_record(row: db.Row) -> QuoteRecord:
    """The record of a quote, which is read with its items in their order."""
    record: QuoteRecord = {
        "id": row["id"],
        "coins": row["coins"],
        "itens": [quote_item(item) for item in row["items"]],
        "restante": sum(column(row["items"], "remaining")),
        "validoAte": wire_time(row["valid_until"]),
        "reservado": row["reserved"],
        "reservadoCoins": sum(column(row["items"], "held")),
        "createdAt": wire_time(row["created_at"]),
    }
    if row["canceled_at"] is not None:
        record["canceladaEm"] = wire_time(row["canceled_at"])
    return record


def quote_item(item: dict[str, Any]) -> QuoteItemRecord:
    """What is promised on one route, of its stored row."""
    return {
        "canal": QuoteChannel(item["channel"]),
        "rota": item["route"],
        "quantidade": item["messages"],
        "segmentos": item["segments"],
        "restante": item["remaining"],
        "faixas": [{"segmentos": count, "unitCoins": coins} for count, coins in item["steps"]],
        "coins": item["coins"],
    }
