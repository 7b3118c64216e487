"""Webhooks at the root."""

import strawberry

from core.dashboards.webhooks import WEBHOOK
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.webhooks.inputs import WebhookFilter
from graphql_api.webhooks.types import Webhook


@strawberry.type
class WebhookQueries:
    webhook: Webhook | None = reads_one(WEBHOOK)
    webhooks: Connection[Webhook] | None = reads_page(
        WEBHOOK, filter=WebhookFilter, description="Newest first"
    )
