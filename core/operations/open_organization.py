"""The use case that opens an organization: its owner and its wallets come with it."""

from core import audit, wallet
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import system_caller
from core.foundation.settings import current
from core.organizations import Account, AccountStatus, LogIn, Organization, Role, hash_password


async def open_organization(name: str, log_in: LogIn | None = None) -> tuple[Organization, Account]:
    """Create an organization with an active owner and, where sends are paid, a wallet in each
    environment.

    `log_in` is what the owner logs in with.
    """
    at = now()
    password_hash = await hash_password(log_in.password) if log_in and log_in.password else None
    async with transaction():
        organization = await Organization.create(id=new_id("org"), name=name, created_at=at)
        owner = await Account.create(
            id=new_id("acc"),
            organization_id=organization.id,
            name="Owner",
            email=log_in and log_in.email,
            role=Role.OWNER,
            status=AccountStatus.ACTIVE,
            password_hash=password_hash,
            created_at=at,
        )
        if current().charges:
            await wallet.open_wallets(organization.id, at=at)
        whole = system_caller(organization.id, "live")
        await audit.write_entry(
            whole, "organization.opened", organization.id, {"ownerId": owner.id}, at=at
        )
    return organization, owner
