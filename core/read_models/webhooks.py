"""Webhook subscriptions and their deliveries, read field by field. What signs deliveries is not
among the fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Order,
    OrderKey,
    SelectedRelation,
    fields_of,
)
from core.webhooks.delivery import record
from core.webhooks.delivery.deliveries import is_of_type, narrow_deliveries, requests_of
from core.webhooks.subscriptions.queries import narrow_subscriptions
from core.webhooks.subscriptions.record import SUBSCRIPTION


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_subscriptions(where, status=filter.get("status"), event=filter.get("event"))
    return ()


WEBHOOK = Entity(
    name="Webhook",
    table="webhook_subscriptions",
    alias="w",
    scope=Scope.WEBHOOKS_READ,
    prefix="wbh",
    fields=fields_of(SUBSCRIPTION),
    narrow=_narrow,
)

TYPE = "(SELECT e.type FROM webhook_events e WHERE e.id = {t}.event_id AND e.organization_id = $1)"


def _narrow_deliveries(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_deliveries(
        where,
        "d",
        "e",
        status=filter.get("status"),
        since=filter.get("since"),
        until=filter.get("until"),
    )
    if (event := filter.get("event")) is not None:
        # Not TYPE: asked of each delivery it costs many times as much where the event is a rare one.
        of_type = is_of_type("e", event)
        where.narrow(
            "d.event_id IN (SELECT e.id FROM webhook_events e WHERE e.organization_id = $1 "
            f"AND {of_type})",
            event,
        )
    return ()


DELIVERY = Entity(
    name="WebhookDelivery",
    table="webhook_deliveries",
    alias="d",
    scope=Scope.WEBHOOKS_READ,
    prefix="dlv",
    fields={**fields_of(record.DELIVERY), "type": Field(TYPE)},
    narrow=_narrow_deliveries,
)

# The second value: whether the endpoint is told what is masked for others.
ANSWERED_SQL = """json_build_array({t}.response_body, (
    SELECT s.pii_full FROM webhook_deliveries d
    JOIN webhook_subscriptions s ON s.id = d.subscription_id AND s.organization_id = d.organization_id
    WHERE d.id = {t}.delivery_id AND d.organization_id = $1
))"""

AS_MADE = Order("as made", (OrderKey("{t}.id", "bigint"),))

ATTEMPT_FIELDS = fields_of(record.ATTEMPT)

ATTEMPT = Entity(
    name="WebhookAttempt",
    table="webhook_attempts",
    alias="t",
    scope=Scope.WEBHOOKS_READ,
    prefix="",
    fields={
        **ATTEMPT_FIELDS,
        "responseBody": replace(ATTEMPT_FIELDS["responseBody"], sql=ANSWERED_SQL),
    },
    orders={"": AS_MADE},
)


async def load_requests(
    caller: Caller, deliveries: Sequence[str], selected: SelectedRelation
) -> Mapping[str, record.RequestRecord]:
    """The requests of deliveries, by id."""
    return await requests_of(caller, deliveries)
