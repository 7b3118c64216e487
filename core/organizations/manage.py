"""Administration of organizations by operators: list, read, rename, suspend and resume."""

from core import audit
from core.foundation.clock import real_now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.organizations.errors import NoSuchOrganization
from core.organizations.inputs import NewOrganization
from core.organizations.models import Organization, OrganizationStatus
from core.organizations.own_organization import set_demand


async def list_organizations() -> list[dict[str, object]]:
    """All of them, the oldest first."""
    return [_record(one) for one in await Organization.all().order_by("created_at", "id")]


async def get_organization(id: str) -> dict[str, object]:
    """One, with how many may act for it. Raises NoSuchOrganization."""
    if not await Organization.is_known(id):
        raise NoSuchOrganization
    counted = await db.fetch_one(COUNTED, id, real_now())
    return {
        **_record(await Organization.get(id=id)),
        **{name: counted[name] for name in ("accounts", "activeKeys")},
    }


async def rename_organization(id: str, new: NewOrganization) -> dict[str, object]:
    """Give it another name. Raises NoSuchOrganization."""
    async with transaction():
        organization, changed = await _changed(id, name=new.name)
        if changed:
            await audit.write_entry(
                system_caller(id, "live"), "organization.renamed", id, at=real_now()
            )
    return _record(organization)


async def suspend_organization(id: str) -> dict[str, object]:
    """Refuse its keys and sessions; processes notice within two seconds. Raises NoSuchOrganization.

    Workers revoke its webhook subscriptions, which its return does not activate.
    """
    async with transaction():
        organization, changed = await _changed(id, status=OrganizationStatus.SUSPENDED)
        if changed:
            await audit.write_entry(
                system_caller(id, "live"), "organization.suspended", id, at=real_now()
            )
    return _record(organization)


async def resume_organization(id: str) -> dict[str, object]:
    """Let it act again. Raises NoSuchOrganization."""
    async with transaction():
        organization, changed = await _changed(id, status=OrganizationStatus.ACTIVE)
        if changed:
            await audit.write_entry(
                system_caller(id, "live"), "organization.resumed", id, at=real_now()
            )
    return _record(organization)


async def demand_second_factor(id: str, demanded: bool) -> dict[str, object]:
    """Demand a second factor of everybody in it, or no longer. Raises NoSuchOrganization."""
    if not await Organization.is_known(id):
        raise NoSuchOrganization
    await set_demand(system_caller(id, "live"), demanded)
    return _record(await Organization.get(id=id))


async def note_sandbox_clock(id: str, *, moved: bool) -> None:
    """Whether the clock of its sandbox was moved, in the transaction that moves it: callers know it
    with their credential.
    """
    await Organization.filter(id=id).update(has_sandbox_clock=moved)


async def _changed(id: str, **changes: object) -> tuple[Organization, bool]:
    """The organization as it is since, and whether it was otherwise before."""
    if not await Organization.is_known(id):
        raise NoSuchOrganization
    organization = await Organization.select_for_update().get(id=id)
    changed = any(getattr(organization, name) != value for name, value in changes.items())
    if changed:
        await organization.update_from_dict(changes).save(update_fields=list(changes))
    return organization, changed


def _record(organization: Organization) -> dict[str, object]:
    return {
        "organizationId": organization.id,
        "name": organization.name,
        "status": organization.status.value,
        "demandsSecondFactor": organization.demands_second_factor,
        "createdAt": wire_time(organization.created_at),
    }


COUNTED = """
SELECT (SELECT count(*) FROM accounts WHERE organization_id = $1) AS accounts,
       (SELECT count(*) FROM api_keys
        WHERE organization_id = $1 AND revoked_at IS NULL AND coalesce(expires_at > $2, true)) AS "activeKeys"
"""
