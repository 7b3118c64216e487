"""A stretch of time in filters."""

import strawberry
from strawberry import UNSET

from graphql_api.scalars import DateTime


@strawberry.input(description="From and to belong to the period; either may be left out.")
class Period:
    from_: DateTime | None = strawberry.field(name="from", default=UNSET)
    to: DateTime | None = UNSET
