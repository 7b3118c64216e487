"""Webhooks."""

import strawberry
from strawberry import UNSET

from core.read_models.webhooks import DELIVERY, WEBHOOK
from core.webhooks import (
    AttemptRecord,
    EventType,
    RequestRecord,
    SubscriptionRecord,
    SubscriptionStatus,
    WebhookDeliveryStatus,
    WholeDeliveryRecord,
)
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.enums import enum_of
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of
from graphql_api.scalars import DateTime


@strawberry.input(description="Conditions that all hold.")
class WebhookFilter:
    status: enum_of(SubscriptionStatus) | None = strawberry.field(
        default=UNSET, description="How the webhook stands"
    )
    event: enum_of(EventType) | None = strawberry.field(
        default=UNSET, description="One that the webhook is told"
    )


@strawberry.input(description="Conditions that all hold.")
class WebhookDeliveryFilter:
    status: enum_of(WebhookDeliveryStatus) | None = strawberry.field(
        default=UNSET, description="How far the delivery has come"
    )
    event: enum_of(EventType) | None = strawberry.field(
        default=UNSET, description="What the delivery tells of"
    )
    since: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or after this instant"
    )
    until: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or before this instant"
    )


WebhookRequest = type_of(RequestRecord)
WebhookAttempt = type_of(AttemptRecord)


@record_type(SubscriptionRecord)
class Webhook(Node):
    """A subscription to events."""

    created_by: Account | None = relation_field("createdBy", description="Who subscribed")
    deliveries: Connection["WebhookDelivery"] | None = relation_connection(
        "deliveries", filter=WebhookDeliveryFilter, description="Of the last 30 days, newest first"
    )


@record_type(WholeDeliveryRecord)
class WebhookDelivery(Node):
    """One event on its way to one webhook, or what became of it."""

    webhook: Webhook | None = relation_field("webhook", description="The webhook that it goes to")
    request: WebhookRequest = relation_field("request", description="The request as it is sent")
    attempt_log: list[WebhookAttempt] = relation_field(
        "attemptLog", description="Every attempt, oldest first"
    )


@strawberry.type
class WebhookQueries:
    webhook_delivery: WebhookDelivery | None = node_field(DELIVERY)
    webhook: Webhook | None = node_field(
        WEBHOOK, description="The webhook of this id; null where there is none"
    )
    webhooks: Connection[Webhook] | None = connection_field(
        WEBHOOK, filter=WebhookFilter, description="Newest first"
    )
