"""Messages at the root."""

import strawberry

from core.dashboards.messages import MESSAGE
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.messages.inputs import MessageFilter, MessageOrder
from graphql_api.messages.types import Message


@strawberry.type
class MessageQueries:
    message: Message | None = reads_one(MESSAGE)
    messages: Connection[Message] | None = reads_page(
        MESSAGE,
        filter=MessageFilter,
        order=MessageOrder,
        description="Of every channel, newest first",
    )
