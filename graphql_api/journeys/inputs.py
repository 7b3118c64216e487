"""What can be asked of journeys."""

import strawberry
from strawberry import UNSET

from graphql_api.journeys.enums import JourneyStatus


@strawberry.input(
    description="Conditions that all hold; without a status those that are not archived."
)
class JourneyFilter:
    status: JourneyStatus | None = UNSET
