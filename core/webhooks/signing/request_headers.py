"""Headers of one delivery request: signatures, identifiers and the subscription's own."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from core.foundation.clock import wire_time
from core.webhooks.signing.signature import sign


def headers_of(
    *,
    secrets: Sequence[str],
    custom: Mapping[str, str],
    subscription_id: str,
    delivery_id: str,
    event_id: str,
    type: str,
    attempt: int,
    body: bytes,
    at: int,
    replay: bool = False,
    clock: datetime | None = None,
) -> dict[str, str]:
    """What proves and names the request, and the subscription's own headers, which can replace none
    of it.

    `secrets`: newest first, each signs. `at`: unix seconds. `clock`: what the moved clock of a
    sandbox says. Source: interface, Delivery request.
    """
    return {
        **custom,
        **sign(secrets, webhook_id=event_id, body=body, at=at),
        "Content-Type": "application/json",
        "X-SVC-Webhook-Id": subscription_id,
        "X-SVC-Event": type,
        "X-SVC-Delivery-Id": delivery_id,
        "X-SVC-Attempt": str(attempt),
        **({"X-SVC-Replay": "true"} if replay else {}),
        **({"X-SVC-Clock": wire_time(clock)} if clock is not None else {}),
    }
