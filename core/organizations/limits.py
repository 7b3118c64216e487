"""Ceilings of an organization, where they differ from the defaults."""

from dataclasses import asdict

from core.foundation import db
from core.foundation.caller import Env, Limits
from core.organizations.errors import NoSuchOrganization
from core.organizations.models import Organization


def limits_of(row: db.Row) -> Limits:
    """The limits in a row that was joined with organization_limits; the defaults where nothing is stored."""
    stored = {name: row[name] for name in asdict(Limits()) if row[name] is not None}
    return Limits(**stored)


async def set_limits(organization_id: str, env: Env, *, sms_per_second: int) -> Limits:
    """Change a ceiling; processes notice within two seconds. Raises NoSuchOrganization."""
    if not await Organization.exists(id=organization_id):
        raise NoSuchOrganization
    row = await db.fetchrow(
        """
        INSERT INTO organization_limits (organization_id, env, sms_per_second) VALUES ($1, $2, $3)
        ON CONFLICT (organization_id, env) DO UPDATE SET sms_per_second = excluded.sms_per_second
        RETURNING sms_per_second
        """,
        organization_id,
        env,
        sms_per_second,
    )
    assert row is not None
    return limits_of(row)
