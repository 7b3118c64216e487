"""Webhooks."""

import strawberry
from strawberry import UNSET

from core.read_models.webhooks import WEBHOOK
from core.webhooks import DeliveryStatus, RevokedReason, SubscriptionStatus
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.enums import wire_enum
from graphql_api.nodes.schema import Node
from graphql_api.scalars import JSON, DateTime
from graphql_api.subscriptions.schema import EventType

WebhookDeliveryStatus = wire_enum("WebhookDeliveryStatus", DeliveryStatus)
WebhookRevokedReason = wire_enum(
    "WebhookRevokedReason",
    RevokedReason,
    description="Its endpoint answered 410, it was failing for too long, or the organization is "
    "suspended.",
)
WebhookStatus = wire_enum("WebhookStatus", SubscriptionStatus)


@strawberry.input(description="Conditions that all hold.")
class WebhookFilter:
    status: WebhookStatus | None = UNSET
    event: EventType | None = strawberry.field(
        default=UNSET, description="One that the webhook is told"
    )


@strawberry.input(description="Conditions that all hold.")
class WebhookDeliveryFilter:
    status: WebhookDeliveryStatus | None = UNSET
    event: EventType | None = UNSET
    since: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or after this instant"
    )
    until: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or before this instant"
    )


@strawberry.type(description="A header of every delivery; its value is never shown.")
class WebhookHeader:
    key: str
    value: str


@strawberry.type(description="How a failed delivery is tried again.")
class WebhookRetry:
    max_attempts: int
    backoff_seconds: int


@strawberry.type(description="A subscription to events.")
class Webhook(Node):
    organization_id: strawberry.ID
    url: str
    secret_cipher: str = strawberry.field(description="Encrypted: nobody can sign with it")
    secret_version: int
    headers: list[WebhookHeader]
    events: list[EventType]
    status: WebhookStatus
    description: str | None
    retry: WebhookRetry
    pii_full: bool
    api_version: str
    created_by_id: strawberry.ID | None
    confirmed_at: DateTime | None = strawberry.field(
        description="Since when its address is known to want deliveries; null: 100 an hour at "
        "most, and no replay"
    )
    consecutive_failures: int
    last_success_at: DateTime | None
    last_failure_at: DateTime | None
    failures_since: DateTime | None = strawberry.field(
        description="When the first of the consecutive failures was"
    )
    failing_since: DateTime | None = strawberry.field(
        description="Of a failing one: when it turned so"
    )
    next_probe_at: DateTime | None = strawberry.field(
        description="Of a failing one: when its oldest delivery is tried next"
    )
    revokes_at: DateTime | None = strawberry.field(
        description="Of a failing one: when it is revoked unless a delivery succeeds before"
    )
    revoked_reason: WebhookRevokedReason | None
    created_at: DateTime
    updated_at: DateTime
    deliveries: Connection["WebhookDelivery"] | None = relation_connection(
        "deliveries", filter=WebhookDeliveryFilter, description="Of the last 30 days, newest first"
    )


@strawberry.type(
    description="The request of each attempt; what signs it, and the values of custom headers, "
    "read `***`."
)
class WebhookRequest:
    url: str
    headers: JSON
    body: str = strawberry.field(description="The text that is signed, masked without pii:full")


@strawberry.type(description="How one attempt went.")
class WebhookAttempt:
    at: DateTime
    probe: bool = strawberry.field(
        description="It asked whether a failing webhook answers again, and spent no attempt"
    )
    status_code: int | None
    latency_ms: int
    error: str | None
    response_body: str | None = strawberry.field(description="The first 4 KB")


@strawberry.type(description="One event on its way to one webhook, or what became of it.")
class WebhookDelivery(Node):
    webhook_id: strawberry.ID
    event_id: strawberry.ID
    type: EventType
    status: WebhookDeliveryStatus
    attempts: int
    replay: bool
    next_attempt_at: DateTime | None
    last_status_code: int | None
    last_latency_ms: int | None
    last_error: str | None
    created_at: DateTime
    finished_at: DateTime | None
    webhook: Webhook | None = relation_field("webhook")
    request: WebhookRequest = relation_field("request")
    attempt_log: list[WebhookAttempt] = relation_field(
        "attemptLog", description="Every attempt, oldest first"
    )


@strawberry.type
class WebhookQueries:
    webhook: Webhook | None = node_field(WEBHOOK)
    webhooks: Connection[Webhook] | None = connection_field(
        WEBHOOK, filter=WebhookFilter, description="Newest first"
    )
