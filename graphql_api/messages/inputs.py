"""What can be asked of lists of messages."""

import strawberry
from strawberry import UNSET

from core.dashboards.messages import MESSAGE
from core.messages import Channel, Direction, Status
from graphql_api.enums import order_enum, wire_enum
from graphql_api.periods import Period

MessageChannel = wire_enum("Channel", Channel)
MessageDirection = wire_enum("Direction", Direction)
MessageStatus = wire_enum("MessageStatus", Status)
MessageOrder = order_enum("MessageOrder", MESSAGE)


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class MessageFilter:
    channel: list[MessageChannel] | None = UNSET
    status: list[MessageStatus] | None = UNSET
    direction: MessageDirection | None = UNSET
    contact_id: strawberry.ID | None = UNSET
    company_id: strawberry.ID | None = UNSET
    campaign_id: strawberry.ID | None = UNSET
    number_id: strawberry.ID | None = UNSET
    batch_id: strawberry.ID | None = UNSET
    template_id: strawberry.ID | None = UNSET
    to: str | None = strawberry.field(
        default=UNSET,
        description="The whole address; a phone in any form, an e-mail address in any case",
    )
    created_at: Period | None = UNSET
