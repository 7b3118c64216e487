"""Webhook subscriptions and their deliveries, read field by field. What signs deliveries is not
among the fields.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Key,
    Order,
    SelectedRelation,
    column,
    time,
    wire_time_of,
)
from core.webhooks.creator import SEES_PERSONAL_DATA
from core.webhooks.delivery.circuit_breaker import REVOKE_AFTER
from core.webhooks.delivery.deliveries import narrow_deliveries, requests_of
from core.webhooks.inputs import MASKED
from core.webhooks.subscriptions.queries import masked_headers, narrow_subscriptions

FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "url": column("url"),
    "secretCipher": column("secret_cipher"),
    "secretVersion": column("secret_version"),
    "headers": Field("{t}.headers", make=masked_headers),
    "events": column("events"),
    "status": column("status"),
    "description": column("description"),
    "retry": Field(
        "json_build_object('maxAttempts', {t}.max_attempts, 'backoffSeconds', {t}.backoff_seconds)"
    ),
    "piiFull": Field(SEES_PERSONAL_DATA.format(t="{t}", at="now()")),
    "apiVersion": column("api_version"),
    "createdById": column("created_by_id"),
    "confirmedAt": time("confirmed_at"),
    "consecutiveFailures": column("consecutive_failures"),
    "lastSuccessAt": time("last_success_at"),
    "lastFailureAt": time("last_failure_at"),
    "failuresSince": time("failures_since"),
    "failingSince": time("failing_since"),
    "nextProbeAt": Field(
        "CASE WHEN {t}.status = 'failing' THEN {t}.probe_at END", make=wire_time_of
    ),
    "revokesAt": Field(
        f"{{t}}.failing_since + interval '{REVOKE_AFTER.total_seconds():.0f} seconds'",
        make=wire_time_of,
    ),
    "revokedReason": column("revoked_reason"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_subscriptions(where, status=filter.get("status"), event=filter.get("event"))
    return ()


WEBHOOK = Entity(
    name="Webhook",
    table="webhook_subscriptions",
    alias="w",
    scope=Scope.WEBHOOKS_READ,
    prefix="wbh",
    fields=FIELDS,
    narrow=_narrow,
)

TYPE = "(SELECT e.type FROM webhook_events e WHERE e.id = {t}.event_id)"

DELIVERY_FIELDS = {
    "id": column("id"),
    "webhookId": column("subscription_id"),
    "eventId": column("event_id"),
    "type": Field(TYPE),
    "status": column("status"),
    "attempts": column("attempts"),
    "replay": column("is_replay"),
    "nextAttemptAt": time("due_at"),
    "lastStatusCode": column("last_status_code"),
    "lastLatencyMs": column("last_latency_ms"),
    "lastError": column("last_error"),
    "createdAt": time("created_at"),
    "finishedAt": time("finished_at"),
}


def _narrow_deliveries(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_deliveries(
        where,
        "d",
        TYPE.replace("{t}", "d"),
        status=filter.get("status"),
        event=filter.get("event"),
        since=filter.get("since"),
        until=filter.get("until"),
    )
    return ()


DELIVERY = Entity(
    name="WebhookDelivery",
    table="webhook_deliveries",
    alias="d",
    scope=Scope.WEBHOOKS_READ,
    prefix="dlv",
    fields=DELIVERY_FIELDS,
    narrow=_narrow_deliveries,
)

# The second value: whether the endpoint is told what is masked for others. Many an endpoint answers
# what it was sent.
ANSWERED = """json_build_array({t}.response_body, (
    SELECT s.pii_full FROM webhook_deliveries d JOIN webhook_subscriptions s ON s.id = d.subscription_id
    WHERE d.id = {t}.delivery_id
))"""


def _answer(values: list[Any]) -> Any:
    return values[0]


def _masked_answer(values: list[Any]) -> Any:
    answer, told_more = values
    return MASKED if answer and told_more else answer


AS_MADE = Order("as made", (Key("{t}.id", "bigint"),))

ATTEMPT = Entity(
    name="WebhookAttempt",
    table="webhook_attempts",
    alias="t",
    scope=Scope.WEBHOOKS_READ,
    prefix="",
    fields={
        "at": time("at"),
        "probe": column("probe"),
        "statusCode": column("status_code"),
        "latencyMs": column("latency_ms"),
        "error": column("error"),
        "responseBody": Field(ANSWERED, make=_answer, masked=_masked_answer),
    },
    orders={"": AS_MADE},
)


async def load_requests(
    caller: Caller, deliveries: Sequence[str], selected: SelectedRelation
) -> Mapping[str, dict[str, Any]]:
    """The requests of deliveries, by id."""
    return await requests_of(caller, deliveries)
