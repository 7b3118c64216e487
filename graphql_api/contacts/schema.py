"""Contacts."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.contacts import OptInStatus, OptOutRecord, SingleContactRecord, Source
from core.read_models.contacts import CONTACT
from core.segments import ATTRIBUTE_OPERATORS
from graphql_api.cards.schema import CardFilter, CardOrder
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.customer_events.schema import CustomerEventFilter
from graphql_api.enums import enum_of, order_enum, wire_enum
from graphql_api.messages.schema import MessageFilter
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON, DateTime
from graphql_api.timeline.filters import TimelineFilter

if TYPE_CHECKING:
    from graphql_api.cards.schema import Card
    from graphql_api.companies.schema import Company
    from graphql_api.customer_events.schema import CustomerEvent
    from graphql_api.lists.schema import ContactList
    from graphql_api.messages.schema import Message
    from graphql_api.timeline.schema import TimelineEntry


ContactOptOut = type_of(OptOutRecord)


@record_type(SingleContactRecord)
class Contact(Node):
    """A person. Phones are masked unless the credential has pii:full."""

    opt_outs: list[ContactOptOut] | None = relation_field(
        "optOuts", description="The channels that it closed, oldest first"
    )
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.schema")] | None = (
        relation_field("company")
    )
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", filter=MessageFilter, description="Newest first")
    last_message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("lastMessage")
    )
    lists: list[Annotated["ContactList", strawberry.lazy("graphql_api.lists.schema")]] | None = (
        relation_field("lists", description="The newest first, at most 100")
    )
    customer_events: (
        Connection[
            Annotated["CustomerEvent", strawberry.lazy("graphql_api.customer_events.schema")]
        ]
        | None
    ) = relation_connection(
        "customerEvents", filter=CustomerEventFilter, description="The latest first"
    )
    timeline: (
        Connection[Annotated["TimelineEntry", strawberry.lazy("graphql_api.timeline.schema")]]
        | None
    ) = relation_connection(
        "timeline",
        filter=TimelineFilter,
        description="Messages, clicks, events, deals on the move and consent, the latest first; warnings name what the "
        "credential may not see",
    )
    cards: Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.schema")]] | None = (
        relation_connection(
            "cards",
            filter=CardFilter,
            order=CardOrder,
            description="On which the contact is, in any part; newest first unless told otherwise",
        )
    )


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
    opt_in_status: enum_of(OptInStatus) | None = UNSET
    source: enum_of(Source) | None = UNSET
    external_id: str | None = UNSET
    company_id: strawberry.ID | None = UNSET
    list_id: strawberry.ID | None = UNSET
    segment_id: strawberry.ID | None = UNSET
    created_at: Period | None = UNSET
    updated_since: DateTime | None = UNSET
    last_interaction: Period | None = UNSET
    attributes: list[AttributeFilter] | None = UNSET


@strawberry.type
class ContactQueries:
    contact: Contact | None = node_field(CONTACT)
    contacts: Connection[Contact] | None = connection_field(
        CONTACT,
        filter=ContactFilter,
        order=ContactOrder,
        description="Newest first unless told otherwise",
    )
