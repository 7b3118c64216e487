"""Tables of conversation pairs, batches, campaigns and platform notices."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.channels import ChannelSet
from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class ConversationChannel(ChannelSet, of=lambda facts: facts.conversation):
    """The channel of a conversation."""


class ConversationStatus(DescribedEnum):
    """How far a message of a conversation has come."""

    QUEUED = "queued", "It waits"
    SENDING = "sending", "Its hand-over is not settled"
    SENT = "sent", "The platform took it"
    DELIVERED = "delivered", "It reached the recipient's device"
    READ = "read", "The recipient opened it"
    FAILED = "failed", "It will not arrive"
    ARCHIVED = "archived", "It was put away after its end"


class ConversationType(DescribedEnum):
    """What kind of message of a conversation it is."""

    TEXT = "text", "A text"
    TEMPLATE = "template", "A template with its variables filled in"
    MEDIA = "media", "A file"
    INTERACTIVE = "interactive", "Buttons, a menu, a flow, or what somebody answered with them"


class LinkSource(DescribedEnum):
    """Where an advertisement or a link stood."""

    GOOGLE = "google", "At Google or YouTube"
    META = "meta", "At Facebook or Instagram"
    TIKTOK = "tiktok", "At TikTok"
    OTHER = "outra", "Elsewhere: `fonteRotulo` says where"


class BatchKind(DescribedEnum, rest="MessageBatchKind", graphql="MessageBatchKind"):
    """What kind of call took the messages in."""

    BULK = "bulk", "One template for many recipients"
    RESEND = "resend", "Messages that failed, sent again"


class ResendRefusal(DescribedEnum):
    """Why a message is not sent again."""

    PERMANENT = "permanente", "Another try would meet the same"
    OPT_OUT = "opt_out", "The recipient said no"
    REPLACED = "ja_substituida", "It was sent again already"
    OLD = "antiga", "It is too old"
    WINDOW = "janela", "The service window is closed"
    UNAVAILABLE = "indisponivel", "Its number or template takes nothing now"


class ConversationPair(OwnedModel, SqlTable):
    """A sender of ours and a person: when that person last wrote, and when the pair may be used again.

    `platform_address`: the form of the recipient's address with which the platform answered, used from then on.

    SQL alone: windows of a batch of messages are opened, looked up and locked together.
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
            WhereIndex(
                fields=("organization_id", "env", "sender_id", "last_inbound_at", "id"),
                name="conversation_pairs_of_sender",
                where="last_inbound_at IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "contact_id"),
                name="conversation_pairs_of_contact",
                where="contact_id IS NOT NULL",
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


class CampaignCompletion(OwnedModel, SqlTable):
    """That a campaign's completion was told, up to its last send; a later send makes it due again.

    SQL alone: one statement writes it and tells who was quicker; the walk over all campaigns
    reads it.
    """

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


class PlatformNotice(OwnedModel, SqlTable):
    """What the platform told, as it came: acknowledged at once, applied by a worker, and then gone. Personal data.

    `field`: the platform's name of what changed. `line`: the platform's id of the number or account it is about.

    SQL alone: a queue, whose notices are stored, leased and finished in batches.
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
