"""The inputs of the channel RCS."""

from typing import Annotated, Literal, get_args

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
)
from pydantic_core import PydanticCustomError

from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    ByItsPlace,
    Input,
    Metadata,
    Phone,
    QueryInput,
)
from core.foundation.validation.schedule import ScheduledAt
from core.foundation.validation.validation_errors import across
from core.rcs.addresses import public_https, secure_address

MAX_TEXT_LENGTH = 160
"""Characters of a simple message, and of the fallback."""

Route = Literal["easy_rcs", "easy_otp_rcs"]
RcsStatus = Literal["queued", "sent", "delivered", "read", "failed"]
RcsPath = Literal["rcs", "sms"]

Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=25)]
Postback = Annotated[str, StringConstraints(min_length=1, max_length=120)]


class _Button(Input):
    text: Label
    postback: Postback | None = Field(
        default=None, description="What your system is told when the button is used"
    )


class NewOpenUrlButton(_Button):
    """A button that opens a page."""

    type: Literal["openUrl"]
    url: Annotated[str, StringConstraints(max_length=2048), AfterValidator(secure_address)]


class NewCallButton(_Button):
    """A button that dials a number."""

    type: Literal["call"]
    phone: Phone


class NewReplyButton(_Button):
    """A button that answers with its text."""

    type: Literal["reply"]


Kind = NewOpenUrlButton | NewCallButton | NewReplyButton


Button = Annotated[Kind, Field(discriminator="type"), ByItsPlace]


class NewRcsCard(Input):
    """An image with a title, a text and up to four buttons."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    description: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    file_url: (
        Annotated[str, StringConstraints(max_length=2048), AfterValidator(public_https)] | None
    ) = Field(default=None, description="https on a public domain: the device downloads it there")
    suggestions: Annotated[list[Button], Field(max_length=4)] | None = None


class NewRcsContent(Input):
    """Either a text or a card."""

    text: Text | None = None
    card: NewRcsCard | None = Field(default=None, validate_default=True)

    @across("text", "card")
    @staticmethod
    def _one_of_both(text: str | None, card: NewRcsCard | None) -> None:
        if (text is None) == (card is None):
            raise PydanticCustomError("required", "Send either text or card")


class RcsFallback(Input):
    """The SMS for a recipient without RCS. Accents are replaced as in every SMS."""

    text: Text


class NewRcs(Input):
    """One rich message for one phone."""

    to: Phone = Field(description="Recipient in E.164; national forms are read as Brazilian")
    content: NewRcsContent
    route: Route
    fallback: RcsFallback | None = None
    contact_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = None
    campaign_id: Annotated[str, StringConstraints(min_length=1, max_length=80)] | None = None
    metadata: Metadata | None = None
    track_links: bool = False
    scheduled_at: ScheduledAt | None = Field(
        default=None, description="When it is to leave; unless told, now"
    )


class RcsFilter(QueryInput):
    """Which messages to list, newest first. A value that does not exist matches nothing."""

    status: Annotated[str | None, ClosedSet.of(get_args(RcsStatus))] = Field(
        default=None, description="Messages that are so"
    )
    channel: Annotated[str | None, ClosedSet.of(get_args(RcsPath))] = Field(
        default=None, description="The way that the message took"
    )
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
