"""What may be asked of the figures."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.described_enum import DescribedEnum
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.validation.inputs import Input, UtcTime
from core.foundation.validation.time_zones import Zone
from core.read_models.statistics.buckets import MAX_BUCKETS, Bucket, TooManyBuckets, bucket_starts

DEFAULT_PERIOD = timedelta(days=30)
FIRST_YEAR, LAST_YEAR = 1970, 2999
"""Far from the ends of Python's calendar, where a zone's local time would lie outside it."""


def _of_our_times(at: datetime) -> datetime:
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise PydanticCustomError(
            "out_of_range", f"Send an instant of the years {FIRST_YEAR} to {LAST_YEAR}"
        )
    return at


Instant = Annotated[UtcTime, AfterValidator(_of_our_times)]
CampaignId = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class Group(DescribedEnum, graphql="StatsGroup"):
    """What messages are counted apart by."""

    CHANNEL = "channel", "Their channel"
    STATUS = "status", "What has become of them until now"
    CAMPAIGN = "campaign", "The tag that they were sent with"
    NUMBER = "number", "The number that they left from"


class DecisionGroup(DescribedEnum):
    """What refused sends are counted apart by."""

    RULE = "regra", "The rule that stopped them"
    CHANNEL = "canal", "The channel"


@dataclass(frozen=True, slots=True)
class Axis:
    """A period, `until` excluded, and where its buckets start."""

    since: datetime
    until: datetime
    starts: list[datetime]


class ContactStatsQuery(Input):
    """Over which time, in which buckets. Without a period: the last 30 days, or those before `to`."""

    from_: Instant | None = Field(
        default=None, alias="from", description="At or after this instant"
    )
    to: Instant | None = Field(default=None, description="Before this instant; now unless told")
    bucket: Bucket = Bucket.DAY
    timezone: Zone = Field(
        default="UTC", description="IANA zone by whose calendar and clock the buckets begin"
    )

    def axis(self, *, at: datetime) -> Axis:
        """The buckets of the period as it is asked `at` an instant. Raises ValidationFailed."""
        until = self.to or at
        since = self.from_ or until - DEFAULT_PERIOD
        if since >= until:
            raise _refused(
                "/from", "too_large", "The period ends before it begins; send a from before to"
            )
        try:
            return Axis(
                since, until, bucket_starts(since, until, self.bucket, ZoneInfo(self.timezone))
            )
        except TooManyBuckets:
            message = f"The period has more than {MAX_BUCKETS:,} buckets; send larger ones or a shorter period"
            raise _refused("/bucket", "too_many", message) from None


class MessageStatsQuery(ContactStatsQuery):
    """The same, apart for each of what the messages are grouped by."""

    group_by: list[Group] = []


class DecisionStatsQuery(ContactStatsQuery):
    """The same, apart for each of what refused sends are grouped by."""

    group_by: list[DecisionGroup] = Field(
        default=[], description="What the sends are counted apart by"
    )


class CampaignStatsQuery(Input):
    """Of which campaign: the mark that its messages were sent with."""

    campaign_id: CampaignId


def _refused(pointer: str, code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", pointer, code, message)])
