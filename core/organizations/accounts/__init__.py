"""The people who work for an organization."""

from core.organizations.accounts.change import change_account
from core.organizations.accounts.create import create_account
from core.organizations.accounts.errors import EmailTaken, NoSuchAccount
from core.organizations.accounts.inputs import AccountChanges, AccountFilter, LogIn, NewAccount
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.queries import (
    accounts_by_ids,
    accounts_of,
    active_members,
    get_account,
    is_active_member,
    list_accounts,
)
from core.organizations.accounts.record import AccountPage, AccountRecord

__all__ = [
    "AccountChanges",
    "AccountFilter",
    "AccountPage",
    "AccountRecord",
    "EmailTaken",
    "LogIn",
    "NewAccount",
    "NoSuchAccount",
    "accounts_by_ids",
    "accounts_of",
    "active_members",
    "change_account",
    "create_account",
    "get_account",
    "hash_password",
    "is_active_member",
    "list_accounts",
]
