"""Webhook subscriptions, read field by field. What signs their deliveries is not among the fields."""

from collections.abc import Sequence

from core.dashboards.reading import Arguments, Entity, Field, column, time
from core.foundation.caller import Caller, Scope
from core.foundation.where import Where
from core.webhooks.conditions import narrow_subscriptions
from core.webhooks.queries import masked_headers

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
    "retry": Field("json_build_object('maxAttempts', {t}.max_attempts, 'backoffSeconds', {t}.backoff_seconds)"),
    "piiFull": column("pii_full"),
    "apiVersion": column("api_version"),
    "createdById": column("created_by_id"),
    "consecutiveFailures": column("consecutive_failures"),
    "lastSuccessAt": time("last_success_at"),
    "lastFailureAt": time("last_failure_at"),
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
