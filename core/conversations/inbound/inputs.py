"""The input of a simulated inbound message."""

from typing import Annotated

from pydantic import Field, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from core.conversations.inputs import SenderId, address_of, one_sender
from core.conversations.sending.payloads import MAX_TEXT_LENGTH, PlainObject, misplaced
from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.inputs import Input

FILES = ("image", "audio", "video", "document", "sticker")


class ReceivedMessageType(DescribedEnum):
    """What kind of message somebody wrote."""

    TEXT = "text", "A text"
    MEDIA = "media", "A file"
    INTERACTIVE = "interactive", "A button that was pressed, a flow, a place or such"


class NewInbound(Input):
    """A message that somebody writes to a number or to an Instagram account of the sandbox."""

    # Before the number, whose validator fails where both are there or none: `from` is read by this
    # one.
    instagram_account_id: SenderId | None = Field(
        default=None, description="In place of `numberId`"
    )
    number_id: SenderId | None = Field(
        default=None, validate_default=True, description="The number that is written to"
    )
    from_: Annotated[str, StringConstraints(min_length=1, max_length=40)] = Field(
        alias="from",
        description=(
            "A phone, read as Brazilian where no country is given; or an Instagram scoped id"
        ),
    )
    type: ReceivedMessageType = Field(description="What kind of message it is")
    payload: PlainObject = Field(
        description=(
            "`{text}`; `{kind, media: {id, caption, filename}}`; or `{kind, …}`, where "
            "kind is `button_reply`, "
            "`list_reply`, `flow_reply`, `reaction`, `location` and such"
        ),
        json_schema_extra={"x-ref": "ReceivedPayload"},
    )
    profile_name: (
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
        | None
    ) = Field(default=None, description="What the person is called on the platform")
    referral: PlainObject | None = Field(
        default=None,
        description=(
            "The advertisement it came from, in the words of the platform: `source_url`, "
            "`source_type`, …"
        ),
    )

    _one_sender = one_sender()

    @field_validator("from_")
    @classmethod
    def _an_address(cls, address: str, info: ValidationInfo) -> str:
        no_scoped_id = PydanticCustomError(
            "wrong_format", "Send the Instagram scoped id of the sender: digits only"
        )
        return address_of(address, info, no_scoped_id)

    @field_validator("payload")
    @classmethod
    def _of_its_type(cls, payload: dict[str, object], info: ValidationInfo) -> dict[str, object]:
        """What a type cannot do without; all else is stored as it came."""
        match info.data.get("type"):
            case "text":
                text = payload.get("text")
                if not isinstance(text, str) or not 0 < len(text) <= MAX_TEXT_LENGTH:
                    raise misplaced(
                        ("text",), "A text has 1 to 4096 characters", code="wrong_format"
                    )
            case "media":
                if payload.get("kind") not in FILES:
                    raise misplaced(("kind",), "A file is image, audio, video, document or sticker")
                if not isinstance(payload.get("media"), dict):
                    raise misplaced(
                        ("media",),
                        'Describe the file by an object, such as {"id": "…"}',
                        code="required",
                    )
            case "interactive":
                if not isinstance(payload.get("kind"), str) or not payload["kind"]:
                    raise misplaced(
                        ("kind",), "Say what it is, such as button_reply", code="required"
                    )
        return payload
