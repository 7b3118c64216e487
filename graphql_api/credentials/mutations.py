"""What a session can do with API keys, and with itself."""

from typing import Any

import strawberry

from core import organizations, webhooks
from core.foundation.security.caller import Caller, Scope
from core.read_models.api_keys import API_KEY
from graphql_api.credentials.schema import ApiKey
from graphql_api.enums import ENV
from graphql_api.inputs import register_enum
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.records import record_type, type_of

MANAGE = Scope.KEYS_MANAGE

register_enum(Scope, str)  # `me` and refusals spell scopes as REST does


@record_type(organizations.IssuedKey)
class IssuedApiKey:
    env: ENV = strawberry.field(description="The environment that it works in")
    key: str = strawberry.field(description="The key itself: it cannot be read again")
    api_key: ApiKey | None = payload_field(
        API_KEY, lambda issued: issued["id"], description="The key without its text"
    )


ApiKeyWebhook = type_of(webhooks.SubscriptionOfKey)


@record_type(organizations.KeyWithSubscriptions)
class RevokedApiKey:
    """A key that opens nothing any more."""

    env: ENV = strawberry.field(description="The environment that it works in")
    webhooks: list[ApiKeyWebhook] = strawberry.field(
        description="The webhooks created with it, or with a key that it replaced"
    )
    api_key: ApiKey | None = payload_field(
        API_KEY, lambda revoked: revoked["id"], description="The key as it is now"
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
        description=(
            "Issue a key for a program; it is shown in this answer only. In a session only."
        ),
    )
    update_api_key: ApiKey | None = mutation_field(
        organizations.change_key,
        organizations.KeyChanges,
        scope=MANAGE,
        ids=("id",),
        description=(
            "Change the name, the addresses or the scopes of a key; scopes only become fewer. In a "
            "session only."
        ),
    )
    rotate_api_key: IssuedApiKey | None = mutation_field(
        organizations.rotate_key,
        organizations.KeyRotation,
        scope=MANAGE,
        ids=("id",),
        optional=True,
        description=(
            "Issue a new key with the scopes of the old one, which still opens for a while. "
            "In a session only."
        ),
    )
    revoke_api_key: RevokedApiKey | None = mutation_field(
        organizations.revoke_key,
        organizations.KeyRevocation,
        scope=MANAGE,
        ids=("id",),
        optional=True,
        description=(
            "End a key: it opens nothing any more, and stays in the list; its webhooks go on, "
            "without personal data, unless they are to be paused. In a session only."
        ),
    )
    end_session: Deleted | None = mutation_field(
        _end_session, scope=None, description="Log out of the session that calls."
    )
