"""What can be asked of dispatches."""

import strawberry
from strawberry import UNSET

from graphql_api.periods import Period
from graphql_api.push.enums import PushOrigin, PushStatus


@strawberry.input(description="Conditions that all hold; one of the values of each.")
class PushFilter:
    status: list[PushStatus] | None = UNSET
    origin: list[PushOrigin] | None = UNSET
    created_at: Period | None = UNSET
