"""Customer events."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import hangs
from graphql_api.messages.inputs import MessageChannel
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.types import Contact
    from graphql_api.messages.types import Message


@strawberry.type(description="The message that touched the contact last before an event.")
class Attribution:
    message_id: strawberry.ID
    channel: MessageChannel
    campaign_id: strawberry.ID | None
    sent_at: DateTime
    horas_ate_o_evento: float = strawberry.field(description="Hours from the message to the event")
    journey_id: strawberry.ID | None
    journey_step_id: strawberry.ID | None
    journey_run_id: strawberry.ID | None


@strawberry.type(description="Something that a customer did outside messaging.")
class CustomerEvent(Node):
    name: str
    event_id: str = strawberry.field(description="The id of whoever sent the event")
    contact_id: strawberry.ID | None
    contact_external_id: str | None
    occurred_at: DateTime
    value: float | None
    currency: str | None
    properties: JSON | None
    attribution: Attribution | None
    duplicate: bool = strawberry.field(
        description="Where an event is recorded: it had been recorded before"
    )
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")] | None = hangs(
        "contact"
    )
    attributed_message: (
        Annotated["Message", strawberry.lazy("graphql_api.messages.types")] | None
    ) = hangs("attributedMessage", description="The message of `attribution`")
