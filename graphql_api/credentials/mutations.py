"""What a session can do with API keys, and with itself."""

from typing import Any

import strawberry

from core import organizations, webhooks
from core.foundation.security.caller import Caller, Env, Scope
from graphql_api.enums import ENV, enum_of, wire_enum
from graphql_api.inputs import register_enum
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.scalars import DateTime

MANAGE = Scope.KEYS_MANAGE

register_enum(Env, ENV)
register_enum(Scope, str)  # `me` and refusals spell scopes as REST does

ApiKeyStatus = wire_enum("ApiKeyStatus", ("ativa", "expirada", "revogada"))


@strawberry.type(description="A key without its text. `prefixo` is how its owner recognises it.")
class ApiKey:
    id: strawberry.ID
    nome: str
    env: ENV
    prefixo: str
    scopes: list[str]
    ips: list[str] | None = strawberry.field(description="From where it opens; null: from anywhere")
    status: ApiKeyStatus
    expira_em: DateTime | None
    created_by_id: strawberry.ID
    created_at: DateTime
    last_used_at: DateTime | None
    revoked_at: DateTime | None
    replaced_by_id: strawberry.ID | None


@strawberry.type(description="A new key with its text, which cannot be read again.")
class IssuedApiKey(ApiKey):
    key: str


@strawberry.type(description="A webhook that was created with a key.")
class ApiKeyWebhook:
    id: strawberry.ID
    url: str
    status: enum_of(webhooks.SubscriptionStatus)


@strawberry.type(description="A key that opens nothing any more.")
class RevokedApiKey(ApiKey):
    webhooks: list[ApiKeyWebhook] = strawberry.field(
        description="Created with it, or with a key that it replaced"
    )


async def _end_session(caller: Caller) -> dict[str, Any]:
    await organizations.end_session(caller)
    return {"id": caller.credential_id}


@mutation_type
class CredentialMutations:
    create_api_key: IssuedApiKey | None = mutation_field(
        organizations.issue_key,
        organizations.NewKey,
        scope=MANAGE,
        description="In a session only.",
    )
    update_api_key: ApiKey | None = mutation_field(
        organizations.change_key,
        organizations.KeyChanges,
        scope=MANAGE,
        ids=("id",),
        description="In a session only. Scopes may only become fewer.",
    )
    rotate_api_key: IssuedApiKey | None = mutation_field(
        organizations.rotate_key,
        organizations.KeyRotation,
        scope=MANAGE,
        ids=("id",),
        optional=True,
        description="In a session only. A new key with the scopes of the old one, which still "
        "opens for a while.",
    )
    revoke_api_key: RevokedApiKey | None = mutation_field(
        organizations.revoke_key,
        organizations.KeyRevocation,
        scope=MANAGE,
        ids=("id",),
        optional=True,
        description="In a session only. The key opens nothing any more, and stays in the list; "
        "its webhooks go on, "
        "without personal data, unless they are to be paused.",
    )
    end_session: Deleted | None = mutation_field(
        _end_session, scope=None, description="Log out of the session that calls."
    )
