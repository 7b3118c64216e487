"""A number as the interface spells it, and what else is answered about numbers."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Made,
    Masked,
    Page,
    PassedOver,
    Record,
    Spread,
    named,
)
from core.foundation.security.caller import Caller
from core.foundation.security.masks import mask_phone
from core.numbers.models import (
    HealthSource,
    NameStatus,
    Number,
    NumberStatus,
    Quality,
    RemovedReason,
    Tier,
    UsageBucket,
    UsageWindow,
)


@named(rest="RateLimit", graphql="NumberRateLimit")
class NumberRateLimit(TypedDict):
    """How many messages may leave the number."""

    perSecond: Annotated[int, Doc("In one second")]
    perDay: Annotated[int, Doc("In 24 hours")]


class NumberMeta(TypedDict):
    """What the platform knows. The two partner marks are set and cleared together and change no
    status.
    """

    verifiedName: NotRequired[Annotated[str, Doc("The name that the number shows to people")]]
    byo: NotRequired[Annotated[bool, Doc("The number runs under the customer's own account")]]
    nameStatus: NotRequired[
        Annotated[
            NameStatus,
            Doc(
                "Whether the name is approved. Absent: not known, and `verifiedName` tells "
                "nothing of "
                "it"
            ),
        ]
    ]
    partnerRemovedAt: Annotated[
        Instant | None, Doc("When the service lost its access to the number; null: it has it")
    ]
    partnerRemovedReason: Annotated[
        RemovedReason | None, Doc("How it lost it; null while the service has its access")
    ]


class BusinessProfile(TypedDict):
    """What people see of the business."""

    about: NotRequired[Annotated[str, Doc("What the business says of itself, in a line")]]
    address: NotRequired[Annotated[str, Doc("Where it is")]]
    email: NotRequired[Annotated[str, Doc("Its e-mail address")]]
    website: NotRequired[Annotated[str, Doc("The address of its website")]]
    vertical: NotRequired[Annotated[str, Doc("Its line of business, in the platform's words")]]
    profilePictureUrl: NotRequired[Annotated[str, Doc("The address of its picture")]]


def _profile(profile: BusinessProfile | None) -> BusinessProfile | None:
    """None where the platform told nothing."""
    return profile or None


@named(rest="NumberRecord", graphql="Number")
class NumberRecord(TypedDict):
    """A number that conversations leave from."""

    id: Annotated[Id, Doc("Names the number")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    phoneNumberId: Annotated[str, Doc("The platform's id of the number")]
    wabaId: Annotated[str, Doc("The platform's id of the business account")]
    displayPhone: Annotated[
        str,
        Column("phone"),
        Masked(mask_phone),
        Doc("The phone in E.164; masked without pii:full"),
    ]
    status: Annotated[NumberStatus, Doc("How it stands")]
    qualityRating: Annotated[Quality, Doc("How the platform rates what it sends")]
    messagingTier: Annotated[Tier, Doc("To how many people it may open conversations in 24 hours")]
    rateLimit: Annotated[
        NumberRateLimit, Spread("rate_"), Doc("How many messages may leave from it")
    ]
    meta: Annotated[NumberMeta, Spread(""), Doc("What the platform knows of it")]
    profile: NotRequired[
        Annotated[
            BusinessProfile,
            Made(_profile, ("profile",), sql="nullif(profile, '{}'::jsonb)::text"),
            Doc("What people see of the business, where the platform told it"),
        ]
    ]
    lastMetaSyncAt: Annotated[Instant | None, Doc("When the platform last told of it; null: never")]
    createdAt: Annotated[Instant, Doc("When it was registered")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


NUMBER = Record(NumberRecord)


class NumberPage(Page[NumberRecord]):
    """A page of numbers, newest first."""


class HealthProblem(TypedDict):
    """Something that is wrong with a number."""

    codigo: Annotated[str, Doc("What programs decide by")]
    mensagem: Annotated[str, Doc("What is wrong, for a person")]
    gravidade: Annotated[str, Doc("How bad it is: `alta` where sends will fail, `media` else")]


class NumberHealth(TypedDict):
    """How a number fares."""

    id: Annotated[Id, Doc("Names the number")]
    status: Annotated[NumberStatus, Doc("How it stands")]
    qualityRating: Annotated[Quality, Doc("How the platform rates what it sends")]
    messagingTier: Annotated[Tier, Doc("To how many people it may open conversations in 24 hours")]
    nameStatus: NotRequired[
        Annotated[NameStatus, Doc("Whether its name is approved; absent: not known")]
    ]
    profile: NotRequired[
        Annotated[BusinessProfile, Doc("What people see of the business, where it is known")]
    ]
    podeEnviar: Annotated[bool, Doc("Whether messages may leave from it now")]
    problemas: Annotated[list[HealthProblem], Doc("What is wrong with it")]
    throughput: NotRequired[
        Annotated[str, Doc("How much the platform takes from it, in the platform's word")]
    ]
    verificadoEm: Annotated[Instant | None, Doc("When the platform was asked; null: never")]
    fonte: Annotated[HealthSource, Doc("Asked of the platform just now, or as it was last known")]


class NumberUsage(TypedDict):
    """What a number sent."""

    window: Annotated[UsageWindow, Doc("How far back from now was counted")]
    sent: Annotated[int, Doc("How many messages were handed over to the platform")]
    marketingSent: Annotated[
        int | None,
        Doc(
            "How many of these were marketing; null where a template that was sent is no longer "
            "known"
        ),
    ]
    since: Annotated[Instant, Doc("From when on was counted")]
    until: Annotated[Instant, Doc("Up to when was counted")]
    warnings: NotRequired[PassedOver]


class UsagePoint(TypedDict):
    """The sends of one bucket."""

    at: Annotated[Instant, Doc("When the bucket begins")]
    sent: Annotated[int, Doc("How many messages were handed over in it")]


class NumberUsageSeries(TypedDict):
    """What a number sent, in whole buckets of UTC, with those in which it sent nothing."""

    window: Annotated[UsageWindow, Doc("How far back from now was counted")]
    bucket: Annotated[UsageBucket, Doc("By what was counted")]
    since: Annotated[Instant, Doc("When the first bucket begins")]
    until: Annotated[Instant, Doc("Up to when was counted")]
    points: Annotated[list[UsagePoint], Doc("Every bucket that the window touches, oldest first")]
    warnings: NotRequired[PassedOver]


def number_record(caller: Caller, number: Number) -> NumberRecord:
    """The record of a number, as the caller may see it; the access token never leaves."""
    return NUMBER.make_for(caller, vars(number))
