"""What can be asked of lists of contacts."""

import strawberry
from strawberry import UNSET

from core.dashboards.contacts import CONTACT
from core.segments import ATTRIBUTE_OPERATORS
from graphql_api.contacts.types import ContactOptIn, ContactSource
from graphql_api.enums import order_enum, wire_enum
from graphql_api.periods import Period
from graphql_api.scalars import JSON, DateTime

AttributeOperator = wire_enum("AttributeOperator", ATTRIBUTE_OPERATORS)
ContactOrder = order_enum("ContactOrder", CONTACT)


@strawberry.input(
    description="Contacts by their tags: with any of these, all of these, none of these."
)
class TagsFilter:
    any: list[str] | None = UNSET
    all: list[str] | None = UNSET
    none: list[str] | None = UNSET


@strawberry.input(description="A condition on an attribute, with the operators of segments.")
class AttributeFilter:
    key: str
    operator: AttributeOperator
    value: JSON | None = UNSET


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class ContactFilter:
    q: str | None = strawberry.field(
        default=UNSET,
        description="A part of name, e-mail or phone; needs pii:full, else it is left out with a warning",
    )
    tag: str | None = UNSET
    tags: TagsFilter | None = UNSET
    opt_in_status: ContactOptIn | None = UNSET
    source: ContactSource | None = UNSET
    external_id: str | None = UNSET
    company_id: strawberry.ID | None = UNSET
    list_id: strawberry.ID | None = UNSET
    segment_id: strawberry.ID | None = UNSET
    created_at: Period | None = UNSET
    updated_since: DateTime | None = UNSET
    last_interaction: Period | None = UNSET
    attributes: list[AttributeFilter] | None = UNSET
