"""The tables of WhatsApp numbers and Instagram accounts."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class NumberStatus(DescribedEnum):
    """How a number stands."""

    AVAILABLE = "available", "It is registered at the platform, and not connected yet"
    CONNECTED = "connected", "Messages leave from it"
    DISCONNECTED = "disconnected", "It was connected and is no more: nothing leaves from it"
    FLAGGED = "flagged", "The platform flagged it for what recipients report; messages still leave"
    PENDING = "pending", "The platform has not confirmed it yet"


class Quality(DescribedEnum, rest="NumberQuality", graphql="NumberQuality"):
    """How the platform rates what a number sends, by what recipients report."""

    GREEN = "green", "High quality"
    YELLOW = "yellow", "Medium quality"
    RED = "red", "Low quality: many block or report what it sends"
    UNKNOWN = "unknown", "The platform told no rating"


class Tier(DescribedEnum, rest="MessagingTier", graphql="MessagingTier"):
    """To how many people the platform lets a number open conversations in 24 hours."""

    TIER_250 = "tier_250", "250 people"
    TIER_1K = "tier_1k", "1,000 people"
    TIER_2K = "tier_2k", "2,000 people"
    TIER_10K = "tier_10k", "10,000 people"
    TIER_100K = "tier_100k", "100,000 people"
    UNLIMITED = "unlimited", "As many as it likes"


class NameStatus(DescribedEnum, rest="NumberNameStatus", graphql="NumberNameStatus"):
    """Whether the platform approved the name that a number shows."""

    APPROVED = "approved", "The name is shown"
    PENDING = "pending", "The platform looks at it"
    REJECTED = "rejected", "The platform refused it"
    EXPIRED = "expired", "The approval ran out"
    NONE = "none", "No name was asked for"


class RemovedReason(DescribedEnum, rest="PartnerRemovedReason", graphql="PartnerRemovedReason"):
    """How the service lost its access to a number."""

    REMOVED = "PARTNER_REMOVED", "It was removed from the number's account"
    APP_UNINSTALLED = "PARTNER_APP_UNINSTALLED", "Its app was uninstalled there"


class HealthSource(DescribedEnum):
    """How it is known how a number fares."""

    LIVE = "ao_vivo", "The platform was asked just now"
    CACHED = "cache", "It is what the platform said last"


class UsageWindow(DescribedEnum):
    """How far back from now sends are counted."""

    DAY = "24h", "24 hours"
    WEEK = "7d", "7 days"
    MONTH = "30d", "30 days"


class UsageBucket(DescribedEnum):
    """By what sends are counted."""

    HOUR = "hour", "Hours"
    DAY = "day", "Days of UTC"


class SandboxEventKind(DescribedEnum, rest="SandboxNumberEvent", graphql="SandboxNumberEventKind"):
    """What may happen to a number of the sandbox."""

    QUALITY = "quality", "The platform rates it otherwise"
    TIER = "tier", "The platform lets it open more or fewer conversations"
    PARTNER_REMOVED = "partner_removed", "The service is removed from the number's account"
    APP_UNINSTALLED = "app_uninstalled", "The service's app is uninstalled there"
    PARTNER_RESTORED = "partner_restored", "The service has its access again"


class Number(OwnedModel):
    """A phone number on the conversational platform. `phone_number_id` and `waba_id` are the platform's own ids.

    `credentials` is the access token, encrypted; without one the installation's token is used. `partner_removed_at`
    and its reason are a mark, set and cleared together.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    phone_number_id = fields.CharField(max_length=40)
    waba_id = fields.CharField(max_length=40)
    phone = fields.CharField(max_length=16)
    status = fields.CharEnumField(NumberStatus, max_length=12)
    quality_rating = fields.CharEnumField(Quality, max_length=8)
    messaging_tier = fields.CharEnumField(Tier, max_length=10)
    rate_per_second = fields.IntField()
    rate_per_day = fields.IntField()
    verified_name = fields.CharField(max_length=200, null=True)
    byo = fields.BooleanField(null=True)
    name_status = fields.CharEnumField(NameStatus, max_length=8, null=True)
    partner_removed_at = fields.DatetimeField(null=True)
    partner_removed_reason = fields.CharField(max_length=24, null=True)
    profile: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    credentials = fields.TextField(null=True)
    last_meta_sync_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "numbers"
        indexes = (("organization_id", "env", "created_at", "id"), ("waba_id",))
        constraints = (
            UniqueConstraint(fields=("phone_number_id",), name="numbers_once_on_the_platform"),
            UniqueConstraint(fields=("organization_id", "env", "phone"), name="numbers_once"),
        )


class InstagramAccount(OwnedModel):
    """An Instagram account that takes part in conversations. `instagram_id` is the platform's own id."""

    id = fields.CharField(max_length=30, primary_key=True)
    instagram_id = fields.CharField(max_length=40)
    username = fields.CharField(max_length=60)
    credentials = fields.TextField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "instagram_accounts"
        indexes = (("organization_id", "env", "created_at", "id"),)
        constraints = (
            UniqueConstraint(
                fields=("instagram_id",), name="instagram_accounts_once_on_the_platform"
            ),
        )
