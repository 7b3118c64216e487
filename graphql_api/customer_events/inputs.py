"""What can be asked of customer events."""

import strawberry
from strawberry import UNSET

from graphql_api.periods import Period


@strawberry.input(description="Conditions that all hold.")
class CustomerEventFilter:
    name: str | None = strawberry.field(default=UNSET, description="The whole name of the event")
    contact_id: strawberry.ID | None = UNSET
    occurred_at: Period | None = UNSET
