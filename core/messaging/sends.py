"""Metrics of sends by outcome, for every channel."""

from core.foundation.database.availability import is_outage
from core.foundation.dry_run import is_dry_run
from core.foundation.errors import PaymentRequired, ServiceError
from core.foundation.observability.metrics import Counter

SENDS = Counter(
    "svc_sends_total",
    "Sends by outcome: the status of the accepted message, `replayed`, or the code of the refusal.",
    ("channel", "env", "outcome"),
)
WALLET_REFUSALS = Counter(
    "svc_wallet_refusals_total", "Sends that a wallet did not cover.", ("env",)
)


def count_send(channel: str, env: str, outcome: str, *, sends: int = 1) -> None:
    """A send was answered with a message in this status, or with an earlier answer (`replayed`), or
    as many were.
    """
    if is_dry_run():
        return
    SENDS.labels(channel, env, outcome).add(sends)


def count_refused_send(channel: str, env: str, refusal: Exception) -> None:
    """A send was refused, or failed."""
    if is_dry_run():
        return
    if isinstance(refusal, ServiceError):
        outcome = refusal.code.lower()
    else:
        outcome = "service_unavailable" if is_outage(refusal) else "internal"
    SENDS.labels(channel, env, outcome).add()
    if isinstance(refusal, PaymentRequired):
        WALLET_REFUSALS.labels(env).add()
