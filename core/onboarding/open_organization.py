"""Opening an organization."""

from core import wallet
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.settings import current
from core.foundation.transactions import transaction
from core.organizations import Account, AccountStatus, Organization, Role


async def open_organization(name: str) -> tuple[Organization, Account]:
    """Create an organization with an active owner and, where sends are paid, a wallet in each environment."""
    at = now()
    async with transaction():
        organization = await Organization.create(id=new_id("org"), name=name, created_at=at)
        owner = await Account.create(
            id=new_id("acc"),
            organization_id=organization.id,
            name="Owner",
            role=Role.OWNER,
            status=AccountStatus.ACTIVE,
            created_at=at,
        )
        if current().charges:
            await wallet.open_wallets(organization.id, at=at)
    return organization, owner
