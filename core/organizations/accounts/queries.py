"""Reading accounts."""

from collections.abc import Iterable
from typing import Any

from tortoise.expressions import Q
from tortoise.queryset import QuerySet

from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.organizations.accounts.errors import NoSuchAccount
from core.organizations.accounts.inputs import AccountFilter
from core.organizations.accounts.record import account_record
from core.organizations.models import Account, AccountStatus


async def list_accounts(caller: Caller, filter: AccountFilter) -> dict[str, Any]:
    """A page of the organization's accounts, in the order in which they came: `{items, total,
    nextCursor?}`.
    """
    caller.require(Scope.CRM_READ)
    found = _of(caller)
    if filter.status is not None:
        found = found.filter(status=filter.status)
    if filter.role is not None:
        found = found.filter(role=filter.role)
    total = await found.count()
    if filter.cursor is not None:
        at, id = place_behind(filter.cursor)
        # Tortoise refuses a value that is longer than the column.
        found = found.filter(Q(created_at__gt=at) | Q(created_at=at, id__gt=id[:30]))
    limit = cut(filter.limit)
    rows = await found.order_by("created_at", "id").offset(filter.skip).limit(limit + 1)
    page: dict[str, Any] = {
        "items": [_shown(account, caller) for account in rows[:limit]],
        "total": total,
    }
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1].created_at, rows[limit - 1].id)
    return page


async def get_account(caller: Caller, id: str) -> dict[str, Any]:
    """One account. Raises NoSuchAccount."""
    caller.require(Scope.CRM_READ)
    found = await accounts_by_ids(caller, [id])
    if not found:
        raise NoSuchAccount
    return found[id]


async def accounts_by_ids(caller: Caller, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
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


async def accounts_of(organization_id: str) -> list[dict[str, Any]]:
    """Every account of an organization, in the order in which they came, for the shell."""
    accounts = await Account.filter(organization_id=organization_id).order_by("created_at", "id")
    return [account_record(account, whole=True) for account in accounts]


def _well_formed(ids: Iterable[str]) -> list[str]:
    return [id for id in ids if is_id("acc", id)]


def _of(caller: Caller) -> QuerySet[Account]:
    return Account.filter(organization_id=caller.organization_id)


def _shown(account: Account, caller: Caller) -> dict[str, Any]:
    return account_record(account, whole=caller.sees_personal_data)
