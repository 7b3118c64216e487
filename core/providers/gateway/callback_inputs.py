"""The inputs of the gateway's callbacks."""

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import MAX_INTEGER, Input, Phone


class CallbackItem(Input):
    """Unlike a customer's body it may hold fields that we do not know: a newer gateway's report is
    not lost.
    """

    model_config = ConfigDict(extra="ignore")


Reference = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,80}$")]
"""An id of the gateway's, or ours."""

Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]
# Not `int | float`: errors of a union would name its branches as if they were fields.
Number = Annotated[
    float,
    Field(ge=-MAX_INTEGER, le=MAX_INTEGER, allow_inf_nan=False),
    AfterValidator(lambda number: int(number) if number.is_integer() else number),
]


class ReceiptItem(CallbackItem):
    """The interface's `providerReceipt`, and optionally the `reason` of a rejection."""

    id: Reference
    type: Literal["api_message", "api_fast", "api_reply"]
    to: Word
    message: Annotated[str, StringConstraints(max_length=4000)] | None = None
    reference: Reference | None = None
    status: Word
    status_description: Annotated[str, StringConstraints(max_length=500)]
    received: Word | None = None
    bill_factor: Number | None = Field(default=None, alias="bill_factor")
    account_id: Number | None = Field(default=None, alias="account_id")
    account_reference: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, alias="account_reference"
    )
    channel: Literal["SMS", "RCS", "WHATSAPP"] | None = None
    reason: Word | None = None


class ReplyItem(CallbackItem):
    """A recipient's answer, with the gateway's own `id` of it.

    The message answered is named by `inReplyTo` (our id) or by `reference` (the gateway's).
    """

    id: Reference
    in_reply_to: Reference | None = None
    reference: Reference | None = Field(default=None, validate_default=True)
    from_: Phone = Field(alias="from")
    body: Annotated[str, StringConstraints(max_length=4000)]
    received_at: Word | None = None

    @field_validator("reference")
    @classmethod
    def _some_message(cls, reference: str | None, others: ValidationInfo) -> str | None:
        # An inReplyTo that is itself wrong is missing here, and already named.
        if reference is None and others.data.get("in_reply_to", "wrong") is None:
            raise PydanticCustomError(
                "required", "Name the message answered, by inReplyTo or reference"
            )
        return reference
