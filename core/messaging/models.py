"""The one table of every channel's messages."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint
from tortoise.models import Model

from core.foundation.channels import ChannelSet
from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class Channel(ChannelSet, of=lambda facts: facts.message, rest="ExportChannel"):
    """The channel of a message."""


CONVERSATIONS = tuple(channel for channel in Channel if channel.facts.conversation)
"""The channels of conversations, which share their rules."""


class Direction(DescribedEnum, rest="MessageDirection"):
    """Who wrote a message."""

    OUTBOUND = "outbound", "It was sent to a person"
    INBOUND = "inbound", "A person wrote it"


class MessagePriority(DescribedEnum):
    """What goes before what where messages wait."""

    NORMAL = "normal", "It goes before `bulk`"
    BULK = "bulk", "It goes last, and waits for quiet hours to end"
    CRITICAL = "critical", "It goes before `normal`"


class Status(DescribedEnum, rest="MessageStatus", graphql="MessageStatus"):
    """How far a message has come."""

    QUEUED = "queued", "It waits for its hand-over"
    SENDING = "sending", "Its hand-over to the provider is not settled"
    SENT = "sent", "The provider took it"
    DELIVERED = "delivered", "It arrived"
    FAILED = "failed", "It will not arrive; `reason` says why"
    UNDELIVERED = "undelivered", "The carrier of an SMS gave up"
    READ = "read", "The recipient opened it"
    BOUNCED = "bounced", "A mail server gave it back"
    COMPLAINED = "complained", "The recipient reported the e-mail as spam"
    ARCHIVED = "archived", "It was put away after its end"


class Message(OwnedModel):
    """A message that went out or came in, on any channel. Its text is not kept where no reader needs it.

    `path` is the way an RCS message took, `rcs` or `sms`, once the provider told it. `body_bytes` is all that is kept
    of the body of an e-mail. `sealed_text` is the encrypted text of a live SMS while its outcome is not known, for
    providers that may be handed it again; `attempts` of those channels tells that they were (core.messaging).

    The columns from `number_id` to `media` belong to conversations: `content` is their payload, `provider_reference`
    the platform's id, `template_vars` a list of texts, `link_origin` the advertisement that a received message came
    from (the interface's object), `media` our copy of the file in it: `{mimeType, size, storedAt, key, filename}`.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    channel = fields.CharEnumField(Channel, max_length=10)
    direction = fields.CharEnumField(Direction, max_length=8)
    status = fields.CharEnumField(Status, max_length=12)
    reason = fields.CharField(max_length=32, null=True)
    route = fields.CharField(max_length=16, null=True)
    recipient = fields.CharField(max_length=254)
    region = fields.CharField(max_length=4, null=True)
    sender_id = fields.CharField(max_length=20, null=True)
    provider = fields.CharField(max_length=20, null=True)
    provider_reference = fields.CharField(max_length=200, null=True)
    provider_receipt: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    encoding = fields.CharField(max_length=5, null=True)
    length = fields.IntField(null=True)
    segments = fields.IntField(null=True)
    coins = fields.BigIntField(default=0)
    contact_id = fields.CharField(max_length=30, null=True)
    campaign_id = fields.CharField(max_length=80, null=True)
    content: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    fallback: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    path = fields.CharField(max_length=3, null=True)
    sender_address = fields.CharField(max_length=320, null=True)
    subject = fields.CharField(max_length=998, null=True)
    body_bytes = fields.IntField(null=True)
    number_id = fields.CharField(max_length=30, null=True)
    instagram_account_id = fields.CharField(max_length=30, null=True)
    template_id = fields.CharField(max_length=30, null=True)
    batch_id = fields.CharField(max_length=30, null=True)
    type = fields.CharField(max_length=12, null=True)
    priority = fields.CharField(max_length=8, null=True)
    force = fields.BooleanField(null=True)
    reprocessed = fields.BooleanField(null=True)
    replaced_by = fields.CharField(max_length=30, null=True)
    template_vars: fields.Field[list[str] | None] = fields.JSONField(null=True)
    attempts = fields.SmallIntField(null=True)
    last_error = fields.CharField(max_length=200, null=True)
    original_error = fields.CharField(max_length=200, null=True)
    upstream_code = fields.CharField(max_length=20, null=True)
    link_origin: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    sent_by_account_id = fields.CharField(max_length=30, null=True)
    media: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    scheduled_at = fields.DatetimeField(null=True)
    in_reply_to = fields.CharField(max_length=30, null=True)
    metadata: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    quote_id = fields.CharField(max_length=30, null=True)
    decision_facts: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    request_id = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()
    sent_at = fields.DatetimeField(null=True)
    delivered_at = fields.DatetimeField(null=True)
    read_at = fields.DatetimeField(null=True)
    failed_at = fields.DatetimeField(null=True)
    updated_at = fields.DatetimeField()
    settle_at = fields.DatetimeField(null=True)
    sealed_text = fields.TextField(null=True)
    smpp_account_id = fields.CharField(max_length=30, null=True)
    handed_over_at = fields.DatetimeField(null=True)
    journey_run = fields.UUIDField(null=True)
    journey_step = fields.SmallIntField(null=True)

    class Meta:
        table = "messages"
        indexes = (
            ("organization_id", "env", "channel", "created_at", "id"),
            ("organization_id", "env", "recipient", "created_at"),
            ExpressionIndex(
                parts=("organization_id", "env", "(lower(recipient))", "created_at"),
                name="messages_by_email_address",
                where="channel = 'email'",
            ),
            WhereIndex(
                fields=("organization_id", "env", "contact_id", "created_at"),
                name="messages_by_contact",
                where="contact_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "campaign_id", "created_at"),
                name="messages_by_campaign",
                where="campaign_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "number_id", "created_at", "id"),
                name="messages_by_number",
                where="number_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "number_id", "sent_at"),
                name="messages_sent_by_number",
                where="number_id IS NOT NULL AND sent_at IS NOT NULL AND direction = 'outbound'",
            ),
            WhereIndex(
                # What most messages are, delivered or read, is found soon enough without it.
                fields=("organization_id", "env", "channel", "status", "created_at", "id"),
                name="conversations_by_rare_status",
                where="channel IN ('whatsapp', 'instagram') AND status IN "
                "('queued', 'sending', 'sent', 'failed', 'archived')",
            ),
            WhereIndex(
                fields=("organization_id", "env", "template_id", "created_at"),
                name="messages_by_template",
                where="template_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "batch_id", "created_at"),
                name="messages_by_batch",
                where="batch_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "sent_by_account_id", "created_at"),
                name="messages_by_operator",
                where="sent_by_account_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("provider", "provider_reference"),
                name="messages_by_reference",
                where="provider <> 'svc-sandbox'",
            ),
            WhereIndex(
                fields=("settle_at",), name="messages_to_settle", where="settle_at IS NOT NULL"
            ),
            WhereIndex(
                fields=("organization_id", "settle_at"),
                name="messages_to_settle_in_sandbox",
                where="settle_at IS NOT NULL AND env = 'test'",
            ),
            WhereIndex(
                fields=("organization_id", "env", "created_at", "id"),
                name="messages_inbound",
                where="direction = 'inbound'",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "provider", "provider_reference"),
                name="messages_inbound_once",
                condition="direction = 'inbound'",
            ),
        )


