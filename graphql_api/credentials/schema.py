"""API keys."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from core.foundation.security.caller import Env
from core.organizations import KeyRecord, KeyStatus
from core.read_models.api_keys import API_KEY
from graphql_api.accounts.schema import Account
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import ENV, enum_of
from graphql_api.inputs import register_enum
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type

register_enum(Env, ENV)


@record_type(KeyRecord)
class ApiKey(Node):
    """A key, without its text."""

    env: ENV = strawberry.field(description="The environment that it works in")
    created_by: Account | None = relation_field("createdBy", description="Who issued it")
    replaced_by: Annotated["ApiKey", strawberry.lazy("graphql_api.credentials.schema")] | None = (
        relation_field("replacedBy", description="The key that took its place")
    )


@strawberry.input(description="Conditions that all hold.")
class ApiKeyFilter:
    env: ENV | None = strawberry.field(
        default=UNSET, description="Keys of this environment only; of both unless told"
    )
    status: enum_of(KeyStatus) | None = strawberry.field(
        default=UNSET, description="Keys in this status only"
    )


@strawberry.type
class ApiKeyQueries:
    api_key: ApiKey | None = node_field(API_KEY)
    api_keys: Connection[ApiKey] | None = connection_field(
        API_KEY,
        filter=ApiKeyFilter,
        description="Keys of both environments, newest first; in a session only",
    )
