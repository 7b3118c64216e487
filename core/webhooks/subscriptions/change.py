"""Changing a subscription: its events, headers and retry policy; pausing and resuming it."""

from collections.abc import Sequence
from datetime import datetime

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.webhooks.errors import PingUnanswered, no_such_stored_header, revoked_is_not_paused
from core.webhooks.inputs import MASKED, ChangedHeader, SubscriptionChanges
from core.webhooks.models import SubscriptionStatus, SubscriptionSwitch, WebhookSubscription
from core.webhooks.signing.secret_box import open_headers, seal_headers, signing_secrets
from core.webhooks.subscriptions.lock import lock_subscription
from core.webhooks.subscriptions.ping import ping
from core.webhooks.subscriptions.record import SubscriptionRecord, subscription_record


async def change_subscription(
    caller: Caller, id: str, changes: SubscriptionChanges
) -> SubscriptionRecord:
    """Change what was sent and nothing else; answers the record.

    Making a revoked subscription active takes an endpoint that answers a signed ping. All of it
    happens or nothing. Raises NotFound, ValidationFailed and PingUnanswered. (Interface: Endpoints,
    Webhooks, PATCH /webhooks/{id}.)
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    answered = False
    while True:
        async with transaction():
            subscription = await lock_subscription(caller, id)
            _refuse(subscription, changes)
            if answered or not _owes_a_ping(subscription, changes):
                if changes.model_fields_set:
                    await _apply(caller, subscription, changes, at=now())
                return subscription_record(subscription)
        # Between the transactions anything may happen to the subscription: the second one decides
        # anew.
        await _ping(subscription, changes)
        answered = True


def _refuse(subscription: WebhookSubscription, changes: SubscriptionChanges) -> None:
    """What only the stored subscription can tell: all that is wrong at once."""
    stored = _ciphers(subscription)
    errors: list[FieldError] = [
        no_such_stored_header(place)
        for place, header in enumerate(changes.headers or ())
        if header.value == MASKED and header.key.lower() not in stored
    ]
    if (
        changes.status is SubscriptionSwitch.PAUSED
        and subscription.status is SubscriptionStatus.REVOKED
    ):
        errors.append(revoked_is_not_paused())
    if errors:
        raise ValidationFailed(errors=errors)


def _owes_a_ping(subscription: WebhookSubscription, changes: SubscriptionChanges) -> bool:
    return (
        changes.status is SubscriptionSwitch.ACTIVE
        and subscription.status is SubscriptionStatus.REVOKED
    )


async def _ping(subscription: WebhookSubscription, changes: SubscriptionChanges) -> None:
    """Try the endpoint, signed as its deliveries are and with the headers that it would get from
    now on.
    """
    at = now()
    result = await ping(
        subscription.url,
        secrets=signing_secrets(subscription, at=at),
        headers=open_headers(subscription.id, _headers_after(subscription, changes)),
        subscription_id=subscription.id,
        organization_id=subscription.organization_id,
        env=subscription.env,
        api_version=subscription.api_version,
        at=at,
    )
    if result.reason is not None and result.message is not None:
        raise PingUnanswered(result.reason, result.message)


async def _apply(
    caller: Caller, subscription: WebhookSubscription, changes: SubscriptionChanges, *, at: datetime
) -> None:
    sent = changes.model_fields_set
    subscription.updated_at = at
    written = ["updated_at"]
    if changes.events is not None:
        subscription.events = list(changes.events)
        written.append("events")
    if "description" in sent:
        subscription.description = changes.description
        written.append("description")
    if changes.headers is not None:
        subscription.headers = _headers_after(subscription, changes)
        written.append("headers")
    if changes.retry is not None:
        subscription.max_attempts = changes.retry.max_attempts
        subscription.backoff_seconds = changes.retry.backoff_seconds
        written += ["max_attempts", "backoff_seconds"]
    if changes.status is not None:
        written += await _move(subscription, SubscriptionStatus(changes.status), at=at)
    await subscription.save(update_fields=written)
    facts = {
        "changed": sorted(sent),
        "events": subscription.events,
        "status": subscription.status.value,
    }
    await audit.write_entry(caller, "webhook.changed", subscription.id, facts, at=at)


async def _move(
    subscription: WebhookSubscription, status: SubscriptionStatus, *, at: datetime
) -> Sequence[str]:
    """Pause or resume. Who resumes starts afresh: no failure counts, and what was paused is
    resumed.
    """
    if subscription.status is status:
        return ()
    if subscription.status is SubscriptionStatus.REVOKED:  # it has answered the ping
        subscription.confirmed_at = subscription.confirmed_at or at
    subscription.status = status
    subscription.failing_since = subscription.probe_at = subscription.revoked_reason = None
    written = ("status", "failing_since", "probe_at", "revoked_reason", "confirmed_at")
    if status is not SubscriptionStatus.ACTIVE:
        return written
    subscription.consecutive_failures = 0
    subscription.failures_since = None
    subscription.probe_at = at
    await wake(Job.RESUME_WEBHOOKS)
    return (*written, "consecutive_failures", "failures_since")


def _headers_after(
    subscription: WebhookSubscription, changes: SubscriptionChanges
) -> list[dict[str, str]]:
    """The encrypted headers once the changes hold."""
    if changes.headers is None:
        return subscription.headers
    stored = _ciphers(subscription)
    return [_sealed(subscription.id, header, stored) for header in changes.headers]


def _sealed(id: str, header: ChangedHeader, stored: dict[str, str]) -> dict[str, str]:
    if header.value == MASKED:
        return {"key": header.key, "cipher": stored[header.key.lower()]}
    return seal_headers(id, {header.key: header.value})[0]


def _ciphers(subscription: WebhookSubscription) -> dict[str, str]:
    """The stored values by name; HTTP does not distinguish case in names."""
    return {header["key"].lower(): header["cipher"] for header in subscription.headers}
