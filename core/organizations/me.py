"""Who is calling, as the service sees it."""

from datetime import datetime

from core.foundation.clock import real_now, wire_time
from core.foundation.security.caller import Caller, CredentialKind, Environment
from core.organizations.accounts.record import AccountRecord, account_record
from core.organizations.models import Account, ApiKey, Organization, Session
from core.organizations.record import (
    Capability,
    MeRecord,
    OrganizationRecord,
    OwnCredential,
    OwnLimits,
)
from core.organizations.session_lifetime import end_of


async def get_me(caller: Caller) -> MeRecord:
    """What the credential is, whatever its scopes."""
    expires_at, credential = await own_credential(caller)
    return {
        "organization": await organization_of(caller),
        "env": Environment(caller.env),
        "scopes": sorted(caller.scopes),
        "expiresAt": expires_at,
        "limits": own_limits(caller),
        "capacidades": list(Capability),
        "credential": credential,
        "account": await own_account(caller),
    }


async def organization_of(caller: Caller) -> OrganizationRecord:
    """The caller's organization."""
    organization = await Organization.get(id=caller.organization_id)
    return {"id": organization.id, "nome": organization.name}


def own_limits(caller: Caller) -> OwnLimits:
    """The ceilings of the caller's organization and environment."""
    limits = caller.limits
    return {"smsPerSecond": limits.sms_per_second, "graphqlCost": limits.graphql_cost}


async def own_account(caller: Caller) -> AccountRecord | None:
    """The one that logged in, whole, or the one that issued the key."""
    account = await Account.get_or_none(
        id=caller.account_id, organization_id=caller.organization_id
    )
    if account is None:
        return None
    own = caller.kind == "session"
    return account_record(account, whole=own or caller.sees_personal_data)


async def own_credential(caller: Caller) -> tuple[str | None, OwnCredential]:
    """When it ends, and by what its owner recognises it."""
    assert caller.credential_id is not None
    if caller.kind == "key":
        key = await ApiKey.visible_to(caller).get(id=caller.credential_id)
        return _shown(key.expires_at), {
            "id": key.id,
            "kind": CredentialKind.KEY,
            "nome": key.name,
            "prefixo": key.prefix,
        }
    session = await Session.visible_to(caller).get(id=caller.credential_id)
    ends = end_of(session.created_at, used_at=real_now())
    return _shown(ends), {"id": session.id, "kind": CredentialKind.SESSION}


def _shown(at: datetime | None) -> str | None:
    return wire_time(at) if at else None
