"""The shapes of numbers."""

from typing import Literal

from pydantic import Field

from core.numbers import NameStatus, NumberStatus, Quality, Tier
from rest_api.support.shapes import Listed, Out, Timestamp

RemovalReason = Literal["PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED"]


class RateLimit(Out):
    """How many messages may leave the number."""

    per_second: int
    per_day: int


class NumberMeta(Out):
    """What the platform knows. The two partner marks are set and cleared together and change no
    status.
    """

    verified_name: str | None = None
    byo: bool | None = Field(
        default=None, description="The number runs under the customer's own account"
    )
    name_status: NameStatus | None = Field(
        default=None, description="Absent: not known. `verifiedName` tells nothing"
    )
    partner_removed_at: Timestamp | None
    partner_removed_reason: RemovalReason | None


class BusinessProfile(Out):
    """What people see of the business."""

    about: str | None = None
    address: str | None = None
    email: str | None = None
    website: str | None = None
    vertical: str | None = None
    profile_picture_url: str | None = None


class NumberRecord(Out):
    """A number that conversations leave from."""

    id: str
    organization_id: str
    phone_number_id: str
    waba_id: str
    display_phone: str = Field(description="E.164; masked without pii:full")
    status: NumberStatus
    quality_rating: Quality
    messaging_tier: Tier
    rate_limit: RateLimit
    meta: NumberMeta
    profile: BusinessProfile | None = None
    last_meta_sync_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class NumberPage(Listed):
    """A page of numbers, newest first."""

    items: list[NumberRecord]
    total: int
    next_cursor: str | None = None


class HealthProblem(Out):
    """What is wrong with a number. `gravidade` is `alta` where sends will fail."""

    codigo: str
    mensagem: str
    gravidade: str


class NumberHealth(Out):
    """How a number fares. `fonte`: asked of the platform just now, or as it was last known, at
    `verificadoEm`.
    """

    id: str
    status: NumberStatus
    quality_rating: Quality
    messaging_tier: Tier
    name_status: NameStatus | None = None
    profile: BusinessProfile | None = None
    pode_enviar: bool
    problemas: list[HealthProblem]
    throughput: str | None = None
    verificado_em: Timestamp | None
    fonte: Literal["ao_vivo", "cache"]


class NumberUsage(Listed):
    """What a number sent. `marketingSent` is null where a template that was sent is no longer
    known.
    """

    window: Literal["24h", "7d", "30d"]
    sent: int
    marketing_sent: int | None
    since: Timestamp
    until: Timestamp


class UsagePoint(Out):
    """The sends of one bucket, by its start."""

    at: Timestamp
    sent: int


class NumberUsageSeries(Listed):
    """What a number sent, in whole buckets of UTC, with those in which it sent nothing."""

    window: Literal["24h", "7d", "30d"]
    bucket: Literal["hour", "day"]
    since: Timestamp
    until: Timestamp
    points: list[UsagePoint]
