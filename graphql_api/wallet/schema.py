"""Movements of the wallet, their proof, and the prices."""

from typing import Annotated, Any, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import wallet
from core.foundation.records import keys_of
from core.push.models import RateKind
from core.rcs.inputs import RcsRoute
from core.read_models.wallet import TRANSFER
from core.sms.inputs import SmsRoute
from core.wallet import PriceBand, PriceList, Proof, TransferKind, TransferRecord
from graphql_api.connections import Connection, connection_field, relation_field
from graphql_api.context import caller_of
from graphql_api.enums import enum_of
from graphql_api.quotes.schema import Quote
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON, BigInt, Date, DateTime


@record_type(TransferRecord)
class WalletTransfer:
    quote: Quote | None = relation_field(
        "quote", description="The quote by which it was priced, or whose money it holds"
    )


DAY = "In UTC; today unless told"


@strawberry.input(description="Conditions that all hold.")
class WalletTransferFilter:
    origin: str | None = strawberry.field(
        default=UNSET, description="The id of the message, reply or payment behind it"
    )
    kind: enum_of(TransferKind) | None = strawberry.field(
        default=UNSET, description="Movements of this kind only"
    )
    since: DateTime | None = strawberry.field(
        default=UNSET, description="Booked at or after this instant"
    )
    until: DateTime | None = strawberry.field(
        default=UNSET, description="Booked at or before this instant"
    )


COINS = "What it costs; 1 coin = 0.0001 BRL"


@strawberry.type(description="What a segment costs on one route.")
class SmsRoutePrices:
    route: enum_of(SmsRoute) = strawberry.field(description="The route")
    bands: list[type_of(PriceBand)] = strawberry.field(
        description="The bands that the month's segments run through"
    )


@strawberry.type(description="What an RCS message costs on one route.")
class RcsRoutePrice:
    route: enum_of(RcsRoute) = strawberry.field(description="The route")
    coins: BigInt = strawberry.field(description=COINS)


@strawberry.type(description="What a notification costs for one device.")
class PushRatePrice:
    rate_kind: enum_of(RateKind) = strawberry.field(description="What the notification holds")
    coins: BigInt = strawberry.field(description=COINS)


def _as_map(name: str, typed: str) -> Any:
    """A section of the price list as REST has it."""
    return strawberry.field(
        description=keys_of(PriceList)[name].doc,
        deprecation_reason=f"`{typed}` says the same, and is typed.",
    )


@record_type(PriceList)
class Prices:
    sms: JSON = _as_map("sms", "smsByRoute")
    rcs: JSON = _as_map("rcs", "rcsByRoute")
    push: JSON = _as_map("push", "pushByRateKind")
    sms_by_route: list[SmsRoutePrices] = strawberry.field(description="Of a segment, by route")
    rcs_by_route: list[RcsRoutePrice] = strawberry.field(description="Of a message, by route")
    push_by_rate_kind: list[PushRatePrice] = strawberry.field(
        description="For one device, by what the notification holds"
    )


WalletProof = type_of(Proof)


async def _prices(info: Info) -> Prices | None:
    prices = await wallet.get_prices(caller_of(info))
    shown = {
        **prices,
        "smsByRoute": [{"route": route, "bands": one} for route, one in prices["sms"].items()],
        "rcsByRoute": [{"route": route, "coins": one} for route, one in prices["rcs"].items()],
        "pushByRateKind": [
            {"rateKind": kind, "coins": one} for kind, one in prices["push"].items()
        ],
    }
    return cast("Prices", shown)


async def _proof(
    info: Info,
    day: Annotated[Date | None, strawberry.argument(description=DAY)] = None,
) -> WalletProof | None:
    return cast("WalletProof", await wallet.prove(caller_of(info), wallet.ProofDay(dia=day)))


@strawberry.type
class WalletQueries:
    prices: Prices | None = strawberry.field(
        resolver=_prices, description="What messages cost the organization, in coins"
    )
    wallet_proof: WalletProof | None = strawberry.field(
        resolver=_proof,
        description="Whether the balances equal the sums of all movements, up to the end of a day",
    )
    wallet_transfers: Connection[WalletTransfer] | None = connection_field(
        TRANSFER, filter=WalletTransferFilter, description="Movements of coins, newest first"
    )
