"""Movements of the wallet."""

import strawberry
from strawberry import UNSET

from core.read_models.wallet import TRANSFER
from core.wallet import TransferKind, TransferRecord
from graphql_api.connections import Connection, connection_field
from graphql_api.enums import enum_of
from graphql_api.records import type_of
from graphql_api.scalars import DateTime

WalletTransfer = type_of(TransferRecord)


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


@strawberry.type
class WalletQueries:
    wallet_transfers: Connection[WalletTransfer] | None = connection_field(
        TRANSFER, filter=WalletTransferFilter, description="Movements of coins, newest first"
    )
