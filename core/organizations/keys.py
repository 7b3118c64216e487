"""Issuing, listing and revoking API keys."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core import webhooks
from core.foundation.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, SESSION_ONLY, Env, Scope, system_caller
from core.foundation.clock import now, wire_time
from core.foundation.errors import ValidationFailed
from core.foundation.ids import new_id
from core.foundation.secrets import keyed_hash, new_api_key
from core.foundation.settings import current
from core.foundation.transactions import transaction
from core.organizations.errors import NoSuchKey, NoSuchOrganization
from core.organizations.models import Account, AccountStatus, ApiKey, Organization, Role


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key. `key` is shown here and nowhere else."""

    id: str
    key: str
    env: Env
    scopes: tuple[str, ...]


def scopes_named(names: str | None) -> frozenset[Scope]:
    """`all`, a comma-separated list, or None for the default. Raises ValidationFailed."""
    if names is None:
        return DEFAULT_KEY_SCOPES
    if names == "all":
        return KEY_SCOPES
    asked = {name.strip() for name in names.split(",") if name.strip()}
    if not asked or not asked <= {scope.value for scope in KEY_SCOPES}:
        raise ValidationFailed("Some of the scopes do not exist or are not for keys; see `svc key create --help`.")
    return frozenset(Scope(name) for name in asked)


async def issue_key(
    organization_id: str, env: Env, *, name: str, scopes: frozenset[Scope] = DEFAULT_KEY_SCOPES
) -> IssuedKey:
    """Issue a key on behalf of the organization's owner and publish apikey.created.

    Raises NoSuchOrganization, or ValidationFailed for a scope that only sessions hold.
    """
    if scopes & SESSION_ONLY:
        raise ValidationFailed("Some of the scopes are not for keys; only a session holds them.")
    at = now()
    key = new_api_key(env)
    async with transaction():
        if not await Organization.exists(id=organization_id):
            raise NoSuchOrganization
        owner = (
            await Account.filter(organization_id=organization_id, role=Role.OWNER, status=AccountStatus.ACTIVE)
            .order_by("created_at")
            .first()
        )
        if owner is None:
            raise NoSuchOrganization("The organization has no active owner to issue a key for.")
        stored = await ApiKey.create(
            id=new_id("key"),
            organization_id=organization_id,
            env=env,
            name=name,
            key_hash=keyed_hash(current().hash_key.encode(), key),
            prefix=key[:12],
            scopes=sorted(scope.value for scope in scopes),
            created_by_id=owner.id,
            created_at=at,
        )
        await webhooks.publish(
            system_caller(organization_id, env),
            "apikey.created",
            {"keyId": stored.id, "name": name, "env": env, "scopes": stored.scopes, "createdById": owner.id},
            at=at,
        )
    return IssuedKey(stored.id, key, env, tuple(stored.scopes))


async def list_keys(organization_id: str) -> list[dict[str, Any]]:
    """Every key of the organization, newest first, without the keys themselves."""
    keys = await ApiKey.filter(organization_id=organization_id).order_by("-created_at")
    return [key_record(key) for key in keys]


async def revoke_key(id: str) -> dict[str, Any]:
    """End a key now; other processes notice within two seconds. Raises NoSuchKey."""
    key = await ApiKey.get_or_none(id=id)
    if key is None:
        raise NoSuchKey
    if key.revoked_at is None:
        key.revoked_at = now()
        await key.save(update_fields=["revoked_at"])
    return key_record(key)


def key_record(key: ApiKey) -> dict[str, Any]:
    """What may be shown of a key after its issue."""
    return {
        "id": key.id,
        "name": key.name,
        "env": key.env,
        "prefix": key.prefix,
        "scopes": key.scopes,
        "createdById": key.created_by_id,
        "createdAt": wire_time(key.created_at),
        "expiresAt": _shown(key.expires_at),
        "revokedAt": _shown(key.revoked_at),
        "lastUsedAt": _shown(key.last_used_at),
    }


def _shown(at: datetime | None) -> str | None:
    return wire_time(at) if at else None
