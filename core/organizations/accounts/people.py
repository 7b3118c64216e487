"""Who logs in with an e-mail address, in whichever cells."""

from dataclasses import dataclass

from core.cells import Cell, KeyKind, cell_of, cells_of_key, hash_of, note_key, reads_keys, use_cell
from core.foundation.database.availability import is_outage
from core.organizations.models import Account, AccountStatus, Organization


@dataclass(frozen=True, slots=True)
class AccountHolder:
    """An active account with its organization."""

    account: Account
    organization: Organization


async def note_email(email: str | None, organization_id: str) -> None:
    """Let whoever logs in with this address find the organization."""
    if email is not None:
        await note_key(KeyKind.EMAIL, hash_of(KeyKind.EMAIL, email), organization_id)


async def people_with(email: str, organization_id: str | None) -> list[AccountHolder]:
    """The active accounts with this address, in one organization or in all, the oldest first.

    A cell that is away is an outage for those alone who are nowhere else.
    """
    if organization_id is not None:
        cells = [await cell_of(organization_id)]
    else:
        cells = await cells_of_key(KeyKind.EMAIL, hash_of(KeyKind.EMAIL, email))
    found: list[AccountHolder] = []
    away: Exception | None = None
    for cell in cells:
        try:
            with use_cell(cell):
                found += await _people_here(email, organization_id, cell)
        except Exception as error:
            if not is_outage(error):
                raise
            away = error
    if away is not None and not found:
        raise away
    return sorted(found, key=lambda one: (one.account.created_at, one.account.id))


async def _people_here(email: str, organization_id: str | None, cell: Cell) -> list[AccountHolder]:
    found = Account.filter(email=email, status=AccountStatus.ACTIVE)
    if organization_id is not None:
        found = found.filter(organization_id=organization_id)
    accounts = await found.order_by("created_at", "id")
    ids = [account.organization_id for account in accounts]
    known = await Organization.filter(id__in=ids).in_bulk(ids, "id") if ids else {}
    return [
        AccountHolder(account, known[account.organization_id])
        for account in accounts
        # What moved away leaves its rows behind for a while.
        if account.organization_id in known and await cell_of(account.organization_id) == cell
    ]


async def _hashes_of_emails(organization_id: str) -> list[bytes]:
    found = Account.filter(organization_id=organization_id, email__isnull=False)
    return [hash_of(KeyKind.EMAIL, str(email)) for (email,) in await found.values_list("email")]


reads_keys(KeyKind.EMAIL, _hashes_of_emails)
