"""A new organization with its owner."""

from datetime import datetime

from core.foundation.ids import new_id
from core.organizations.accounts.people import note_email
from core.organizations.models import Account, AccountStatus, Organization, Role


async def create_organization(
    name: str, *, email: str | None, password_hash: str | None, at: datetime
) -> tuple[Organization, Account]:
    """An organization with an active owner, who logs in with this address."""
    organization = await Organization.create(id=new_id("org"), name=name, created_at=at)
    await note_email(email, organization.id)
    owner = await Account.create(
        id=new_id("acc"),
        organization_id=organization.id,
        name="Owner",
        email=email,
        role=Role.OWNER,
        status=AccountStatus.ACTIVE,
        password_hash=password_hash,
        created_at=at,
    )
    return organization, owner
