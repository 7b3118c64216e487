"""What can be asked of dispatches and devices."""

import strawberry
from strawberry import UNSET

from graphql_api.periods import Period
from graphql_api.push.enums import PushOrigin, PushPlatform, PushStatus


@strawberry.input(description="Conditions that all hold; one of the values of each.")
class PushFilter:
    status: list[PushStatus] | None = UNSET
    origin: list[PushOrigin] | None = UNSET
    created_at: Period | None = UNSET


@strawberry.input(description="Conditions that all hold.")
class PushDeviceFilter:
    contact_id: strawberry.ID | None = UNSET
    app_id: strawberry.ID | None = UNSET
    platform: PushPlatform | None = UNSET
    active: bool | None = strawberry.field(
        default=UNSET, description="Those that are sent to, or that are not"
    )
