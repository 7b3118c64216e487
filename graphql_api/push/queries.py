"""Dispatches at the root."""

import strawberry

from core.dashboards.pushes import PUSH
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.push.inputs import PushFilter
from graphql_api.push.types import PushMessage


@strawberry.type
class PushQueries:
    push_message: PushMessage | None = reads_one(PUSH)
    push_messages: Connection[PushMessage] | None = reads_page(PUSH, filter=PushFilter, description="Newest first")
