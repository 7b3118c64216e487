"""Webhooks."""

import strawberry

from graphql_api.nodes.types import Node
from graphql_api.scalars import DateTime
from graphql_api.subscriptions.enums import EventType
from graphql_api.webhooks.enums import WebhookStatus


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
    consecutive_failures: int
    last_success_at: DateTime | None
    last_failure_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime
