"""One delivery attempt: signed, posted, and the outcome that follows from the answer.

No transaction is open meanwhile.
"""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from core.foundation.clock import is_set, real_now
from core.foundation.http_client import GuardedClient, PostResult, post
from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.retry_policy import is_exhausted, next_due, next_probe
from core.webhooks.events.payload import body_of
from core.webhooks.models import WebhookDeliveryStatus
from core.webhooks.signing.request_headers import headers_of
from core.webhooks.signing.secret_box import open_headers, open_secret


@dataclass(slots=True)  # frozen, it would take four times as long to make
class AttemptOutcome:
    """How one attempt went and what follows from it. `attempts`: those made before this one."""

    delivery_id: str
    organization_id: str
    subscription_id: str
    attempts: int
    ok: bool
    status: WebhookDeliveryStatus
    due_at: datetime | None
    status_code: int | None
    latency_ms: int
    error: str | None
    at: datetime
    probe: bool = False
    body: str = ""
    """The beginning of what was answered."""


async def attempt_delivery(
    http: GuardedClient, due: DueDelivery, *, at: datetime
) -> AttemptOutcome:
    """Post one delivery once, signed now. Never raises for what the receiver does."""
    number = due.attempts + 1
    body = body_of(
        event_id=due.event_id,
        type=due.type,
        occurred_at=due.occurred_at,
        env=due.env,
        organization_id=due.organization_id,
        api_version=due.api_version,
        data=due.data,
        unmasked=due.pii_full,
    )
    ciphers = (due.secret_cipher, due.previous_secret_cipher)
    headers = headers_of(
        secrets=[_secret(due.subscription_id, cipher) for cipher in ciphers if cipher is not None],
        custom=open_headers(due.subscription_id, due.headers) if due.headers else {},
        subscription_id=due.subscription_id,
        delivery_id=due.id,
        event_id=due.event_id,
        type=due.type,
        attempt=number,
        body=body,
        at=int(real_now().timestamp()),  # receivers hold it against their own clocks
        replay=due.is_replay,
        clock=at if is_set() else None,
    )
    reply = await post(http, due.url, body=body, headers=headers)
    return outcome_of(due, reply, at=at)


def outcome_of(due: DueDelivery, reply: PostResult, *, at: datetime) -> AttemptOutcome:
    """What an attempt's reply means for the delivery: done, tried again later, or dead."""
    number = due.attempts + 1
    is_moved = is_set()  # there nothing takes time, and the same happens twice
    over = at if is_moved else at + timedelta(milliseconds=reply.latency_ms)
    due_at = None
    if reply.ok:
        status = WebhookDeliveryStatus.DELIVERED
    elif due.probe:
        status = WebhookDeliveryStatus.RETRYING
        due_at = next_probe(at, status=reply.status, retry_after=reply.retry_after)
    elif is_exhausted(number, due.max_attempts):
        status = WebhookDeliveryStatus.DEAD
    else:
        status = WebhookDeliveryStatus.RETRYING
        due_at = next_due(
            over,
            n_failed=number,
            backoff_seconds=due.backoff_seconds,
            jitter=0 if is_moved else random.uniform(-1, 1),  # noqa: S311 - it spreads load, it guards nothing
            status=reply.status,
            retry_after=reply.retry_after,
        )
    return AttemptOutcome(
        due.id,
        due.organization_id,
        due.subscription_id,
        due.attempts,
        reply.ok,
        status,
        due_at,
        reply.status,
        reply.latency_ms,
        reply.error,
        at,
        due.probe,
        reply.body,
    )


@lru_cache(maxsize=4096)
def _secret(subscription_id: str, cipher: str) -> str:
    return open_secret(subscription_id, cipher)
