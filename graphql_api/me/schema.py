"""Who asks, and what its organization has."""

from typing import Any, cast

import strawberry
from strawberry.types import Info

from core import wallet
from core.organizations import organization_of
from graphql_api.context import caller_of
from graphql_api.enums import ENV
from graphql_api.records import type_of


@strawberry.type
class Organization:
    id: strawberry.ID
    nome: str


Wallet = type_of(wallet.BalanceRecord)


@strawberry.type(description="Whose credential this is, and what it may do.")
class Me:
    env: ENV
    scopes: list[str]

    @strawberry.field
    async def organization(self, info: Info) -> Organization:
        return cast("Organization", await organization_of(caller_of(info)))

    @strawberry.field
    async def wallet(self, info: Info) -> Wallet | None:
        return cast("Wallet", await wallet.get_wallet(caller_of(info)))


@strawberry.type
class MeQueries:
    @strawberry.field
    def me(self, info: Info) -> Me | None:
        caller = caller_of(info)
        record: dict[str, Any] = {"env": caller.env, "scopes": sorted(caller.scopes)}
        return cast("Me", record)
