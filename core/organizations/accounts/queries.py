"""Reading accounts."""

from collections.abc import Iterable

from tortoise.queryset import QuerySet

from core.foundation.database.pages import cut, place_behind
from core.foundation.database.where import Where
from core.foundation.ids import is_id
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope
from core.organizations.accounts.errors import NoSuchAccount
from core.organizations.accounts.inputs import AccountFilter
from core.organizations.accounts.record import (
    ACCOUNT,
    AccountPage,
    AccountRecord,
    account_record,
)
from core.organizations.models import Account, AccountStatus, Role


async def list_accounts(caller: Caller, filter: AccountFilter) -> WrittenPage[AccountPage]:
    """A page of the organization's accounts, in the order in which they came."""
    caller.require(Scope.CRM_READ)
    where = Where([caller.organization_id], ["organization_id = $1"])
    narrow_accounts(where, status=filter.status, role=filter.role)
    total = f"SELECT count(*) FROM accounts WHERE {where}"
    if filter.cursor is not None:
        where.narrow("(created_at, id) > ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    values = [*where.values]
    read = await read_rows(
        caller,
        ACCOUNT,
        f"SELECT * FROM accounts WHERE {where} ORDER BY created_at, id "
        f"LIMIT {limit + 1}{skipping(filter.skip, values)}",
        values,
        order="created_at, id",
        place=("created_at", "id"),
        total=total,
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    return WrittenPage(read.items, read.total, read.next_cursor)


def narrow_accounts(
    where: Where, *, status: AccountStatus | None = None, role: Role | None = None
) -> None:
    """Add the conditions of a filter."""
    where.narrow_given(("status = {}", status), ("role = {}", role))


async def get_account(caller: Caller, id: str) -> AccountRecord:
    """One account. Raises NoSuchAccount."""
    caller.require(Scope.CRM_READ)
    found = await accounts_by_ids(caller, [id])
    if not found:
        raise NoSuchAccount
    return found[id]


async def accounts_by_ids(caller: Caller, ids: Iterable[str]) -> dict[str, AccountRecord]:
    """The organization's accounts among these, by id; for readers of records that name them."""
    return {
        account.id: _shown(account, caller)
        for account in await _of(caller).filter(id__in=_well_formed(ids))
    }


async def active_members(caller: Caller, ids: Iterable[str]) -> frozenset[str]:
    """Which of these may be made responsible for something: the organization's active accounts."""
    active = _of(caller).filter(id__in=_well_formed(ids), status=AccountStatus.ACTIVE)
    return frozenset(account.id for account in await active.only("id"))


async def is_active_member(caller: Caller, id: str) -> bool:
    """Whether the account may be made responsible for something."""
    return id in await active_members(caller, [id])


async def accounts_of(organization_id: str) -> list[AccountRecord]:
    """Every account of an organization, in the order in which they came, for the shell."""
    accounts = await Account.filter(organization_id=organization_id).order_by("created_at", "id")
    return [account_record(account, whole=True) for account in accounts]


def _well_formed(ids: Iterable[str]) -> list[str]:
    return [id for id in ids if is_id("acc", id)]


def _of(caller: Caller) -> QuerySet[Account]:
    return Account.filter(organization_id=caller.organization_id)


def _shown(account: Account, caller: Caller) -> AccountRecord:
    return account_record(account, whole=caller.sees_personal_data)
