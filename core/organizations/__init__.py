"""Organizations (tenants), their accounts, and the API keys and sessions that act for them."""

from core.organizations.accounts import (
    AccountChanges,
    AccountFilter,
    LogIn,
    NewAccount,
    accounts_by_ids,
    accounts_of,
    active_members,
    change_account,
    create_account,
    get_account,
    hash_password,
    is_active_member,
    list_accounts,
)
from core.organizations.authenticate import authenticate, clear_credential_cache
from core.organizations.authenticate import is_stale as is_stale_credential
from core.organizations.authenticate import renew as renew_credentials
from core.organizations.errors import NoSuchKey, NoSuchOrganization
from core.organizations.inputs import NewOrganization
from core.organizations.keys import (
    IssuedKey,
    KeyChanges,
    KeyFilter,
    KeyPage,
    KeyRecord,
    KeyRevocation,
    KeyRotation,
    KeyStatus,
    KeyWithSubscriptions,
    NewKey,
    change_key,
    get_key,
    issue_key,
    list_keys,
    owner_of_key,
    revoke_key,
    rotate_key,
    scopes_named,
)
from core.organizations.last_use import write_last_uses
from core.organizations.limits import get_limits, limits_of_many, set_limits
from core.organizations.manage import (
    get_organization,
    list_organizations,
    rename_organization,
    resume_organization,
    suspend_organization,
)
from core.organizations.me import get_me, organization_of
from core.organizations.models import (
    Account,
    AccountStatus,
    ApiKey,
    Organization,
    OrganizationStatus,
    Role,
)
from core.organizations.ninth_digit import set_ninth_digit, unifies_ninth_digit
from core.organizations.open import create_organization
from core.organizations.quiet_hours import QuietHours, find_quiet_hours, store_quiet_hours
from core.organizations.service_caller import service_caller
from core.organizations.sessions import NewSession, delete_old_sessions, end_session, open_session

__all__ = [
    "Account",
    "AccountChanges",
    "AccountFilter",
    "AccountStatus",
    "ApiKey",
    "IssuedKey",
    "KeyChanges",
    "KeyFilter",
    "KeyPage",
    "KeyRecord",
    "KeyRevocation",
    "KeyRotation",
    "KeyStatus",
    "KeyWithSubscriptions",
    "LogIn",
    "NewAccount",
    "NewKey",
    "NewOrganization",
    "NewSession",
    "NoSuchKey",
    "NoSuchOrganization",
    "Organization",
    "OrganizationStatus",
    "QuietHours",
    "Role",
    "accounts_by_ids",
    "accounts_of",
    "active_members",
    "authenticate",
    "change_account",
    "change_key",
    "clear_credential_cache",
    "create_account",
    "create_organization",
    "delete_old_sessions",
    "end_session",
    "find_quiet_hours",
    "get_account",
    "get_key",
    "get_limits",
    "get_me",
    "get_organization",
    "hash_password",
    "is_active_member",
    "is_stale_credential",
    "issue_key",
    "limits_of_many",
    "list_accounts",
    "list_keys",
    "list_organizations",
    "open_session",
    "organization_of",
    "owner_of_key",
    "rename_organization",
    "renew_credentials",
    "resume_organization",
    "revoke_key",
    "rotate_key",
    "scopes_named",
    "service_caller",
    "set_limits",
    "set_ninth_digit",
    "store_quiet_hours",
    "suspend_organization",
    "unifies_ninth_digit",
    "write_last_uses",
]
