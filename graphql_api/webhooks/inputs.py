"""What can be asked of webhooks."""

import strawberry
from strawberry import UNSET

from graphql_api.subscriptions.enums import EventType
from graphql_api.webhooks.enums import WebhookStatus


@strawberry.input(description="Conditions that all hold.")
class WebhookFilter:
    status: WebhookStatus | None = UNSET
    event: EventType | None = strawberry.field(default=UNSET, description="One that the webhook is told")
