"""Tables of webhooks: subscriptions, events, the feed, deliveries and their attempts."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum
from core.webhooks.events.event_types import UNCOMMON


class SubscriptionStatus(DescribedEnum, rest="WebhookStatus", graphql="WebhookStatus"):
    """How a subscription stands."""

    ACTIVE = "active", "It is delivered to"
    PAUSED = "paused", "Somebody paused it: what happens is kept for a replay"
    FAILING = (
        "failing",
        "Its endpoint does not answer, and is only asked now and then whether it does again",
    )
    REVOKED = "revoked", "It is over, until its endpoint answers a ping again"


class SubscriptionSwitch(DescribedEnum, rest="WebhookSwitch", graphql="ChangedWebhookStatus"):
    """What a subscription may be told to be."""

    ACTIVE = "active", "Delivered to from now on"
    PAUSED = "paused", "Not delivered to until it is made active again"


class RevokedReason(DescribedEnum, rest="WebhookRevokedReason", graphql="WebhookRevokedReason"):
    """Why a subscription was revoked."""

    GONE = "gone", "Its endpoint answered 410"
    FAILING = "failing", "It was failing for too long"
    SUSPENDED = "suspended", "The organization is suspended"


class WebhookDeliveryStatus(DescribedEnum):
    """How far a delivery has come."""

    PENDING = "pendente", "It waits for its first attempt"
    RETRYING = "falhando", "An attempt failed, and it is tried again"
    DELIVERED = "entregue", "The endpoint took it"
    DEAD = "morta", "It was given up"
    HELD_BACK = "retida", "The subscription was paused: only a replay sends it"


class EndpointProblem(DescribedEnum, rest="PingFailure", graphql="EndpointProblem"):
    """Why an endpoint does not take what is sent to it."""

    INVALID_URL = "invalid_url", "The address is none, or too long"
    INSECURE_SCHEME = "insecure_scheme", "The address does not begin with https"
    SSRF_BLOCKED = "ssrf_blocked", "The host cannot be reached on the public internet"
    NON_2XX = "non_2xx", "It answered with a status other than 200 to 299"
    TIMEOUT = "timeout", "It took too long"
    UNREACHABLE = (
        "unreachable",
        "No connection came about, it broke off, or the answer was no HTTP",
    )


class SignatureStep(DescribedEnum):
    """The steps in which a signature is checked, in their order."""

    HEADERS = "headers", "The headers that a check needs are there"
    FORMAT = "format", "They are written as they have to be"
    SUBSCRIPTION = "subscription", "`X-SVC-Webhook-Id` names a subscription of the environment"
    SECRET = "secret", "A valid secret of the subscription makes the signature"
    BODY = "body", "The body is the one that was signed, byte for byte"
    TIMESTAMP = "timestamp", "The signature is at most five minutes old"


class WebhookSubscription(OwnedModel):
    """An address that wants to hear of some events, and the encrypted secret that signs them.

    `failures_since`: when the first of the consecutive failures was; `failing_since`: when it turned failing.
    `probe_at`: when a failing one is tried next, or, of an active one, since when what was paused waits to be resumed.
    `revoked_reason`: a RevokedReason, of a revoked one.
    `created_with_id`: the key that created it; `key_id`: the one whose rights it has, that key or its replacement.
    `pii_full`: it was ever told personal data whole; `pii_until`: when that ends, or ended.
    `confirmed_at`: since when its address is known to want deliveries, having answered one, or a ping, with 2xx.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    url = fields.CharField(max_length=2048)
    secret_cipher = fields.TextField()
    secret_version = fields.IntField(default=1)
    # Tortoise types the nullable text as never null.
    previous_secret_cipher: fields.Field[str | None] = fields.TextField(null=True)  # type: ignore[assignment]
    previous_secret_until = fields.DatetimeField(null=True)
    headers: fields.Field[list[dict[str, str]]] = fields.JSONField(default=list)
    events: fields.Field[list[str]] = ArrayField(element_type="text")
    status = fields.CharEnumField(
        SubscriptionStatus, max_length=8, default=SubscriptionStatus.ACTIVE
    )
    description = fields.CharField(max_length=500, null=True)
    max_attempts = fields.IntField(default=8)
    backoff_seconds = fields.IntField(default=30)
    pii_full = fields.BooleanField(default=False)
    pii_until = fields.DatetimeField(null=True)
    api_version = fields.CharField(max_length=10)
    created_by_id = fields.CharField(max_length=30, null=True)
    created_with_id = fields.CharField(max_length=30, null=True)
    key_id = fields.CharField(max_length=30, null=True)
    confirmed_at = fields.DatetimeField(null=True)
    consecutive_failures = fields.IntField(default=0)
    failures_since = fields.DatetimeField(null=True)
    failing_since = fields.DatetimeField(null=True)
    probe_at = fields.DatetimeField(null=True)
    revoked_reason = fields.CharField(max_length=20, null=True)
    last_success_at = fields.DatetimeField(null=True)
    last_failure_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "webhook_subscriptions"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(
                fields=("probe_at",),
                name="webhook_subscriptions_to_probe",
                where="probe_at IS NOT NULL",
            ),
        )


