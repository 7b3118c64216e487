"""Dispatches and devices at the root."""

import strawberry

from core.dashboards.push_devices import PUSH_DEVICE
from core.dashboards.pushes import PUSH
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.push.inputs import PushDeviceFilter, PushFilter
from graphql_api.push.types import PushDevice, PushMessage


@strawberry.type
class PushQueries:
    push_message: PushMessage | None = reads_one(PUSH)
    push_messages: Connection[PushMessage] | None = reads_page(
        PUSH, filter=PushFilter, description="Newest first"
    )
    push_devices: Connection[PushDevice] | None = reads_page(
        PUSH_DEVICE,
        filter=PushDeviceFilter,
        description="Newest first; of a token only its end is shown",
    )