class WaitingMessage(OwnedModel):
    """A message that is still to be handed over; whoever takes the row away decides what becomes of the message.

    `sender_id`: the number (`num_`) or Instagram account (`iga_`) that it leaves from, or channel, environment and
    organization (`sms:live:org_…`) where these share a ceiling. `identity`: the hash of its
    recipient. `urgency`: -1 forced, 0 critical, 1 normal, 2 bulk. `due_at`: when it may leave: its schedule, the next
    try, the end of the quiet hours or of the rest of its pair. `expires_at`: when it is not worth sending any more.
    """

    message_id = fields.CharField(max_length=30, primary_key=True)
    sender_id = fields.CharField(max_length=60)
    identity = fields.BinaryField()
    urgency = fields.SmallIntField()
    force = fields.BooleanField(db_default=False)
    is_marketing = fields.BooleanField(db_default=False)
    due_at = fields.DatetimeField()
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField(null=True)

    class Meta:
        table = "waiting_messages"
        indexes = (
            ("sender_id", "urgency", "due_at", "created_at", "message_id"),
            ("due_at",),
            ("organization_id", "env", "identity"),
            WhereIndex(
                fields=("expires_at",),
                name="waiting_messages_by_expiry",
                where="expires_at IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "expires_at"),
                name="waiting_messages_by_expiry_in_sandbox",
                where="expires_at IS NOT NULL AND env = 'test'",
            ),
        )


