"""Inputs of sending and listing conversational messages."""

from typing import Annotated, Any

from pydantic import (
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from core.conversations.models import ConversationStatus, ConversationType
from core.conversations.sending.instagram_payloads import fit_for_instagram
from core.conversations.sending.payloads import (
    InteractivePayload,
    MediaPayload,
    Payload,
    TemplatePayload,
    TextPayload,
    misplaced,
)
from core.conversations.sending.send_request import ConversationRequest
from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import (
    SINCE,
    UNTIL,
    Input,
    Phone,
    SkipPage,
)
from core.foundation.validation.validation_errors import across, exactly_one
from core.messaging import MessagePriority
from core.messaging.send_fields import CampaignOfSend, MetadataOfSend, QuoteOfSend, TimeOfSend

SenderId = Annotated[str, StringConstraints(min_length=1, max_length=30)]
TemplateVar = Annotated[str, StringConstraints(max_length=1024)]

OF_TYPE: dict[str, TypeAdapter[Any]] = {
    "text": TypeAdapter(TextPayload),
    "media": TypeAdapter(MediaPayload),
    "interactive": TypeAdapter(InteractivePayload),
    "template": TypeAdapter(TemplatePayload),
}
OF_TEMPLATES = "Only a message of type template has it"
_phone = TypeAdapter[str](Phone)


def one_sender() -> object:
    """The check that a message has one sender account: a number, or an Instagram account."""
    return exactly_one(
        "instagram_account_id",
        "number_id",
        at=("numberId",),
        said="Send either numberId or instagramAccountId",
    )


def address_of(text: str, info: ValidationInfo, no_scoped_id: PydanticCustomError) -> str:
    """The address of a person: a phone, or the scoped id that an Instagram account knows. Raises
    `no_scoped_id` for what is none.
    """
    if info.data.get("instagram_account_id") is None:
        return _phone.validate_python(text)
    if not (text.isascii() and text.isdigit()):
        raise no_scoped_id
    return text


class NewMessage(Input):
    """One message of a number or of an Instagram account."""

    # The account before the number, whose check fails where both are there or none: `to` is read by
    # the account.
    instagram_account_id: SenderId | None = Field(
        default=None, description="The Instagram account that it leaves from"
    )
    number_id: SenderId | None = Field(
        default=None, validate_default=True, description="Or the number"
    )
    contact_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None, description="Without `to`, the contact's phone is the recipient"
    )
    to: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None = Field(
        default=None,
        validate_default=True,
        description="Recipient in E.164; for an Instagram account, the recipient's scoped id",
    )
    type: ConversationType = Field(description="What kind of message it is")
    payload: Payload | None = Field(
        default=None,
        validate_default=True,
        description="What the type says; a template takes none, but for the file of its header",
    )
    template_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None,
        validate_default=True,
        description="The template, of a message of type template",
    )
    template_vars: Annotated[list[TemplateVar], Field(max_length=100)] | None = Field(
        default=None, description="As many as the template has placeholders, in their order"
    )
    priority: MessagePriority = Field(
        default=MessagePriority.NORMAL, description="bulk waits for the end of the quiet hours"
    )
    scheduled_at: TimeOfSend = None
    campaign_id: CampaignOfSend = None
    metadata: MetadataOfSend = None
    quote_id: QuoteOfSend = None
    reply_to: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None, description="The message of this conversation that is answered"
    )

    _one_sender = one_sender()

    @field_validator("to")
    @classmethod
    def _an_address(cls, to: str | None, info: ValidationInfo) -> str | None:
        if to is None:
            return None
        no_scoped_id = PydanticCustomError(
            "wrong_format", "Send the Instagram scoped id of the recipient: digits only"
        )
        return address_of(to, info, no_scoped_id)

    @across("instagram_account_id", "contact_id", "to")
    @staticmethod
    def _a_recipient(
        instagram_account_id: str | None, contact_id: str | None, to: str | None
    ) -> None:
        if to is None and instagram_account_id is not None:
            raise misplaced(("to",), "An Instagram recipient is named by to", code="required")
        if to is None and contact_id is None:
            raise misplaced(("to",), "Send to or contactId", code="required")

    @across("instagram_account_id", "type")
    @staticmethod
    def _carried(instagram_account_id: str | None, type: ConversationType) -> None:
        if type == "template" and instagram_account_id is not None:
            raise misplaced(("type",), "Instagram takes texts, files and buttons")

    @field_validator("payload", mode="wrap")
    @classmethod
    def _of_its_type(cls, value: object, _: object, info: ValidationInfo) -> Payload | None:
        type = info.data.get("type")
        if type is None:  # which is named already
            if not isinstance(value, dict | Input | None):
                raise PydanticCustomError("wrong_type", "Send an object")
            return None
        if value is None:
            if type == "template":
                return None
            raise PydanticCustomError("required", "This field is required")
        payload: Payload = (
            value  # type: ignore[assignment]
            if isinstance(value, Input)
            else OF_TYPE[type].validate_python(value, strict=True, by_alias=True, by_name=False)
        )
        if info.data.get("instagram_account_id") is not None:
            fit_for_instagram(payload)
        return payload

    @across("type", "template_id")
    @staticmethod
    def _with_its_template(type: ConversationType, template_id: str | None) -> None:
        if type == "template" and template_id is None:
            raise misplaced(
                ("templateId",), "A message of type template names its template", code="required"
            )
        if type != "template" and template_id is not None:
            raise misplaced(("templateId",), OF_TEMPLATES)

    @across("type", "template_vars")
    @staticmethod
    def _vars_of_a_template(type: ConversationType, template_vars: list[str] | None) -> None:
        if type != "template" and template_vars is not None:
            raise misplaced(("templateVars",), OF_TEMPLATES)

    def send_request(self, *, force: bool = False) -> ConversationRequest:
        """The command to send it."""
        return ConversationRequest(
            number_id=self.number_id,
            instagram_account_id=self.instagram_account_id,
            to=self.to,
            contact_id=self.contact_id,
            type=self.type,
            payload=payload_of(self.payload),
            template_id=self.template_id,
            template_vars=tuple(self.template_vars or ()),
            priority=self.priority,
            scheduled_at=self.scheduled_at,
            campaign_id=self.campaign_id,
            metadata=self.metadata,
            quote_id=self.quote_id,
            reply_to=self.reply_to,
            force=force,
        )


class ForcedMessage(NewMessage):
    """One message that waits for no bucket and no quiet hours."""

    motivo: Annotated[
        str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)
    ] = Field(
        description="Why, in words for those who read the audit trail later; nothing personal"
    )


class MessageFilter(SkipPage):
    """Which messages to list, newest first. A value that does not exist matches nothing."""

    status: Annotated[str | None, ClosedSet.of(ConversationStatus)] = Field(
        default=None, description="Messages that are so"
    )
    number_id: str | None = Field(
        default=None, description="What was said with this number, either way"
    )
    contact_id: str | None = Field(
        default=None, description="What was said with this contact, either way"
    )
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )
    batch_id: str | None = Field(
        default=None, description="The bulk send or the resend that the messages came from"
    )
    sent_by_account_id: str | None = Field(default=None, description="The operator who sent")
    from_: str | None = Field(default=None, alias="from", description=SINCE)
    to: str | None = Field(default=None, description=UNTIL)


def payload_of(payload: Payload | None) -> dict[str, object]:
    """A payload as the caller sent it."""
    return {} if payload is None else payload.model_dump(by_alias=True, exclude_unset=True)
