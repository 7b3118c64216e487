"""A subscription as the interface spells it, and what else is answered about subscriptions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from core.foundation.clock import moment_of, now, wire_time
from core.foundation.records import (
    Doc,
    Id,
    Instant,
    Made,
    Page,
    Record,
    Spread,
    Uri,
    named,
)
from core.foundation.records.json_text import TIME
from core.webhooks.creator import told_whole
from core.webhooks.delivery.circuit_breaker import REVOKE_AFTER
from core.webhooks.events.event_types import EventType
from core.webhooks.inputs import MASKED
from core.webhooks.models import (
    EndpointProblem,
    RevokedReason,
    SubscriptionStatus,
    WebhookSubscription,
)


class WebhookHeader(TypedDict):
    """A custom header of every delivery."""

    key: Annotated[str, Doc("The name of the header")]
    value: Annotated[str, Doc("Always `***`: the value is never shown")]


class WebhookRetry(TypedDict):
    """How a failed delivery is tried again."""

    maxAttempts: Annotated[int, Doc("All in all, the first one too")]
    backoffSeconds: Annotated[
        int, Doc("Seconds before the second attempt; each pause after it is longer")
    ]


def masked_headers(headers: Sequence[Mapping[str, str]]) -> list[WebhookHeader]:
    """Custom headers by their keys; their values are not shown to anybody."""
    return [{"key": header["key"], "value": MASKED} for header in headers]


def _told_whole(pii_full: bool, until: datetime | str | None) -> bool:
    return told_whole(pii_full, None if until is None else moment_of(until), at=now())


def _next_probe(status: str, probe_at: datetime | str | None) -> str | None:
    if status != SubscriptionStatus.FAILING or probe_at is None:
        return None
    return wire_time(moment_of(probe_at))


def _revoked_at(failing_since: datetime | str | None) -> str | None:
    return None if failing_since is None else wire_time(moment_of(failing_since) + REVOKE_AFTER)


def _as_json(instant: str) -> str:
    return f"""'"' || {TIME.format(instant)} || '"'"""


HEADERS = f"""
CASE WHEN headers = '[]' THEN '[]' ELSE
    (SELECT json_agg(json_build_object('key', of->'key', 'value', '{MASKED}'))::text FROM jsonb_array_elements(headers) of)
