"""Suppressed addresses at the root."""

import strawberry
from strawberry import UNSET

from core.read_models.email_suppressions import EMAIL_SUPPRESSION
from graphql_api.connections import Connection, connection_field
from graphql_api.scalars import DateTime


@strawberry.type(
    description="An address that nothing is sent to: it bounced for good, or its owner complained."
)
class EmailSuppression:
    id: strawberry.ID = strawberry.field(description="A keyed hash of the address")
    to: str | None = strawberry.field(
        description="Masked without pii:full; null once the contact of the message that told was "
        "erased"
    )
    reason: str
    message_id: strawberry.ID | None = strawberry.field(description="The message whose report told")
    created_at: DateTime


@strawberry.input(description="Conditions that all hold.")
class EmailSuppressionFilter:
    to: str | None = strawberry.field(default=UNSET, description="A whole address, in any case")


@strawberry.type
class EmailQueries:
    email_suppressions: Connection[EmailSuppression] | None = connection_field(
        EMAIL_SUPPRESSION, filter=EmailSuppressionFilter, description="The newest first"
    )
