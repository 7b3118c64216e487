"""Tables of conversation pairs, batches, campaigns and platform notices."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel


class BatchKind(StrEnum):
    BULK = "bulk"
    RESEND = "resend"


class ConversationPair(OwnedModel):
    """A sender of ours and a person: when that person last wrote, and when the pair may be used again.

    `platform_address`: the form of the recipient's address with which the platform answered, used from then on.
    """

    id = fields.BigIntField(primary_key=True)
    sender_id = fields.CharField(max_length=30)
    identity = fields.BinaryField()
    contact_id = fields.CharField(max_length=30, null=True)
    platform_address = fields.CharField(max_length=40, null=True)
    last_inbound_at = fields.DatetimeField(null=True)
    next_send_at = fields.DatetimeField(null=True)

    class Meta:
        table = "conversation_pairs"
        indexes = (
            WhereIndex(
                fields=("organization_id", "env", "last_inbound_at", "id"),
                name="conversation_pairs_by_activity",
                where="last_inbound_at IS NOT NULL",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "sender_id", "identity"),
                name="conversation_pairs_once",
            ),
        )


class MessageBatch(OwnedModel):
    """Messages that were taken in by one call. Their states are those of the messages."""

    id = fields.CharField(max_length=30, primary_key=True)
    kind = fields.CharEnumField(BatchKind, max_length=6)
    number_id = fields.CharField(max_length=30, null=True)
    template_id = fields.CharField(max_length=30, null=True)
    campaign_id = fields.CharField(max_length=80, null=True)
    accepted = fields.IntField()
    refused = fields.IntField()
    coins_estimated = fields.BigIntField()
    canceled_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "message_batches"
        indexes = (("organization_id", "env", "created_at", "id"),)


class CampaignCompletion(OwnedModel):
    """That a campaign's completion was told, up to its last send; a later send makes it due again."""

    id = fields.BigIntField(primary_key=True)
    campaign_id = fields.CharField(max_length=80)
    last_send_at = fields.DatetimeField()
    completed_at = fields.DatetimeField()

    class Meta:
        table = "campaign_completions"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "campaign_id"), name="campaign_completions_once"
            ),
        )


class PlatformNotice(OwnedModel):
    """What the platform told, as it came: acknowledged at once, applied by a worker, and then gone. Personal data.

    `field`: the platform's name of what changed. `line`: the platform's id of the number or account it is about.
    """

    id = fields.BigIntField(primary_key=True)
    field = fields.CharField(max_length=60)
    line = fields.CharField(max_length=40, null=True)
    body: fields.Field[dict[str, Any]] = fields.JSONField()
    attempts = fields.SmallIntField(db_default=0)
    received_at = fields.DatetimeField()
    due_at = fields.DatetimeField()

    class Meta:
        table = "platform_notices"
        indexes = (("due_at",),)
