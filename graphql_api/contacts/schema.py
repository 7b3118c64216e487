"""Contacts."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry import UNSET

from core.contacts import OptInStatus, OptOutRecord, SingleContactRecord, Source
from core.decisions import DecisionChannel, SendQuestion
from core.read_models.contacts import CONTACT
from core.segments import ATTRIBUTE_OPERATORS, SegmentOperator
from graphql_api.cards.schema import CardFilter, CardOrder
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.customer_events.schema import CustomerEventFilter
from graphql_api.decisions.schema import Decision, SendExplanation
from graphql_api.enums import enum_among, enum_of, order_enum
from graphql_api.journeys.runs import ContactJourneyRunFilter
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
    from graphql_api.journeys.runs import JourneyRun
    from graphql_api.lists.schema import ContactList
    from graphql_api.messages.schema import Message
    from graphql_api.timeline.schema import TimelineEntry


ContactOptOut = type_of(OptOutRecord)

_ASKED = {name: field.description or "" for name, field in SendQuestion.model_fields.items()}


def _argument(type: Any, *, description: str, name: str | None = None) -> Any:
    return Annotated[type, strawberry.argument(description=description, name=name)]


@record_type(SingleContactRecord)
class Contact(Node):
    """A person. Phones are masked unless the credential has pii:full."""

    opt_outs: list[ContactOptOut] | None = relation_field(
        "optOuts", description="The channels that it closed, oldest first"
    )
    decisoes: list[Decision] | None = relation_field(
        "decisoes",
        description="The latest decisions about sends to it, newest first: refused, passed over, and "
        "stored ones",
        first=_argument(int | None, description="How many, 1 to 100; unless told, 10"),
    )
    pode_receber: SendExplanation | None = relation_field(
        "podeReceber",
        description="Whether a message to it could be sent, and when; nothing is sent, charged or "
        "kept. Of at most 10 contacts at once",
        canal=_argument(enum_of(DecisionChannel), description=_ASKED["canal"]),
        categoria=_argument(
            str | None,
            description="marketing or transacional; of SMS and RCS it stands for the route that is so",
        ),
        rota=_argument(str | None, description=_ASKED["rota"]),
        em=_argument(DateTime | None, description=_ASKED["em"]),
        template_id=_argument(strawberry.ID | None, description=_ASKED["template_id"]),
        template_vars=_argument(list[str] | None, description=_ASKED["template_vars"]),
        body=_argument(str | None, description=_ASKED["body"]),
        from_=_argument(str | None, description=_ASKED["from_"], name="from"),
    )
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.schema")] | None = (
        relation_field("company", description="The company that the person belongs to")
    )
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", filter=MessageFilter, description="Newest first")
    last_message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("lastMessage", description="The newest message of the contact")
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
    journey_runs: (
        Connection[Annotated["JourneyRun", strawberry.lazy("graphql_api.journeys.runs")]] | None
    ) = relation_connection(
        "journeyRuns",
        filter=ContactJourneyRunFilter,
        description="The journeys that the contact is, or was, on the way through; newest first",
    )
    timeline: (
        Connection[Annotated["TimelineEntry", strawberry.lazy("graphql_api.timeline.schema")]]
        | None
    ) = relation_connection(
        "timeline",
        filter=TimelineFilter,
        description="Messages, clicks, events, deals on the move and consent, the latest first; "
        "warnings name what the "
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


AttributeOperator = enum_among(SegmentOperator, "AttributeOperator", ATTRIBUTE_OPERATORS)
ContactOrder = order_enum("ContactOrder", CONTACT)


@strawberry.input(
    description="Contacts by their tags: with any of these, all of these, none of these."
)
class TagsFilter:
    any: list[str] | None = strawberry.field(default=UNSET, description="At least one of these")
    all: list[str] | None = strawberry.field(default=UNSET, description="Every one of these")
    none: list[str] | None = strawberry.field(default=UNSET, description="Not one of these")


@strawberry.input(description="A condition on an attribute, with the operators of segments.")
class AttributeFilter:
    key: str = strawberry.field(description="The attribute's key")
    operator: AttributeOperator = strawberry.field(description="How it is compared")
    value: JSON | None = strawberry.field(
        default=UNSET, description="With what: a value of the attribute's kind, or a list of them"
    )


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class ContactFilter:
    q: str | None = strawberry.field(
        default=UNSET,
        description="A part of name, e-mail or phone; needs pii:full, else it is left out with a "
        "warning",
    )
    tag: str | None = strawberry.field(default=UNSET, description="A whole tag")
    tags: TagsFilter | None = strawberry.field(default=UNSET, description="Several tags")
    opt_in_status: enum_of(OptInStatus) | None = strawberry.field(
        default=UNSET, description="The consent that is in force"
    )
    source: enum_of(Source) | None = strawberry.field(
        default=UNSET, description="What made the contact"
    )
    external_id: str | None = strawberry.field(
        default=UNSET, description="The whole id in your own system"
    )
    company_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The people of this company"
    )
    list_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The contacts on this static list"
    )
    segment_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The contacts that this segment matches now"
    )
    created_at: Period | None = strawberry.field(default=UNSET, description="When it was created")
    updated_since: DateTime | None = strawberry.field(
        default=UNSET, description="Changed at or after this moment"
    )
    last_interaction: Period | None = strawberry.field(
        default=UNSET, description="When the contact last wrote"
    )
    attributes: list[AttributeFilter] | None = strawberry.field(
        default=UNSET, description="Conditions on attributes, which all hold"
    )


@strawberry.type
class ContactQueries:
    contact: Contact | None = node_field(
        CONTACT, description="The contact of this id; null where there is none"
    )
    contacts: Connection[Contact] | None = connection_field(
        CONTACT,
        filter=ContactFilter,
        order=ContactOrder,
        description="Newest first unless told otherwise",
    )
