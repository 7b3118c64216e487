"""Tenants, their people, and the keys that act for them."""

from core.organizations.authenticate import authenticate, forget_credentials
from core.organizations.errors import NoSuchKey, NoSuchOrganization
from core.organizations.keys import IssuedKey, issue_key, list_keys, revoke_key, scopes_named
from core.organizations.limits import set_limits
from core.organizations.models import Account, AccountStatus, ApiKey, Organization, OrganizationStatus, Role

__all__ = [
    "Account",
    "AccountStatus",
    "ApiKey",
    "IssuedKey",
    "NoSuchKey",
    "NoSuchOrganization",
    "Organization",
    "OrganizationStatus",
    "Role",
    "authenticate",
    "forget_credentials",
    "issue_key",
    "list_keys",
    "revoke_key",
    "scopes_named",
    "set_limits",
]
