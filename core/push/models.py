"""The tables of apps, devices, dispatches and deliveries."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint

from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class Platform(DescribedEnum, rest="PushPlatform", graphql="PushPlatform"):
    """What a device runs."""

    IOS = "ios", "An app on iOS"
    ANDROID = "android", "An app on Android"
    WEB = "web", "A browser"


class Origin(DescribedEnum, rest="PushOrigin", graphql="PushOrigin"):
    """What made a notification."""

    COMPOSER = "composer", "A person at the dashboard"
    API = "api", "A program"
    AUTOMATION = "automation", "An automation of the service"


class RateKind(DescribedEnum, rest="PushRateKind", graphql="PushRateKind"):
    """What a notification holds, which is what its price goes by."""

    SIMPLE = "simple", "A text"
    RICH = "rich", "An image or buttons besides"
    SILENT = "silent", "Data only"


class DispatchStatus(DescribedEnum, rest="PushStatus", graphql="PushStatus"):
    """How far a notification has come."""

    SCHEDULED = "scheduled", "Its time is to come"
    DEFERRED = "deferred", "It was put off, because it is quiet now"
    QUEUED = "queued", "A worker is to take it up"
    SENDING = "sending", "It is being handed to the devices' providers"
    SENT = "sent", "Every device is settled"
    FAILED = "failed", "It could not be sent"
    CANCELED = "canceled", "It was called off before its time"


class PushProvider(DescribedEnum):
    """Who takes notifications to devices."""

    APNS = "apns", "Apple's service, for iOS"
    FCM = "fcm", "Firebase, for Android and iOS"
    VAPID = "vapid", "The push services of browsers"


class QuietException(DescribedEnum):
    """What passes while it is quiet."""

    SILENT = "silent", "Notifications of data only"


class PushDeliveryStatus(DescribedEnum, rest="DeliveryStatus"):
    """What became of the notification to one device."""

    QUEUED = "queued", "Its turn is to come"
    SENDING = "sending", "Its hand-over is not settled"
    DELIVERED = "delivered", "The push provider took it"
    FAILED = "failed", "It will not arrive"
    DROPPED = "dropped", "It was not to be sent to any more when its turn came"


OPEN = "status IN ('queued', 'sending')"
"""The rows of a queue that are not final yet, as the index of open rows says it."""

TURN = "coalesce({t}due_at, '-infinity'::timestamptz)"
"""When the turn of a row of a queue comes, as that index says it; `{t}` names the row."""


class PushApp(OwnedModel):
    """An application that devices register for. `credentials` are those of its push providers, encrypted JSON."""

    id = fields.BigIntField(primary_key=True)
    app_id = fields.CharField(max_length=80)
    name = fields.CharField(max_length=120, null=True)
    providers: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    credentials = fields.TextField(null=True)
    vapid_public_key = fields.CharField(max_length=120, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "push_apps"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env", "app_id"), name="push_apps_once"),
        )


class PushDevice(OwnedModel):
    """An installation of an app. Its token is found by hash: some are longer than an index takes.

    `user_identity`: the hash of `user_phone`, under which wishes of its user are kept. `deactivated_at`: the provider says
    that the token is gone; registering it again brings the device back.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    app_id = fields.CharField(max_length=80)
    token = fields.TextField()
    token_hash = fields.BinaryField()
    platform = fields.CharEnumField(Platform, max_length=8)
    p256dh = fields.CharField(max_length=120, null=True)
    auth = fields.CharField(max_length=40, null=True)
    external_id = fields.CharField(max_length=200, null=True)
    contact_id = fields.CharField(max_length=30, null=True)
    user_name = fields.CharField(max_length=200, null=True)
    user_email = fields.CharField(max_length=254, null=True)
    user_phone = fields.CharField(max_length=16, null=True)
    user_identity = fields.BinaryField(null=True)
    device_name = fields.CharField(max_length=200, null=True)
    topics: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    opted_in = fields.BooleanField()
    opted_out_at = fields.DatetimeField(null=True)
    deactivated_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "push_devices"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(
                fields=("organization_id", "env", "platform"),
                name="push_devices_to_reach",
                where="opted_in AND deactivated_at IS NULL",
            ),
            ("organization_id", "env", "app_id", "created_at", "id"),
            ("organization_id", "env", "platform", "created_at", "id"),
            WhereIndex(
                fields=("organization_id", "env", "created_at", "id"),
                name="push_devices_left_out",
                where="NOT (opted_in AND deactivated_at IS NULL)",
            ),
            WhereIndex(
                fields=("organization_id", "env", "contact_id"),
                name="push_devices_by_contact",
                where="contact_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "user_identity"),
                name="push_devices_by_user",
                where="user_identity IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "external_id"),
                name="push_devices_unlinked_by_external_id",
                where="contact_id IS NULL AND external_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "user_phone"),
                name="push_devices_unlinked_by_phone",
                where="contact_id IS NULL AND user_phone IS NOT NULL",
            ),
            ExpressionIndex(
                parts=("organization_id", "env", "(lower(user_email))"),
                name="push_devices_unlinked_by_email",
                where="contact_id IS NULL AND user_email IS NOT NULL",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "token_hash", "app_id"), name="push_devices_once"
            ),
        )


