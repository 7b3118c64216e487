"""Flows at the root."""

import strawberry

from core.dashboards.flows import FLOW
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.flows.inputs import FlowFilter
from graphql_api.flows.types import Flow


@strawberry.type
class FlowQueries:
    flow: Flow | None = reads_one(FLOW)
    flows: Connection[Flow] | None = reads_page(FLOW, filter=FlowFilter, description="Newest first")
