"""The inputs of the channel RCS."""

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
)

from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    ByItsPlace,
    Input,
    Phone,
    QueryInput,
)
from core.foundation.validation.validation_errors import exactly_one
from core.messaging.send_fields import (
    CampaignOfSend,
    ContactOfSend,
    MetadataOfSend,
    QuoteOfSend,
    TimeOfSend,
    TrackLinks,
)
from core.rcs.addresses import public_https, secure_address

MAX_TEXT_LENGTH = 160
"""Characters of a simple message, and of the fallback."""


class RcsRoute(DescribedEnum):
    """What an RCS message is for, which decides its price."""

    EASY_RCS = "easy_rcs", "For everything; whoever opted out is not sent to"
    EASY_OTP_RCS = "easy_otp_rcs", "For codes and notices, which also reach who opted out"


class RcsStatus(DescribedEnum):
    """How far an RCS message has come."""

    QUEUED = "queued", "It waits for its time, or its hand-over to the provider is not settled"
    SENT = "sent", "The provider took it"
    DELIVERED = "delivered", "It reached the phone, by RCS or as the SMS that stands in"
    READ = "read", "The recipient opened it"
    FAILED = "failed", "It will not arrive; `failureReason` says why"


class RcsPath(DescribedEnum):
    """The way that an RCS message took."""

    RCS = "rcs", "By RCS"
    SMS = "sms", "As the SMS that stands in where a phone has no RCS"


POSTBACK = "What your system is told when the button is used"

Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=25)]
Postback = Annotated[str, StringConstraints(min_length=1, max_length=120)]


class _Button(Input):
    text: Label = Field(description="What is written on it")
    postback: Postback | None = Field(default=None, description=POSTBACK)


class NewOpenUrlButton(_Button):
    """A button that opens a page."""

    type: Literal["openUrl"] = Field(description="That it opens a page")
    url: Annotated[str, StringConstraints(max_length=2048), AfterValidator(secure_address)] = Field(
        description="The address of the page, with https"
    )


class NewCallButton(_Button):
    """A button that dials a number."""

    type: Literal["call"] = Field(description="That it dials a number")
    phone: Phone = Field(description="The number in E.164; national forms are read as Brazilian")


class NewReplyButton(_Button):
    """A button that answers with its text."""

    type: Literal["reply"] = Field(description="That it answers with its text")


NewRcsButton = NewOpenUrlButton | NewCallButton | NewReplyButton


Button = Annotated[NewRcsButton, Field(discriminator="type"), ByItsPlace]


class NewRcsCard(Input):
    """An image with a title, a text and up to four buttons."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="What stands first"
    )
    description: Annotated[str, StringConstraints(min_length=1, max_length=2000)] = Field(
        description="The text below its title"
    )
    file_url: (
        Annotated[str, StringConstraints(max_length=2048), AfterValidator(public_https)] | None
    ) = Field(default=None, description="https on a public domain: the device downloads it there")
    suggestions: Annotated[list[Button], Field(max_length=4)] | None = Field(
        default=None, description="Its buttons, in their order"
    )


class NewRcsContent(Input):
    """Either a text or a card."""

    text: Text | None = Field(default=None, description="The text, where it has no card")
    card: NewRcsCard | None = Field(
        default=None, validate_default=True, description="The card, where it has no text"
    )

    _one_of_both = exactly_one("text", "card", said="Send either text or card")


class RcsFallback(Input):
    """The SMS for a recipient without RCS. Accents are replaced as in every SMS."""

    text: Text = Field(description="Its text")


class NewRcs(Input):
    """One rich message for one phone."""

    to: Phone = Field(description="Recipient in E.164; national forms are read as Brazilian")
    content: NewRcsContent = Field(description="What is sent")
    route: RcsRoute = Field(description="What it is for, which decides its price")
    fallback: RcsFallback | None = Field(
        default=None,
        description="The SMS for a phone without RCS, which receives nothing unless told",
    )
    contact_id: ContactOfSend = None
    campaign_id: CampaignOfSend = None
    metadata: MetadataOfSend = None
    quote_id: QuoteOfSend = None
    track_links: TrackLinks = False
    scheduled_at: TimeOfSend = None


class RcsFilter(QueryInput):
    """Which messages to list, newest first. A value that does not exist matches nothing."""

    status: Annotated[str | None, ClosedSet.of(RcsStatus)] = Field(
        default=None, description="Messages that are so"
    )
    channel: Annotated[str | None, ClosedSet.of(RcsPath)] = Field(
        default=None, description="The way that the message took"
    )
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
