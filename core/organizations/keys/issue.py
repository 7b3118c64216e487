"""Issuing a key."""

from collections.abc import Iterable
from datetime import datetime

from core import audit, webhooks
from core.cells import KeyKind, note_key
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Env, Scope
from core.foundation.security.secrets import SHOWN_CHARACTERS, keyed_hash, new_api_key
from core.foundation.settings import current
from core.organizations.errors import NoSuchOrganization
from core.organizations.keys.inputs import NewKey
from core.organizations.keys.owner import in_environment_of
from core.organizations.keys.record import IssuedKey, key_record
from core.organizations.models import Account, AccountStatus, ApiKey, Organization, Role


async def issue_key(caller: Caller, new: NewKey) -> IssuedKey:
    """Issue a key of the environment that `new` names: the record and `key`, which is shown here
    and nowhere else.

    The service itself issues on behalf of the organization's oldest active owner; raises
    NoSuchOrganization where there is none. Publishes apikey.created in the environment of the key.
    """
    caller.require(Scope.KEYS_MANAGE)
    refuse_dry_run()
    at = real_now()
    async with transaction():
        key, text = await draw_key(
            caller,
            env=new.env,
            name=new.name,
            scopes=new.scopes,
            ips=new.ips,
            expires_at=new.expires_at,
            at=at,
        )
        there = in_environment_of(caller, key)
        await webhooks.publish(there, "apikey.created", event_data(key), at=at)
        await audit.write_entry(
            there,
            "apikey.created",
            key.id,
            {
                "scopes": key.scopes,
                "networks": len(key.ips or ()),
                "expiresAt": wire_time(key.expires_at) if key.expires_at else None,
            },
            at=at,
        )
    return {**key_record(key), "key": text}


async def draw_key(
    caller: Caller,
    *,
    env: Env,
    name: str,
    scopes: Iterable[str],
    ips: list[str] | None,
    expires_at: datetime | None,
    at: datetime,
) -> tuple[ApiKey, str]:
    """A new stored key and its text, of which only a keyed hash and the beginning are stored."""
    text = new_api_key(env)
    digest = keyed_hash(current().hash_key.encode(), text)
    await note_key(KeyKind.API_KEY, digest, caller.organization_id)
    key = await ApiKey.create(
        id=new_id("key"),
        organization_id=caller.organization_id,
        env=env,
        name=name,
        key_hash=digest,
        prefix=text[:SHOWN_CHARACTERS],
        scopes=sorted({str(scope) for scope in scopes}),
        ips=ips,
        created_by_id=caller.account_id or await _owner_of(caller.organization_id),
        created_at=at,
        expires_at=expires_at,
    )
    return key, text


def event_data(key: ApiKey) -> dict[str, object]:
    """What subscribers learn of a key: never the key."""
    return {
        "keyId": key.id,
        "name": key.name,
        "env": key.env,
        "scopes": key.scopes,
        "createdById": key.created_by_id,
    }


async def _owner_of(organization_id: str) -> str:
    if not await Organization.is_known(organization_id):
        raise NoSuchOrganization
    owner = (
        await Account.filter(
            organization_id=organization_id, role=Role.OWNER, status=AccountStatus.ACTIVE
        )
        .order_by("created_at")
        .first()
    )
    if owner is None:
        raise NoSuchOrganization("The organization has no active owner to issue a key for.")
    return owner.id
