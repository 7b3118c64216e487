"""What can be done with e-mail."""

import strawberry

from core import email
from core.dashboards.messages import MESSAGE
from core.foundation.security.caller import Scope
from graphql_api.enums import ENV
from graphql_api.inputs import name_sets
from graphql_api.messages.inputs import MessageStatus
from graphql_api.messages.types import EmailMessage
from graphql_api.mutations import Deleted, deeds, does, shows
from graphql_api.scalars import JSON, DateTime
from graphql_api.sms.mutations import Billing

name_sets(email.NewEmail, category="EmailCategory")


@strawberry.type(description="The answer to a send, which the same key gets again for 24 hours.")
class SentEmail:
    id: strawberry.ID
    organization_id: strawberry.ID
    env: ENV
    to: str
    from_: str = strawberry.field(name="from")
    subject: str
    body_bytes: int
    status: MessageStatus
    reason: str | None
    contact_id: strawberry.ID | None
    campaign_id: strawberry.ID | None
    metadata: JSON | None
    sent_at: DateTime | None
    delivered_at: DateTime | None
    failed_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime
    billing: Billing
    replayed: bool = strawberry.field(description="An earlier answer, said again")
    message: EmailMessage | None = shows(MESSAGE, lambda sent: sent["id"])


@deeds
class EmailMutations:
    send_email: SentEmail | None = does(
        email.send_message,
        email.NewEmail,
        scope=Scope.EMAIL_SEND,
        keyed=True,
        description="Answers once the letter is accepted; it leaves afterwards. Draw a new key for each new letter.",
    )
    delete_email_suppression: Deleted | None = does(
        email.lift_suppression,
        email.SuppressedAddress,
        scope=Scope.EMAIL_SEND,
        optional=True,
        description="Send to an address again that bounced or complained.",
    )
