"""What can be done with SMS."""

from typing import Any

import strawberry

from core import messaging, sms
from core.foundation.security.caller import Scope
from core.read_models.messages import MESSAGE
from graphql_api.enums import OLD_NAMES_END
from graphql_api.messages.schema import MessageStatus, SmsMessage
from graphql_api.mutations import mutation_field, mutation_type, payload_field
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON

Billing = type_of(messaging.Billing)


@record_type(sms.SentSms)
class SentSms:
    status: MessageStatus
    reason: str | None
    provider: str
    provider_receipt: JSON | None
    campaign_id: strawberry.ID | None
    message: SmsMessage | None = payload_field(
        MESSAGE, lambda sent: sent["id"], description="The message as it is now"
    )


OF_THE_SEND = {"id", "status", "billing", "replayed", "message", "env"}


def leave_to_message(sent: Any) -> None:
    """What a message has is read of it, so that a message has one type. The older fields of the
    answer go with the older names of enums.
    """
    for field in sent.__strawberry_definition__.fields:
        if field.python_name not in OF_THE_SEND:
            _deprecate(field, deprecation_reason=f"Read it of `message`; until {OLD_NAMES_END}.")


def _deprecate(field: Any, *, deprecation_reason: str) -> None:
    field.deprecation_reason = deprecation_reason


leave_to_message(SentSms)


@mutation_type
class SmsMutations:
    send_sms: SentSms | None = mutation_field(
        sms.send_message,
        sms.NewSms,
        scope=Scope.SMS_SEND,
        keyed=True,
        description=(
            "Send an SMS: it answers once the provider took or refused it; with scheduledAt "
            "at once, as queued. Draw a new key for each new message."
        ),
    )
    cancel_sms: SmsMessage | None = mutation_field(
        sms.cancel_message,
        scope=Scope.SMS_SEND,
        ids=("id",),
        answers=MESSAGE,
        description="Call off an SMS that still waits; what was held for it is given back.",
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
    sms_preview: type_of(sms.SmsPreview) | None = mutation_field(
        sms.preview_message,
        sms.SmsDraft,
        scope=Scope.SMS_SEND,
        description=(
            "How many segments a text has, and what it would cost where a route is given; "
            "nothing is sent or charged."
        ),
    )
