"""The inputs of the channel SMS."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from core.foundation.validation.inputs import (
    SINCE,
    UNTIL,
    Input,
    Metadata,
    Phone,
    SkipPage,
    UtcTime,
)
from core.foundation.validation.schedule import ScheduledAt

MAX_TEXT_LENGTH = 1600
"""Characters of one message; 11 GSM-7 segments or 24 UCS-2 ones."""

Route = Literal["premium", "otp", "la_dedicada"]


class NewSms(Input):
    """One text for one phone."""

    to: Phone = Field(description="Recipient in E.164; national forms are read as Brazilian")
    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)]
    route: Route
    sender_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9 ._-]{1,15}$")] | None = None
    contact_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = None
    campaign_id: Annotated[str, StringConstraints(min_length=1, max_length=80)] | None = None
    metadata: Metadata | None = None
    track_links: bool = False
    scheduled_at: ScheduledAt | None = Field(
        default=None, description="When it is to leave; unless told, now"
    )


class SmsFilter(SkipPage):
    """Which messages to list, newest first."""

    status: Literal["queued", "sending", "sent", "delivered", "failed", "undelivered"] | None = (
        Field(default=None, description="Messages in this status now")
    )
    region: Literal["BR", "INTL"] | None = Field(
        default=None, description="Recipients with a Brazilian number, or with any other"
    )
    contact_id: str | None = Field(default=None, description="Messages to this contact")
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )
    phone: Phone | None = Field(default=None, description="Recipient, in any written form")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
