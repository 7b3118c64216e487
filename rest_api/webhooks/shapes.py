"""The webhook shapes of the interface."""

from typing import Any, Literal

from pydantic import Field

from core.foundation.security.caller import Env
from rest_api.support.shapes import Address, Listed, Out, Timestamp


class WebhookHeader(Out):
    """A custom header; its value reads back as `***`."""

    key: str
    value: str


class WebhookRetry(Out):
    """How a failed delivery is tried again."""

    max_attempts: int
    backoff_seconds: int


class Webhook(Out):
    """A subscription."""

    id: str
    organization_id: str
    url: Address
    secret_cipher: str
    secret_version: int
    headers: list[WebhookHeader] | None = None
    events: list[str]
    status: Literal["active", "paused", "failing", "revoked"]
    description: str | None = None
    retry: WebhookRetry
    pii_full: bool
    api_version: str
    created_by_id: str | None = None
    confirmed_at: Timestamp | None = Field(
        default=None,
        description="Since when the address is known to want deliveries: it has answered one, or "
        "a sample, with 2xx. "
        "Absent: at most 100 deliveries an hour go to its host, and nothing is replayed",
    )
    consecutive_failures: int | None = None
    last_success_at: Timestamp | None = None
    last_failure_at: Timestamp | None = None
    failures_since: Timestamp | None = Field(
        default=None,
        description="When the first of the `consecutiveFailures` was; absent without any",
    )
    failing_since: Timestamp | None = Field(
        default=None, description="Of a failing one: when it turned so"
    )
    next_probe_at: Timestamp | None = Field(
        default=None, description="Of a failing one: when its oldest delivery is tried next"
    )
    revokes_at: Timestamp | None = Field(
        default=None,
        description="Of a failing one: when it is revoked unless a delivery succeeds before",
    )
    revoked_reason: Literal["gone", "failing", "suspended"] | None = Field(
        default=None,
        description="Of a revoked one: its endpoint answered 410, it was failing for too long, "
        "or the organization is "
        "suspended",
    )
    created_at: Timestamp
    updated_at: Timestamp


class RevealedSecret(Out):
    """The signing secret, shown this once."""

    id: str
    secret: str
    secret_version: int
    created_at: Timestamp


class NewWebhook(Out):
    """A new subscription with its secret."""

    webhook: Webhook
    reveal: RevealedSecret


class EndpointVerdict(Out):
    """How an endpoint took a ping; `message` says what to do."""

    ok: bool
    status_code: int | None = None
    latency_ms: int | None = None
    reason: (
        Literal[
            "invalid_url", "insecure_scheme", "ssrf_blocked", "non_2xx", "timeout", "unreachable"
        ]
        | None
    ) = None
    message: str | None = None


class WebhookPage(Listed):
    """A page of subscriptions, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[Webhook]
    total: int
    next_cursor: str | None = None


class SampleVerdict(EndpointVerdict):
    """How an endpoint took the sample of an event, and the ids that it was sent with."""

    event_id: str
    delivery_id: str


class Delivery(Out):
    """One event on its way to one subscription, or what became of it."""

    id: str
    webhook_id: str
    event_id: str
    type: str
    status: Literal["entregue", "pendente", "falhando", "morta", "retida"]
    attempts: int
    replay: bool
    next_attempt_at: Timestamp | None = None
    last_status_code: int | None = None
    last_latency_ms: int | None = None
    last_error: str | None = None
    created_at: Timestamp
    finished_at: Timestamp | None = None


class DeliveryRequest(Out):
    """The request of each attempt; what signs it, and the values of custom headers, read `***`."""

    url: Address
    headers: dict[str, str]
    body: str


class DeliveryAttempt(Out):
    """How one attempt went. `probe`: it asked whether a failing subscription answers again, and
    spent no attempt.
    """

    at: Timestamp
    probe: bool
    status_code: int | None = None
    latency_ms: int
    error: str | None = None
    response_body: str | None = None


class WholeDelivery(Delivery):
    """A delivery with its request and its attempts, oldest first."""

    request: DeliveryRequest
    attempt_log: list[DeliveryAttempt]


class DeliveryPage(Listed):
    """A page of deliveries, newest first."""

    items: list[Delivery]
    next_cursor: str | None = None


class Replayed(Out):
    """How many deliveries were queued again."""

    requested: int


class EventTypeTold(Out):
    """An event that a subscription may name; `schema` is that of the whole body."""

    name: str
    description: str
    schema_: dict[str, Any] = Field(alias="schema")
    example: dict[str, Any]


class EventTypes(Listed):
    """Every event that a subscription may name."""

    items: list[EventTypeTold]


class SignatureVerdict(Out):
    """What the check of a request came to; `failingStep` is the first step that fails."""

    ok: bool
    failing_step: (
        Literal["headers", "format", "subscription", "secret", "body", "timestamp"] | None
    ) = None
    message: str
    subscription_id: str | None = None
    secret_version: int | None = None
    signed_at: Timestamp | None = None
    body_bytes: int


class FedEvent(Out):
    """An event as a delivery tells it; `GET /webhooks/event-types` has the schema of each type."""

    id: str
    type: str
    timestamp: Timestamp
    env: Env
    organization_id: str
    api_version: str
    data: dict[str, Any]


class Feed(Listed):
    """Events in the order of their commits. `nextCursor` is always there; `hasMore`: ask again at
    once.
    """

    items: list[FedEvent]
    next_cursor: str
    has_more: bool
