"""Who is calling, as the service sees it."""

from datetime import datetime
from typing import Any

from core.foundation.clock import now, wire_time
from core.foundation.security.caller import Caller
from core.organizations.accounts.record import account_record
from core.organizations.models import Account, ApiKey, Organization, Session
from core.organizations.session_lifetime import end_of


async def get_me(caller: Caller) -> dict[str, Any]:
    """`{organization, env, scopes, expiresAt, limits, credential, account}`, whatever the scopes.

    The account is the one that logged in, or the one that issued the key.
    """
    account = await Account.get_or_none(
        id=caller.account_id, organization_id=caller.organization_id
    )
    ends, credential = await _credential_of(caller)
    own = caller.kind == "session"
    return {
        "organization": await organization_of(caller),
        "env": caller.env,
        "scopes": sorted(caller.scopes),
        "expiresAt": wire_time(ends) if ends else None,
        "limits": {
            "smsPerSecond": caller.limits.sms_per_second,
            "graphqlCost": caller.limits.graphql_cost,
        },
        "credential": {"id": caller.credential_id, "kind": caller.kind, **credential},
        "account": account_record(account, whole=own or caller.sees_personal_data)
        if account
        else None,
    }


async def organization_of(caller: Caller) -> dict[str, Any]:
    """The caller's organization: `{id, nome}`."""
    organization = await Organization.get(id=caller.organization_id)
    return {"id": organization.id, "nome": organization.name}


async def _credential_of(caller: Caller) -> tuple[datetime | None, dict[str, Any]]:
    """When it ends, and by what its owner recognises it."""
    if caller.kind == "key":
        key = await ApiKey.visible_to(caller).get(id=caller.credential_id)
        return key.expires_at, {"nome": key.name, "prefixo": key.prefix}
    session = await Session.visible_to(caller).get(id=caller.credential_id)
    return end_of(session.created_at, used_at=now()), {}
