"""An organization as its people set it: whether their log-ins need a second factor."""

from dataclasses import replace
from typing import Annotated, TypedDict

from pydantic import Field

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Conflict
from core.foundation.records import Doc, Id
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import Input
from core.organizations.models import Organization, SecondFactor


class OwnSecondFactorMissing(Conflict):
    """Who demands it of others has it."""

    default_detail = "Add a second factor to your own log-in first (POST /v2/me/second-factor)."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEGUNDO_FATOR_PROPRIO_AUSENTE"})


class OrganizationSettings(TypedDict):
    """What holds for everybody of the organization, in both environments."""

    demandsSecondFactor: Annotated[
        bool, Doc("Whether nobody works in a session without a second factor")
    ]
    withoutSecondFactor: Annotated[
        int, Doc("How many active accounts with a password have no second factor yet")
    ]


class OrganizationWithSettings(OrganizationSettings):
    """An organization, and what holds for everybody in it."""

    id: Annotated[Id, Doc("Names the organization")]
    nome: Annotated[str, Doc("What the organization is called")]


class OrganizationChanges(Input):
    """What an owner or an admin sets; what is left out stays."""

    demands_second_factor: Annotated[
        bool | None,
        Field(description="Whether nobody works in a session without a second factor"),
    ] = None


async def demands_second_factor(caller: Caller) -> bool:
    """Whether the organization demands a second factor of everybody who logs in."""
    return await Organization.filter(id=caller.organization_id, demands_second_factor=True).exists()


async def get_organization_settings(caller: Caller) -> OrganizationWithSettings:
    """What holds for everybody of the organization."""
    caller.require(Scope.ACCOUNTS_MANAGE)
    return await _settings(caller.organization_id)


async def change_organization_settings(
    caller: Caller, changes: OrganizationChanges
) -> OrganizationWithSettings:
    """Change what holds for everybody. Sessions of who has no second factor do nothing but add one
    within two seconds of the demand.

    Raises OwnSecondFactorMissing for who demands one without having one.
    """
    caller.require(Scope.ACCOUNTS_MANAGE)
    if changes.demands_second_factor is not None:
        await set_demand(caller, changes.demands_second_factor)
    return await _settings(caller.organization_id)


async def set_demand(caller: Caller, demanded: bool) -> None:
    """Whether a second factor is demanded from now on. Raises OwnSecondFactorMissing for a session
    without one.
    """
    async with transaction():
        organization = await Organization.select_for_update().get(id=caller.organization_id)
        if organization.demands_second_factor == demanded:
            return
        if demanded and caller.kind == "session":
            await _refuse_without_own(caller)
        organization.demands_second_factor = demanded
        await organization.save(update_fields=["demands_second_factor"])
        there = replace(caller, env="live")
        facts = {"demanded": demanded}
        await audit.write_entry(
            there, "organization.second_factor_demanded", organization.id, facts, at=now()
        )


async def _refuse_without_own(caller: Caller) -> None:
    """The row is held, so that it is not removed meanwhile."""
    existing(
        await SecondFactor.filter(
            account_id=caller.account_id,
            organization_id=caller.organization_id,
            confirmed_at__isnull=False,
        )
        .select_for_update()
        .first(),
        OwnSecondFactorMissing,
    )


async def _settings(organization_id: str) -> OrganizationWithSettings:
    row = await db.fetch_one(SETTINGS, organization_id)
    return {
        "id": organization_id,
        "nome": row["name"],
        "demandsSecondFactor": row["demands_second_factor"],
        "withoutSecondFactor": row["without"],
    }


SETTINGS = """
SELECT o.name, o.demands_second_factor,
       (SELECT count(*) FROM accounts a
        WHERE a.organization_id = o.id AND a.status = 'active' AND a.password_hash IS NOT NULL
          AND NOT EXISTS (SELECT FROM second_factors f
                          WHERE f.account_id = a.id AND f.organization_id = a.organization_id
                            AND f.confirmed_at IS NOT NULL)) AS without
FROM organizations o WHERE o.id = $1
"""