class PushDispatch(OwnedModel):
    """A notification on its way to many devices. `open_count` are the rows of its queue that are not final.

    `due_at` is when a worker takes it up; null once that has happened, or never will. Money is in coins; what is
    neither captured nor released is still held.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    origin = fields.CharEnumField(Origin, max_length=10)
    status = fields.CharEnumField(DispatchStatus, max_length=10)
    title = fields.CharField(max_length=200)
    body = fields.CharField(max_length=2000)
    deep_link = fields.CharField(max_length=2048, null=True)
    image_url = fields.CharField(max_length=2048, null=True)
    actions: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    platforms: fields.Field[list[str]] = ArrayField(element_type="text")
    segment = fields.CharField(max_length=30, null=True)
    token_count = fields.IntField(null=True)
    rate_kind = fields.CharEnumField(RateKind, max_length=8)
    unit_coins = fields.BigIntField()
    quote_id = fields.CharField(max_length=30, null=True)
    captured_coins = fields.BigIntField(db_default=0)
    released_coins = fields.BigIntField(db_default=0)
    scheduled_at = fields.DatetimeField(null=True)
    quiet_deferred_to = fields.DatetimeField(null=True)
    due_at = fields.DatetimeField(null=True)
    reach = fields.IntField()
    open_count = fields.IntField()
    delivered_ios = fields.IntField(db_default=0)
    delivered_android = fields.IntField(db_default=0)
    delivered_web = fields.IntField(db_default=0)
    failed_ios = fields.IntField(db_default=0)
    failed_android = fields.IntField(db_default=0)
    failed_web = fields.IntField(db_default=0)
    opened_ios = fields.IntField(db_default=0)
    opened_android = fields.IntField(db_default=0)
    opened_web = fields.IntField(db_default=0)
    opened_by_nobody = fields.IntField(db_default=0)
    opted_out = fields.IntField(db_default=0)
    request_id = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()
    started_at = fields.DatetimeField(null=True)
    completed_at = fields.DatetimeField(null=True)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "push_dispatches"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            ("organization_id", "env", "status", "created_at", "id"),
            ("organization_id", "env", "origin", "created_at", "id"),
            WhereIndex(fields=("due_at",), name="push_dispatches_due", where="due_at IS NOT NULL"),
            WhereIndex(
                fields=("env", "started_at"),
                name="push_dispatches_under_way",
                where="started_at IS NOT NULL AND completed_at IS NULL",
            ),
        )
        constraints = (
            CheckConstraint(check="open_count >= 0", name="push_dispatches_open_not_negative"),
        )

    @property
    def may_be_canceled(self) -> bool:
        """Whether its time is still to come."""
        return self.status in (DispatchStatus.SCHEDULED, DispatchStatus.DEFERRED)


class PushDelivery(OwnedModel, SqlTable):
    """One device's row in the queue of a dispatch; slim, since a dispatch has as many as there are devices.

    `due_at`: not before then, or, while `sending`, when whoever took it is held for dead.

    SQL alone: a queue with a row for each device, written, claimed and settled by statements
    over many.
    """

    id = fields.BigIntField(primary_key=True)
    dispatch_id = fields.CharField(max_length=30)
    device_id = fields.CharField(max_length=30)
    platform = fields.CharEnumField(Platform, max_length=8)
    status = fields.CharEnumField(PushDeliveryStatus, max_length=9, db_default="queued")
    reason = fields.CharField(max_length=16, null=True)
    attempts = fields.SmallIntField(db_default=0)
    due_at = fields.DatetimeField(null=True)
    settled_at = fields.DatetimeField(null=True)
    opened_at = fields.DatetimeField(null=True)

    class Meta:
        table = "push_deliveries"
        indexes = (
            # Those that wait for a pause of their provider stand behind those whose turn has come.
            ExpressionIndex(
                parts=("dispatch_id", f"({TURN.format(t='')})", "id"),
                name="push_deliveries_in_turn",
                where=OPEN,
            ),
        )
        constraints = (
            UniqueConstraint(fields=("device_id", "dispatch_id"), name="push_deliveries_once"),
        )
