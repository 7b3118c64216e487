"""Customer events."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import customer_events
from core.foundation.security.caller import Scope
from core.read_models.customer_events import CUSTOMER_EVENT
from graphql_api.connections import Connection, connection_field, relation_field
from graphql_api.messages.schema import MessageChannel
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact
    from graphql_api.messages.schema import Message


@strawberry.input(description="Conditions that all hold.")
class CustomerEventFilter:
    name: str | None = strawberry.field(default=UNSET, description="The whole name of the event")
    contact_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Events of this contact"
    )
    occurred_at: Period | None = strawberry.field(default=UNSET, description="When it happened")


@record_type(customer_events.AttributionRecord)
class Attribution:
    channel: MessageChannel


@record_type(customer_events.CustomerEventRecord)
class CustomerEvent(Node):
    attribution: Attribution | None
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact", description="The contact that it is about, where one is known")
    )
    attributed_message: (
        Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None
    ) = relation_field("attributedMessage", description="The message of `attribution`")


@strawberry.type
class CustomerEventQueries:
    customer_events: Connection[CustomerEvent] | None = connection_field(
        CUSTOMER_EVENT,
        filter=CustomerEventFilter,
        description="By when they happened, the latest first",
    )


@mutation_type
class CustomerEventMutations:
    record_customer_event: CustomerEvent | None = mutation_field(
        customer_events.record_event,
        customer_events.NewCustomerEvent,
        scope=Scope.CONTACTS_WRITE,
        answers=CUSTOMER_EVENT,
        tells=("duplicate",),
        description=(
            "Tell what a customer did, once for each `eventId`: sent again, it answers what "
            "is stored, with `duplicate`."
        ),
    )
