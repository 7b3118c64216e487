"""Senders and suppressed addresses at the root."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.email import SenderRecord, SenderStatus, SuppressionRecord
from core.read_models.email_senders import EMAIL_SENDER
from core.read_models.email_suppressions import EMAIL_SUPPRESSION
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import ENV, enum_of
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message


@record_type(SenderRecord)
class EmailSender(Node):
    env: ENV


@strawberry.input(description="Conditions that all hold.")
class EmailSenderFilter:
    status: enum_of(SenderStatus) | None = strawberry.field(
        default=UNSET, description="Senders in this status only"
    )


@record_type(SuppressionRecord)
class EmailSuppression:
    to: str | None = strawberry.field(
        description="Masked without pii:full; null once the contact of the message that told was "
        "erased"
    )
    reason: str
    message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("message", description="The message whose report told")
    )


@strawberry.input(description="Conditions that all hold.")
class EmailSuppressionFilter:
    to: str | None = strawberry.field(default=UNSET, description="A whole address, in any case")


@strawberry.type
class EmailQueries:
    email_sender: EmailSender | None = node_field(EMAIL_SENDER)
    email_senders: Connection[EmailSender] | None = connection_field(
        EMAIL_SENDER, filter=EmailSenderFilter, description="Verified or not, the newest first"
    )
    email_suppressions: Connection[EmailSuppression] | None = connection_field(
        EMAIL_SUPPRESSION, filter=EmailSuppressionFilter, description="The newest first"
    )
