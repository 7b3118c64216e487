"""The tables of WhatsApp numbers and Instagram accounts."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel


class NumberStatus(StrEnum):
    AVAILABLE = "available"
    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    FLAGGED = "flagged"
    PENDING = "pending"


class Quality(StrEnum):
    """How the platform rates what a number sends."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"
    UNKNOWN = "unknown"


class Tier(StrEnum):
    """How many people a number may open a conversation with in a day."""

    TIER_250 = "tier_250"
    TIER_1K = "tier_1k"
    TIER_2K = "tier_2k"
    TIER_10K = "tier_10k"
    TIER_100K = "tier_100k"
    UNLIMITED = "unlimited"


class NameStatus(StrEnum):
    APPROVED = "approved"
    PENDING = "pending"
    REJECTED = "rejected"
    EXPIRED = "expired"
    NONE = "none"


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
