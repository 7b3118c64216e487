"""Webhooks."""

import strawberry

from graphql_api.connections import Connection, hangs, hangs_page
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime
from graphql_api.subscriptions.enums import EventType
from graphql_api.webhooks.enums import WebhookDeliveryStatus, WebhookRevokedReason, WebhookStatus
from graphql_api.webhooks.inputs import WebhookDeliveryFilter


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
        description="Since when its address is known to want deliveries; null: 100 an hour at most, and no replay"
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
    deliveries: Connection["WebhookDelivery"] | None = hangs_page(
        "deliveries", filter=WebhookDeliveryFilter, description="Of the last 30 days, newest first"
    )


@strawberry.type(
    description="The request of each attempt; what signs it, and the values of custom headers, read `***`."
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
    webhook: Webhook | None = hangs("webhook")
    request: WebhookRequest = hangs("request")
    attempt_log: list[WebhookAttempt] = hangs(
        "attemptLog", description="Every attempt, oldest first"
    )
