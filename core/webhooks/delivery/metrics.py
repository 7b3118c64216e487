"""Metrics of webhook deliveries: attempts by outcome, and latency."""

from datetime import timedelta

from core.foundation.observability.metrics import Counter, Histogram
from core.webhooks.delivery.attempt import AttemptOutcome
from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.models import WebhookDeliveryStatus

ATTEMPTS = Counter(
    "svc_webhook_attempts_total",
    "Attempts to deliver an event: delivered, retrying (failed, tried again later) or dead "
    "(given up).",
    ("outcome",),
)
LATENCY = Histogram(
    "svc_webhook_delivery_latency_seconds",
    "From the writing of an event to its delivery, waits between attempts included.",
    bounds=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 21600),
)

_COUNTS = {
    WebhookDeliveryStatus.DELIVERED: ATTEMPTS.labels("delivered"),
    WebhookDeliveryStatus.RETRYING: ATTEMPTS.labels("retrying"),
    WebhookDeliveryStatus.DEAD: ATTEMPTS.labels("dead"),
}
_LATENCY = LATENCY.labels()


def count_attempt(due: DueDelivery, outcome: AttemptOutcome) -> None:
    """An attempt was made."""
    _COUNTS[outcome.status].add()
    if outcome.ok:
        arrived = outcome.at + timedelta(milliseconds=outcome.latency_ms)
        _LATENCY.observe((arrived - due.occurred_at).total_seconds())
