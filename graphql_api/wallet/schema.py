"""Movements of the wallet, their proof, and the prices."""

from typing import Annotated, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import wallet
from core.read_models.wallet import TRANSFER
from core.wallet import PriceList, Proof, TransferKind, TransferRecord
from graphql_api.connections import Connection, connection_field, relation_field
from graphql_api.context import caller_of
from graphql_api.enums import enum_of
from graphql_api.quotes.schema import Quote
from graphql_api.records import record_type, type_of
from graphql_api.scalars import Date, DateTime


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


PriceListType = type_of(PriceList)
WalletProof = type_of(Proof)


async def _prices(info: Info) -> PriceListType | None:
    return cast("PriceListType", await wallet.get_prices(caller_of(info)))


async def _proof(
    info: Info,
    day: Annotated[Date | None, strawberry.argument(description=DAY)] = None,
) -> WalletProof | None:
    return cast("WalletProof", await wallet.prove(caller_of(info), wallet.ProofDay(dia=day)))


@strawberry.type
class WalletQueries:
    prices: PriceListType | None = strawberry.field(
        resolver=_prices, description="What messages cost the organization, in coins"
    )
    wallet_proof: WalletProof | None = strawberry.field(
        resolver=_proof,
        description="Whether the balances equal the sums of all movements, up to the end of a day",
    )
    wallet_transfers: Connection[WalletTransfer] | None = connection_field(
        TRANSFER, filter=WalletTransferFilter, description="Movements of coins, newest first"
    )
