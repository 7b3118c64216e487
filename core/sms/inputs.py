"""The inputs of the channel SMS."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.inputs import (
    SINCE,
    UNTIL,
    Input,
    Phone,
    SkipPage,
    UtcTime,
)
from core.messaging.send_fields import (
    CampaignOfSend,
    ContactOfSend,
    MetadataOfSend,
    QuoteOfSend,
    TimeOfSend,
    TrackLinks,
)

MAX_TEXT_LENGTH = 1600
"""Characters of one message; 11 GSM-7 segments or 24 UCS-2 ones."""


class SmsRoute(DescribedEnum):
    """The way that an SMS takes, with a price of its own."""

    PREMIUM = "premium", "For everything; whoever opted out is not sent to"
    OTP = "otp", "For codes and notices, which also reach who opted out"
    LA_DEDICADA = "la_dedicada", "A line of your own: sold by quote, it has no price in the table"


class SmsStatus(DescribedEnum):
    """How far an SMS has come."""

    QUEUED = "queued", "It waits for its time"
    SENDING = "sending", "Its hand-over to the provider is not settled"
    SENT = "sent", "The carrier took it"
    DELIVERED = "delivered", "It reached the phone"
    FAILED = "failed", "It will not arrive; `reason` says why"
    UNDELIVERED = "undelivered", "The carrier gave up"


class SmsRegion(DescribedEnum):
    """Where a phone is at home."""

    BRAZIL = "BR", "A Brazilian number"
    INTERNATIONAL = "INTL", "Any other number"


SmsText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH),
    Field(
        description="The text: accents that GSM-7 does not have are replaced by their equivalents"
    ),
]


class NewSms(Input):
    """One text for one phone."""

    to: Phone = Field(description="Recipient in E.164; national forms are read as Brazilian")
    body: SmsText
    route: SmsRoute = Field(description="The way that it takes, which decides its price")
    sender_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9 ._-]{1,15}$")] | None = Field(
        default=None, description="Who it comes from, where the route lets you choose"
    )
    contact_id: ContactOfSend = None
    campaign_id: CampaignOfSend = None
    metadata: MetadataOfSend = None
    quote_id: QuoteOfSend = None
    track_links: TrackLinks = False
    scheduled_at: TimeOfSend = None

    def as_sent(self) -> dict[str, object]:
        """The fields that were sent, as `model_dump` has them: none of them is a model of its own."""
        return {name: self.__dict__[name] for name in self.model_fields_set}


class SmsFilter(SkipPage):
    """Which messages to list, newest first."""

    status: SmsStatus | None = Field(default=None, description="Messages in this status now")
    region: SmsRegion | None = Field(
        default=None, description="Recipients with a Brazilian number, or with any other"
    )
    contact_id: str | None = Field(default=None, description="Messages to this contact")
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )
    phone: Phone | None = Field(default=None, description="Recipient, in any written form")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