class MessageReceipt(OwnedModel, SqlTable):
    """A provider's report as it came, whether or not it moved anything. Personal data: erased with its contact.

    SQL alone: reports are logged as a provider tells them, many at once, and looked up so.
    """

    id = fields.BigIntField(primary_key=True)
    message_id = fields.CharField(max_length=30)
    status = fields.CharField(max_length=12, null=True)
    reason = fields.CharField(max_length=32, null=True)
    body: fields.Field[dict[str, Any]] = fields.JSONField()
    applied = fields.BooleanField()
    received_at = fields.DatetimeField()

    class Meta:
        table = "message_receipts"
        indexes = (("message_id",), ("received_at",))


class ParkedReceipt(OwnedModel, SqlTable):
    """A report that came before its message was known under the provider's id; tried again for 24 hours.

    SQL alone: a queue, whose reports are kept, taken and put back in batches.
    """

    id = fields.BigIntField(primary_key=True)
    provider = fields.CharField(max_length=20)
    kind = fields.CharField(max_length=8)
    body: fields.Field[dict[str, Any]] = fields.JSONField()
    received_at = fields.DatetimeField()
    due_at = fields.DatetimeField()

    class Meta:
        table = "parked_receipts"
        indexes = (("due_at",),)


class MessageCount(OwnedModel, SqlTable):
    """A change of how many messages an owner has in a status of a channel. Their sum is the number, exactly.

    SQL alone: triggers write the changes, a sweep merges them, and only sums are read.
    """

    id = fields.BigIntField(primary_key=True)
    channel = fields.CharField(max_length=10)
    direction = fields.CharField(max_length=8)
    status = fields.CharField(max_length=12)
    delta = fields.BigIntField()

    class Meta:
        table = "message_counts"
        indexes = (("organization_id", "env", "channel", "direction", "status", "delta"),)


class MessageHour(OwnedModel, SqlTable):
    """A change of what became of the messages that were created in an hour (UTC). The sums of a closed hour are exact.

    They stay when the messages go. `late`: written by a trigger after the hour, and not added to the others yet.

    SQL alone: hours of all owners are counted and merged together, and only sums are read.
    """

    id = fields.BigIntField(primary_key=True)
    hour = fields.DatetimeField()
    channel = fields.CharField(max_length=10)
    direction = fields.CharField(max_length=8)
    status = fields.CharField(max_length=12)
    campaign_id = fields.CharField(max_length=80, null=True)
    number_id = fields.CharField(max_length=30, null=True)
    messages = fields.BigIntField()
    sent = fields.BigIntField()
    delivered = fields.BigIntField()
    read = fields.BigIntField()
    failed = fields.BigIntField()
    received = fields.BigIntField()
    coins = fields.BigIntField()
    late = fields.BooleanField(db_default=False)

    class Meta:
        table = "message_hours"
        indexes = (
            ("organization_id", "env", "hour"),
            ("organization_id", "env", "channel", "status", "hour"),
            WhereIndex(
                fields=("hour", "organization_id", "env"), name="message_hours_late", where="late"
            ),
        )


class ClosedHours(Model):
    """Until when the hours of messages are closed: one row.

    `fence_until`: those before it are closed next, once every transaction before `fence_transaction` has ended.
    """

    id = fields.SmallIntField(primary_key=True, generated=False)
    closed_until = fields.DatetimeField()
    fence_until = fields.DatetimeField(null=True)
    fence_transaction = fields.BigIntField(null=True)

    class Meta:
        table = "closed_hours"
