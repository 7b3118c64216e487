"""What can be done with e-mail."""

import strawberry

from core import email
from core.foundation.security.caller import Scope
from core.read_models.email_senders import EMAIL_SENDER
from core.read_models.messages import MESSAGE
from graphql_api.email.schema import EmailSender
from graphql_api.enums import ENV
from graphql_api.messages.schema import EmailMessage, MessageStatus
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.records import record_type
from graphql_api.sms.mutations import leave_to_message


@record_type(email.SentEmail, without=("quoteId",))
class SentEmail:
    status: MessageStatus
    reason: str | None
    campaign_id: strawberry.ID | None
    message: EmailMessage | None = payload_field(
        MESSAGE, lambda sent: sent["id"], description="The message as it is now"
    )


leave_to_message(SentEmail)


@record_type(email.RequestedSender)
class RequestedEmailSender:
    env: ENV
    email_sender: EmailSender | None = payload_field(
        EMAIL_SENDER, lambda asked: asked["id"], description="The sender as it is now"
    )
    sandbox_code: str | None = strawberry.field(
        description="The code of the e-mail, in the sandbox, which no e-mail leaves"
    )


@mutation_type
class EmailMutations:
    send_email: SentEmail | None = mutation_field(
        email.send_message,
        email.NewEmail,
        scope=Scope.EMAIL_SEND,
        keyed=True,
        description=(
            "Send an e-mail: it is accepted at once and leaves afterwards. Draw a new key for "
            "each new e-mail."
        ),
    )
    cancel_email: EmailMessage | None = mutation_field(
        email.cancel_message,
        scope=Scope.EMAIL_SEND,
        ids=("id",),
        answers=MESSAGE,
        description=(
            "Call off an e-mail whose time has not come; what was held for it is given back."
        ),
    )
    delete_email_suppression: Deleted | None = mutation_field(
        email.lift_suppression,
        email.SuppressedAddress,
        scope=Scope.EMAIL_SEND,
        optional=True,
        description="Send to an address again that bounced or complained.",
    )
    create_email_sender: RequestedEmailSender | None = mutation_field(
        email.request_sender,
        email.SenderRequest,
        scope=Scope.EMAIL_SEND,
        description="Ask to write from an address, which gets an e-mail with a code, or from a "
        "domain, whose TXT record is looked for. What waits begins anew; what is verified stays so.",
    )
    verify_email_sender: EmailSender | None = mutation_field(
        email.prove_sender,
        email.SenderProof,
        scope=Scope.EMAIL_SEND,
        ids=("id",),
        optional=True,
        answers=EMAIL_SENDER,
        description="Look for the TXT record of a domain now, or take the code of an e-mail.",
    )
    delete_email_sender: Deleted | None = mutation_field(
        email.remove_sender,
        scope=Scope.EMAIL_SEND,
        ids=("id",),
        answers=Deleted,
        description="Write from it no more; what was accepted before still leaves.",
    )
