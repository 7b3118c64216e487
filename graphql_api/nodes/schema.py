"""What every record has."""

import strawberry

from core.read_models.relations import KINDS
from graphql_api.connections import any_node_field


@strawberry.interface(description="A record of any kind.")
class Node:
    id: strawberry.ID = strawberry.field(description="Names the record")


@strawberry.type
class NodeQueries:
    node: Node | None = any_node_field(KINDS, description="The record of an id, whatever its kind")
