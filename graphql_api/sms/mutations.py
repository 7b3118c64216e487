"""What can be done with SMS."""

import strawberry

from core import sms
from core.foundation.security.caller import Scope
from core.read_models.messages import MESSAGE
from graphql_api.enums import ENV
from graphql_api.inputs import register_enum
from graphql_api.messages.schema import MessageStatus, SmsEncoding, SmsMessage, SmsRoute
from graphql_api.mutations import mutation_field, mutation_type, payload_field
from graphql_api.scalars import JSON, DateTime

register_enum(sms.NewSms.model_fields["route"].annotation, SmsRoute)


@strawberry.type(description="What a send costs; 1 coin is 0.0001 BRL.")
class Billing:
    coins: int


@strawberry.type(description="The answer to a send, which the same key gets again for 24 hours.")
class SentSms:
    id: strawberry.ID
    status: MessageStatus
    env: ENV
    reason: str | None
    route: SmsRoute | None
    to: str
    provider: str
    encoding: SmsEncoding
    length: int
    segments: int
    created_at: DateTime
    scheduled_at: DateTime | None = strawberry.field(
        description="When it leaves, of what is sent with a time"
    )
    sent_at: DateTime | None
    delivered_at: DateTime | None
    failed_at: DateTime | None
    provider_receipt: JSON | None
    contact_id: strawberry.ID | None
    campaign_id: strawberry.ID | None
    metadata: JSON | None
    billing: Billing
    replayed: bool = strawberry.field(description="An earlier answer, said again")
    message: SmsMessage | None = payload_field(MESSAGE, lambda sent: sent["id"])


@strawberry.type(description="What a text would become and cost.")
class SmsPreview:
    body: str
    encoding: SmsEncoding
    length: int
    segments: int
    billing: Billing | None


@mutation_type
class SmsMutations:
    send_sms: SentSms | None = mutation_field(
        sms.send_message,
        sms.NewSms,
        scope=Scope.SMS_SEND,
        keyed=True,
        description="Answers once the provider took or refused it; with scheduledAt at once, as "
        "queued. Draw a new key for each new message.",
    )
    cancel_sms: SmsMessage | None = mutation_field(
        sms.cancel_message,
        scope=Scope.SMS_SEND,
        ids=("id",),
        answers=MESSAGE,
        description="Of an SMS that still waits; what was held for it is given back.",
    )
    send_sandbox_reply: SmsMessage | None = mutation_field(
        sms.reply_in_sandbox,
        sms.SandboxReply,
        scope=Scope.SMS_SEND,
        answers=MESSAGE,
        description="Let the recipient of a sandbox SMS reply; in the test environment only.",
    )


@mutation_type
class SmsPreviews:
    sms_preview: SmsPreview | None = mutation_field(
        sms.preview_message,
        sms.SmsDraft,
        scope=Scope.SMS_SEND,
        description="Sends nothing and charges nothing. Without a route there is no billing.",
    )
