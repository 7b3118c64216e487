"""What can be asked of flows."""

import strawberry
from strawberry import UNSET

from graphql_api.flows.enums import FlowCategory, FlowMetaStatus, FlowStatus


@strawberry.input(description="Conditions that all hold.")
class FlowFilter:
    status: FlowStatus | None = UNSET
    meta_status: FlowMetaStatus | None = UNSET
    category: FlowCategory | None = UNSET
    number_id: strawberry.ID | None = UNSET
