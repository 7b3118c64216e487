"""What can be asked of segments."""

import strawberry
from strawberry import UNSET


@strawberry.input(description="Conditions that all hold.")
class SegmentFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )
