"""Ceilings of an organization, where they differ from the defaults."""

from collections.abc import Collection
from dataclasses import asdict

from core import audit
from core.foundation.absent import without_none
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Env, Limits, system_caller
from core.organizations.errors import NoSuchOrganization
from core.organizations.models import Organization, OrganizationLimits


def limits_of(row: db.Row) -> Limits:
    """The limits in a row that was joined with organization_limits; the defaults where nothing is
    stored.
    """
    stored = {name: row[name] for name in asdict(Limits()) if row[name] is not None}
    return Limits(**stored)


async def get_limits(organization_id: str) -> dict[Env, Limits]:
    """The ceilings that hold for an organization in each environment. Raises NoSuchOrganization."""
    if not await Organization.is_known(organization_id):
        raise NoSuchOrganization
    rows = await OrganizationLimits.filter(organization_id=organization_id)
    stored = {row.env: limits_of(vars(row)) for row in rows}
    return {"test": stored.get("test", Limits()), "live": stored.get("live", Limits())}


async def limits_of_many(owners: Collection[tuple[str, str]]) -> dict[tuple[str, str], Limits]:
    """The ceilings that hold for each (organization, environment)."""
    ids = sorted({organization_id for organization_id, _ in owners})
    rows = await OrganizationLimits.filter(organization_id__in=ids)
    stored: dict[tuple[str, str], Limits] = {
        (row.organization_id, row.env): limits_of(vars(row)) for row in rows
    }
    return {owner: stored.get(owner, Limits()) for owner in owners}


async def set_limits(
    organization_id: str,
    env: Env,
    *,
    sms_per_second: int | None = None,
    graphql_cost: int | None = None,
) -> Limits:
    """Change ceilings, each one that is named; processes notice within two seconds. Raises
    NoSuchOrganization.
    """
    if not await Organization.is_known(organization_id):
        raise NoSuchOrganization
    at = real_now()
    async with transaction():
        row = await db.fetch_one(SET, organization_id, env, sms_per_second, graphql_cost)
        named = {"smsPerSecond": sms_per_second, "graphqlCost": graphql_cost}
        facts = without_none(named)
        await audit.write_entry(
            system_caller(organization_id, env), "limits.set", organization_id, facts, at=at
        )
    return limits_of(row)


SET = """
INSERT INTO organization_limits AS held (organization_id, env, sms_per_second, graphql_cost) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, env) DO UPDATE SET
    sms_per_second = coalesce(excluded.sms_per_second, held.sms_per_second),
    graphql_cost = coalesce(excluded.graphql_cost, held.graphql_cost)
RETURNING sms_per_second, graphql_cost
"""
