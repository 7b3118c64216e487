"""The use case that opens an organization: its owner and its wallets come with it."""

from core import audit, wallet
from core.cells import HOME, Cell, place, use_cell
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.foundation.settings import current
from core.organizations import Account, LogIn, Organization, create_organization, hash_password


async def open_organization(
    name: str, log_in: LogIn | None = None, *, cell: Cell = HOME
) -> tuple[Organization, Account]:
    """Create an organization with an active owner and, where sends are paid, a wallet in each
    environment.

    `log_in` is what the owner logs in with; `cell`: where the organization is to live.
    """
    with use_cell(cell):
        return await _open(name, log_in, cell)


async def _open(name: str, log_in: LogIn | None, cell: Cell) -> tuple[Organization, Account]:
    at = now()
    password_hash = await hash_password(log_in.password) if log_in and log_in.password else None
    async with transaction():
        organization, owner = await create_organization(
            name, email=log_in.email if log_in else None, password_hash=password_hash, at=at
        )
        if current().charges:
            await wallet.open_wallets(organization.id, at=at)
        whole = system_caller(organization.id, "live")
        await audit.write_entry(
            whole, "organization.opened", organization.id, {"ownerId": owner.id}, at=at
        )
        if cell is not HOME:  # a place of an organization that was not committed harms nobody
            await place(organization.id, cell)
    return organization, owner
