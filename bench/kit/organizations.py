"""Organizations to measure with: a sandbox key that may do everything, and nothing that runs dry."""

from dataclasses import dataclass
from datetime import timedelta

from core import operations, organizations, wallet
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, system_caller
from core.foundation.security.secrets import keyed_hash, new_session_token
from core.foundation.settings import current
from core.organizations.models import Account, Session

PLENTY = 10**15
"""Coins."""
PER_SECOND = 1_000_000
"""The ceiling on sends: out of reach, but minded."""
GRAPHQL_COST = 1_000_000_000
"""The points of a GraphQL credential: likewise."""


@dataclass(frozen=True, slots=True)
class Customer:
    """An organization and its sandbox key."""

    organization_id: str
    key: str


async def some_customers(number: int) -> list[Customer]:
    """New organizations, ready to send in the sandbox."""
    async with transaction():
        return [await _customer(f"Organization {place}") for place in range(number)]


async def some_session(customer: Customer) -> str:
    """The token of a log-in of its owner, who may ask for what no key may."""
    at, token = now(), new_session_token()
    await Session.create(
        id=new_id("ses"),
        organization_id=customer.organization_id,
        env="test",
        account_id=(await Account.filter(organization_id=customer.organization_id))[0].id,
        token_hash=keyed_hash(current().hash_key.encode(), token),
        created_at=at,
        last_used_at=at,
        expires_at=at + timedelta(hours=12),
    )
    return token


async def _customer(name: str) -> Customer:
    organization, _ = await operations.open_organization(name)
    await wallet.credit(organization.id, "test", PLENTY)
    await organizations.set_limits(
        organization.id, "test", sms_per_second=PER_SECOND, graphql_cost=GRAPHQL_COST
    )
    new = organizations.NewKey(name="bench", env="test", scopes=list(KEY_SCOPES))
    issued = await organizations.issue_key(system_caller(organization.id, "test"), new)
    return Customer(organization.id, issued["key"])
