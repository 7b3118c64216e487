"""API keys: issuing, listing, changing, rotating and ending them."""

from core.organizations.keys.change import change_key
from core.organizations.keys.inputs import KeyChanges, KeyFilter, KeyRevocation, KeyRotation, NewKey
from core.organizations.keys.issue import issue_key
from core.organizations.keys.listing import get_key, list_keys
from core.organizations.keys.owner import owner_of_key
from core.organizations.keys.record import IssuedKey, KeyPage, KeyRecord, KeyWithSubscriptions
from core.organizations.keys.revoke import revoke_key
from core.organizations.keys.rotate import rotate_key
from core.organizations.keys.scopes import scopes_named
from core.organizations.keys.status import KeyStatus

__all__ = [
    "IssuedKey",
    "KeyChanges",
    "KeyFilter",
    "KeyPage",
    "KeyRecord",
    "KeyRevocation",
    "KeyRotation",
    "KeyStatus",
    "KeyWithSubscriptions",
    "NewKey",
    "change_key",
    "get_key",
    "issue_key",
    "list_keys",
    "owner_of_key",
    "revoke_key",
    "rotate_key",
    "scopes_named",
]
