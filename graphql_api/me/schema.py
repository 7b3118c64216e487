"""Who asks, and what its organization has."""

from typing import Any, cast

import strawberry
from strawberry.types import Info

from core import organizations, wallet
from core.organizations import (
    Capability,
    OwnCredential,
    OwnLimits,
    SecondFactorRecord,
)
from core.read_models.organizations import ORGANIZATION
from graphql_api.accounts.schema import Account, Organization
from graphql_api.context import caller_of
from graphql_api.enums import ENV, enum_of
from graphql_api.mutations import payload_field
from graphql_api.records import type_of
from graphql_api.scalars import DateTime

Wallet = type_of(wallet.BalanceRecord)


async def _wallet(info: Info) -> Wallet | None:
    return cast("Wallet", await wallet.get_wallet(caller_of(info)))


async def _credential(info: Info) -> type_of(OwnCredential):
    _, credential = await organizations.own_credential(caller_of(info))
    return credential


async def _expires_at(info: Info) -> DateTime | None:
    ends, _ = await organizations.own_credential(caller_of(info))
    return cast("DateTime | None", ends)


async def _second_factor(info: Info) -> type_of(SecondFactorRecord) | None:
    return await organizations.get_second_factor(caller_of(info))


async def _account(info: Info) -> Account | None:
    return cast("Account", await organizations.own_account(caller_of(info)))


@strawberry.type(description="Whose credential this is, and what it may do.")
class Me:
    env: ENV = strawberry.field(description="Where it works")
    scopes: list[str] = strawberry.field(description="What it may do")
    limits: type_of(OwnLimits) = strawberry.field(
        description="The ceilings that hold for its calls"
    )
    capacidades: list[enum_of(Capability)] = strawberry.field(
        description="What this version of the service can do"
    )
    organization: Organization = payload_field(
        ORGANIZATION, lambda me: me["organization"]["id"], description="Whom it works for"
    )
    wallet: Wallet | None = strawberry.field(
        resolver=_wallet, description="The balance; null where nothing is charged"
    )
    credential: type_of(OwnCredential) = strawberry.field(
        resolver=_credential, description="The key or the session itself"
    )
    expires_at: DateTime | None = strawberry.field(
        resolver=_expires_at,
        description="When it ends; that of a session moves on with each use, to seven days after "
        "the log-in",
    )
    second_factor: type_of(SecondFactorRecord) | None = strawberry.field(
        resolver=_second_factor,
        description="Whether the person's log-in asks for a code; in a session only",
    )
    account: Account | None = strawberry.field(
        resolver=_account, description="The person who logged in, or who issued the key"
    )


def _me(info: Info) -> Me | None:
    caller = caller_of(info)
    record: dict[str, Any] = {
        "env": caller.env,
        "organization": {"id": caller.organization_id},
        "scopes": sorted(caller.scopes),
        "limits": organizations.own_limits(caller),
        "capacidades": list(Capability),
    }
    return cast("Me", record)


@strawberry.type
class MeQueries:
    me: Me | None = strawberry.field(resolver=_me, description="The credential that asks")
