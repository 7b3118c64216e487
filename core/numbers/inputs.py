"""Inputs of numbers and Instagram accounts."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import Input, Phone, QueryInput, SkipPage
from core.foundation.validation.names import NameText
from core.numbers.models import (
    NumberStatus,
    Quality,
    SandboxEventKind,
    UsageBucket,
    UsageWindow,
)

PlatformId = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,40}$")]
Token = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,1000}$")]
Name = Annotated[str, NameText(200)]
Username = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._]{1,60}$")]


class NumberFilter(SkipPage):
    """Which numbers to list. A value that does not exist matches nothing."""

    status: Annotated[str | None, ClosedSet.of(NumberStatus)] = Field(
        default=None, description="Numbers that are so"
    )
    quality_rating: Annotated[str | None, ClosedSet.of(Quality)] = Field(
        default=None, description="Numbers that the platform rates so"
    )


class UsageQuery(QueryInput):
    """Of which time the sends are counted."""

    window: UsageWindow = Field(
        default=UsageWindow.DAY, description="Back from now; any other value means `24h`"
    )


class UsageSeriesQuery(UsageQuery):
    """The same, by hours or by days of UTC."""

    bucket: UsageBucket = Field(
        default=UsageBucket.HOUR, description="Any other value means `hour`"
    )


class PlatformIds(Input):
    """A number as the platform knows it. `token`: its own access token, where it is under the
    customer's account.
    """

    phone_number_id: PlatformId
    waba_id: PlatformId
    token: Token | None = None


class NewNumber(Input):
    """A number to register. A live one waits for `platform`; the sandbox needs none."""

    phone: Phone
    name: Name | None = None
    platform: PlatformIds | None = None


class NewInstagramAccount(Input):
    """An Instagram account to register. A live one needs the platform's id of it; the sandbox makes
    one up.
    """

    username: Username
    instagram_id: PlatformId | None = None
    token: Token | None = None


class SandboxEvent(Input):
    """What shall happen to a number: the platform's rating of it, or the mark that the service was
    removed.
    """

    tipo: SandboxEventKind = Field(description="What happens")
    valor: Annotated[str, StringConstraints(max_length=20)] | None = Field(
        default=None,
        description="For `quality`: green, yellow, red or unknown; for `tier`: tier_250, "
        "tier_1k, tier_2k, tier_10k, "
        "tier_100k or unlimited. The others take none.",
    )
