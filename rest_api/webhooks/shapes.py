"""The webhook shapes of the interface."""

from typing import Literal

from rest_api.support.shapes import Address, Out, Timestamp


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
    consecutive_failures: int | None = None
    last_success_at: Timestamp | None = None
    last_failure_at: Timestamp | None = None
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
    reason: Literal["invalid_url", "insecure_scheme", "ssrf_blocked", "non_2xx", "timeout", "unreachable"] | None = None
    message: str | None = None


class WebhookPage(Out):
    """A page of subscriptions, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[Webhook]
    total: int
    next_cursor: str | None = None
    warnings: list[str] | None = None