class UnconfirmedAttempt(SqlTable):
    """An attempt of the last hour at an address that never answered. It belongs to no subscription: those may go.

    SQL alone: attempts are counted and granted for all organizations of a batch of deliveries.
    """

    id = fields.BigIntField(primary_key=True)
    organization_id = fields.CharField(max_length=30)
    host = fields.CharField(max_length=253)
    at = fields.DatetimeField()

    class Meta:
        table = "webhook_unconfirmed_attempts"
        indexes = (("organization_id", "host", "at"),)


class WebhookEvent(OwnedModel):
    """Something that happened, frozen. `data` is unmasked; each subscription's serialisation masks it.

    Its position in the feed is a row of `webhook_feed`. `xact` and `seq` are of an earlier version, which ordered the
    feed by the number of the transaction: only its processes, while they are being replaced, still fill them.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    type = fields.CharField(max_length=40)
    data: fields.Field[dict[str, Any]] = fields.JSONField()
    occurred_at = fields.DatetimeField()
    request_id = fields.CharField(max_length=64, null=True)
    xact = fields.BigIntField(null=True)
    seq = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "webhook_events"
        indexes = (
            ("created_at",),
            WhereIndex(
                fields=("organization_id", "env", "xact", "seq"),
                name="webhook_events_feed",
                where="xact IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "type"),
                name="webhook_events_uncommon",
                where=UNCOMMON,
            ),
        )


class QueuedEvent(OwnedModel, SqlTable):
    """A new event until it has a position in the feed; `id` is the order in which events happened.

    SQL alone: a queue, written with the events of a batch and emptied by the statement that
    gives positions.
    """

    id = fields.BigIntField(primary_key=True)
    event_id = fields.CharField(max_length=30)
    type = fields.CharField(max_length=40)
    created_at = fields.DatetimeField()

    class Meta:
        table = "webhook_feed_queue"


class WebhookDelivery(OwnedModel):
    """One event on its way to one subscription. Due while `due_at` is set; a claim moves it ahead as a lease.

    Unfinished and not due: paused, because its subscription is paused, failing or revoked.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    subscription_id = fields.CharField(max_length=30)
    event_id = fields.CharField(max_length=30)
    status = fields.CharEnumField(
        WebhookDeliveryStatus, max_length=8, default=WebhookDeliveryStatus.PENDING
    )
    is_replay = fields.BooleanField(db_default=False)
    attempts = fields.IntField(default=0)
    due_at = fields.DatetimeField(null=True)
    last_status_code = fields.IntField(null=True)
    last_latency_ms = fields.IntField(null=True)
    last_error = fields.CharField(max_length=20, null=True)
    created_at = fields.DatetimeField()
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "webhook_deliveries"
        indexes = (
            ("subscription_id", "created_at"),
            ("event_id",),
            # Who looks for what is due goes from subscription to subscription, past all that one of them has queued.
            WhereIndex(
                fields=("subscription_id", "due_at"),
                name="webhook_deliveries_due",
                where="due_at IS NOT NULL",
            ),
            WhereIndex(
                fields=("subscription_id", "created_at"),
                name="webhook_deliveries_parked",
                where="due_at IS NULL AND status IN ('pendente', 'falhando')",
            ),
            # What somebody looks for in the log, or sends again, among many that arrived.
            WhereIndex(
                fields=("subscription_id", "created_at"),
                name="webhook_deliveries_undelivered",
                where="status IN ('morta', 'retida')",
            ),
        )


class WebhookAttempt(OwnedModel):
    """One attempt at a delivery, as it went. `response_body`: the first 4 KB. `probe`: it spent no attempt.

    Personal data: erased with its event.
    """

    id = fields.BigIntField(primary_key=True)
    delivery_id = fields.CharField(max_length=30)
    number = fields.IntField()
    probe = fields.BooleanField(db_default=False)
    at = fields.DatetimeField()
    status_code = fields.IntField(null=True)
    latency_ms = fields.IntField()
    error = fields.CharField(max_length=20, null=True)
    response_body = fields.TextField(null=True)

    class Meta:
        table = "webhook_attempts"
        indexes = (("delivery_id",),)
