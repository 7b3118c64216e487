"""Inputs of bulk sends and resends."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.conversations.inputs import SenderId, TemplateVar, payload_of
from core.conversations.models import ConversationType
from core.conversations.sending.payloads import TemplatePayload
from core.conversations.sending.send_request import ConversationRequest
from core.foundation.validation.inputs import Input, UtcTime
from core.foundation.validation.raw_items import ReadInParts
from core.foundation.validation.validation_errors import (
    at_least_one,
    exactly_one,
    only_with,
)
from core.messaging import MessagePriority
from core.messaging.send_fields import CampaignOfSend, MetadataOfSend, QuoteOfSend, TimeOfSend

MAX_RECIPIENTS = 1_000
MAX_RESENT = 1_000

Id = Annotated[str, StringConstraints(min_length=1, max_length=30)]
Campaign = Annotated[str, StringConstraints(min_length=1, max_length=80)]
TemplateVars = Annotated[list[TemplateVar], Field(max_length=100)]


class Recipient(Input):
    """One of those that a template is sent to."""

    # Read as a phone only when it is that recipient's turn: one that is none must not stop the
    # others.
    to: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None = Field(
        default=None, description="Recipient in E.164"
    )
    contact_id: Id | None = Field(
        default=None,
        validate_default=True,
        description="Without `to`, the contact's phone is the recipient",
    )
    template_vars: TemplateVars | None = Field(
        default=None, description="As many as the template has placeholders, in their order"
    )
    metadata: MetadataOfSend = None

    _is_named = at_least_one("to", "contact_id", said="Send to or contactId")


class NewBulk(Input):
    """One template for many recipients."""

    number_id: SenderId = Field(description="The number that it leaves from")
    template_id: Id = Field(description="The template that is sent")
    recipients: Annotated[
        list[Recipient], Field(min_length=1, max_length=MAX_RECIPIENTS), ReadInParts()
    ] = Field(description="Whom it is sent to; who stands there twice gets it once")
    payload: TemplatePayload | None = Field(
        default=None, description="The file of the template's header, for all"
    )
    priority: MessagePriority = Field(
        default=MessagePriority.BULK, description="bulk waits for the end of the quiet hours"
    )
    scheduled_at: TimeOfSend = None
    campaign_id: CampaignOfSend = None
    quote_id: QuoteOfSend = None

    def send_request(
        self, recipient: Recipient, *, to: str | None, batch_id: str
    ) -> ConversationRequest:
        """The message for one of them, whose `to` has been read as a phone."""
        return ConversationRequest(
            number_id=self.number_id,
            type=ConversationType.TEMPLATE,
            payload=payload_of(self.payload),
            to=to,
            contact_id=recipient.contact_id,
            template_id=self.template_id,
            template_vars=tuple(recipient.template_vars or ()),
            priority=self.priority,
            scheduled_at=self.scheduled_at,
            campaign_id=self.campaign_id,
            metadata=recipient.metadata,
            quote_id=self.quote_id,
            batch_id=batch_id,
        )


class ResendFilter(Input):
    """Which failed messages; what is told holds together."""

    batch_id: Id | None = Field(
        default=None, description="Those of this bulk send, or of this resend"
    )
    campaign_id: Campaign | None = Field(
        default=None, description="Those that were sent with this tag"
    )
    number_id: Id | None = Field(default=None, description="Those that left from this number")
    from_: UtcTime | None = Field(
        default=None, alias="from", description="Created at or after this instant"
    )
    to: UtcTime | None = Field(default=None, description="Created at or before this instant")
    erro: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None,
        validate_default=True,
        description="The platform's code (`upstreamCode`) or the whole `lastError`",
    )

    _says_something = at_least_one(
        "batch_id",
        "campaign_id",
        "number_id",
        "from_",
        "to",
        "erro",
        said="Say at least one thing of the messages",
    )


class Resend(Input):
    """Failed messages that are to be sent again."""

    message_ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_RESENT)] | None = Field(
        default=None, description="These messages; or `filtro`"
    )
    filter: ResendFilter | None = Field(
        default=None,
        validate_default=True,
        alias="filtro",
        description="Those of the last 7 days, 1,000 for each call, the oldest first",
    )
    template_id: Id | None = Field(
        default=None,
        description="Sent instead to those whose 24 hours are over, where no other message may go",
    )
    template_vars: TemplateVars | None = Field(
        default=None,
        description="What fills the placeholders of that template, for all of them",
    )
    simulate: bool = Field(
        default=False, alias="simular", description="Only tell what would happen"
    )

    _one_way = exactly_one("message_ids", "filter", said="Send either messageIds or filtro")

    _vars_of_a_template = only_with(
        "template_id", "template_vars", code="required", said="Send templateId with templateVars"
    )
