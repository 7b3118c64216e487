"""Any record at the root."""

import strawberry

from core.dashboards.graph import KINDS
from graphql_api.connections import reads_node
from graphql_api.nodes.types import Node


@strawberry.type
class NodeQueries:
    node: Node | None = reads_node(KINDS, description="The record of an id, whatever its kind")
