"""What can be asked of webhooks."""

import strawberry
from strawberry import UNSET

from core.webhooks import SubscriptionStatus
from graphql_api.enums import wire_enum
from graphql_api.subscriptions.types import EventType

WebhookStatus = wire_enum("WebhookStatus", SubscriptionStatus)


@strawberry.input(description="Conditions that all hold.")
class WebhookFilter:
    status: WebhookStatus | None = UNSET
    event: EventType | None = strawberry.field(default=UNSET, description="One that the webhook is told")
