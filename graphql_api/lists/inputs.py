"""What can be asked of lists."""

import strawberry
from strawberry import UNSET


@strawberry.input(description="Conditions that all hold.")
class ContactListFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )
