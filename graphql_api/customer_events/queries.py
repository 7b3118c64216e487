"""Customer events at the root."""

import strawberry

from core.dashboards.customer_events import CUSTOMER_EVENT
from graphql_api.connections import Connection, reads_page
from graphql_api.customer_events.inputs import CustomerEventFilter
from graphql_api.customer_events.types import CustomerEvent


@strawberry.type
class CustomerEventQueries:
    customer_events: Connection[CustomerEvent] | None = reads_page(
        CUSTOMER_EVENT,
        filter=CustomerEventFilter,
        description="By when they happened, the latest first",
    )