END"""
TOLD_WHOLE = "(pii_full AND (pii_until IS NULL OR pii_until > asked_at))::text"
"""A list has the time of now as `asked_at`."""

NEXT_PROBE = Made(
    _next_probe,
    ("status", "probe_at"),
    sql=f"CASE WHEN status = '{SubscriptionStatus.FAILING}' THEN {_as_json('probe_at')} END",
)
REVOKED_AT = Made(
    _revoked_at,
    ("failing_since",),
    sql=_as_json(f"(failing_since + interval '{REVOKE_AFTER.total_seconds():.0f} seconds')"),
)


@named(rest="Webhook", graphql="Webhook")
class SubscriptionRecord(TypedDict):
    """A subscription of an address to events."""

    id: Annotated[Id, Doc("Names the subscription")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    url: Annotated[Uri, Doc("The address that deliveries are sent to")]
    secretCipher: Annotated[
        str, Doc("Encrypted: nobody can sign with it; the secret is shown when it is made")
    ]
    secretVersion: Annotated[int, Doc("Counts the secrets of the subscription")]
    headers: Annotated[
        list[WebhookHeader],
        Made(masked_headers, ("headers",), sql=HEADERS),
        Doc("Headers of your own that every delivery has"),
    ]
    events: Annotated[list[EventType], Doc("What it is told of")]
    status: Annotated[SubscriptionStatus, Doc("How it stands")]
    description: NotRequired[Annotated[str, Doc("What it is for, in your own words")]]
    retry: Annotated[WebhookRetry, Spread(""), Doc("How a failed delivery is tried again")]
    piiFull: Annotated[
        bool,
        Made(_told_whole, ("pii_full", "pii_until"), sql=TOLD_WHOLE),
        Doc(
            "Events come with phones and addresses whole, not masked, while the creator may see "
            "them"
        ),
    ]
    apiVersion: Annotated[str, Doc("The shape of event bodies that it is pinned to")]
    createdById: NotRequired[Annotated[Id, Doc("The account that made it, where a person did")]]
    confirmedAt: NotRequired[
        Annotated[
            Instant,
            Doc(
                "Since when the address is known to want deliveries: it has answered one, or a "
                "sample, with 2xx. Absent: at most 100 deliveries an hour go to its host, and "
                "nothing is replayed"
            ),
        ]
    ]
    consecutiveFailures: Annotated[int, Doc("Failed deliveries since the last one that succeeded")]
    lastSuccessAt: NotRequired[Annotated[Instant, Doc("When a delivery last succeeded")]]
    lastFailureAt: NotRequired[Annotated[Instant, Doc("When a delivery last failed")]]
    failuresSince: NotRequired[
        Annotated[
            Instant, Doc("When the first of the `consecutiveFailures` was; absent without any")
        ]
    ]
    failingSince: NotRequired[Annotated[Instant, Doc("Of a failing one: when it turned so")]]
    nextProbeAt: NotRequired[
        Annotated[
            Instant, NEXT_PROBE, Doc("Of a failing one: when its oldest delivery is tried next")
        ]
    ]
    revokesAt: NotRequired[
        Annotated[
            Instant,
            REVOKED_AT,
            Doc("Of a failing one: when it is revoked unless a delivery succeeds before"),
        ]
    ]
    revokedReason: NotRequired[
        Annotated[RevokedReason, Doc("Of a revoked one: why it was revoked")]
    ]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When it was last changed, by whom or what ever")]


SUBSCRIPTION = Record(SubscriptionRecord)


@named(rest="WebhookPage")
class SubscriptionPage(Page[SubscriptionRecord]):
    """A page of subscriptions, newest first. Deep readers send `nextCursor` back as `cursor`."""


class RevealedSecret(TypedDict):
    """The signing secret, shown this once."""

    id: Annotated[Id, Doc("The subscription whose secret it is")]
    secret: Annotated[str, Doc("The secret: keep it, it cannot be read again")]
    secretVersion: Annotated[int, Doc("Counts the secrets of the subscription")]
    createdAt: Annotated[Instant, Doc("When it was made")]


class NewWebhook(TypedDict):
    """A new subscription with its secret."""

    webhook: Annotated[SubscriptionRecord, Doc("The subscription")]
    reveal: Annotated[RevealedSecret, Doc("Its secret, shown this once")]


class EndpointVerdict(TypedDict):
    """How an endpoint took what was sent to it."""

    ok: Annotated[bool, Doc("True where it answered with a status from 200 to 299")]
    statusCode: NotRequired[
        Annotated[int, Doc("The HTTP status that it answered; absent where none came")]
    ]
    latencyMs: NotRequired[Annotated[int, Doc("Milliseconds until it was answered, or given up")]]
    reason: NotRequired[Annotated[EndpointProblem, Doc("What is wrong; absent where `ok`")]]
    message: NotRequired[Annotated[str, Doc("What to do about it, in a sentence")]]


class SampleVerdict(EndpointVerdict):
    """How an endpoint took the sample of an event, and the ids that it was sent with."""

    eventId: Annotated[Id, Doc("The id of the event that was made up")]
    deliveryId: Annotated[Id, Doc("The id of the delivery, which is not in the log")]


@named(rest="ApiKeyWebhook", graphql="ApiKeyWebhook")
class SubscriptionOfKey(TypedDict):
    """A webhook subscription that was created with a key."""

    id: Annotated[Id, Doc("Names the subscription")]
    url: Annotated[Uri, Doc("The address that deliveries are sent to")]
    status: Annotated[SubscriptionStatus, Doc("How it stands")]


def subscription_record(subscription: WebhookSubscription) -> SubscriptionRecord:
    """The record of a subscription; header values never leave."""
    return SUBSCRIPTION.make(vars(subscription), unmasked=True)
