"""Stretches of time in filters."""

import strawberry
from strawberry import UNSET

from graphql_api.scalars import Date, DateTime


@strawberry.input(description="From and to belong to the period; either may be left out.")
class Period:
    from_: DateTime | None = strawberry.field(
        name="from", default=UNSET, description="At or after this moment"
    )
    to: DateTime | None = strawberry.field(default=UNSET, description="At or before this moment")


@strawberry.input(description="From and to belong to the days; either may be left out.")
class Days:
    from_: Date | None = strawberry.field(
        name="from", default=UNSET, description="On or after this day"
    )
    to: Date | None = strawberry.field(default=UNSET, description="On or before this day")
