"""What can be asked of webhooks."""

import strawberry
from strawberry import UNSET

from graphql_api.scalars import DateTime
from graphql_api.subscriptions.enums import EventType
from graphql_api.webhooks.enums import WebhookDeliveryStatus, WebhookStatus


@strawberry.input(description="Conditions that all hold.")
class WebhookFilter:
    status: WebhookStatus | None = UNSET
    event: EventType | None = strawberry.field(
        default=UNSET, description="One that the webhook is told"
    )


@strawberry.input(description="Conditions that all hold.")
class WebhookDeliveryFilter:
    status: WebhookDeliveryStatus | None = UNSET
    event: EventType | None = UNSET
    since: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or after this instant"
    )
    until: DateTime | None = strawberry.field(
        default=UNSET, description="Queued at or before this instant"
    )
