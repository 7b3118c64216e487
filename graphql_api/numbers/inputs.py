"""What can be asked of numbers."""

import strawberry
from strawberry import UNSET

from graphql_api.numbers.enums import NumberQuality, NumberState


@strawberry.input(description="Conditions that all hold.")
class NumberFilter:
    status: NumberState | None = UNSET
    quality_rating: NumberQuality | None = UNSET
