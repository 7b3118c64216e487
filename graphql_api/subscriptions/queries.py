"""What can be subscribed to."""

from collections.abc import AsyncGenerator

import strawberry
from graphql.execution.values import get_argument_values
from strawberry.types import Info

from core.dashboards import live
from core.dashboards.reading import Arguments
from graphql_api.context import caller_of
from graphql_api.lookahead import asked_under
from graphql_api.messages.inputs import MessageFilter
from graphql_api.messages.types import Message
from graphql_api.subscriptions.context import too_slow_of
from graphql_api.subscriptions.types import CardMove, Event, EventType


@strawberry.type
class Subscription:
    @strawberry.subscription(
        description="Messages that are new or have another status, each as it is when it is told. Changes that come "
        "quickly one after the other are told once."
    )
    async def message_changed(self, info: Info, filter: MessageFilter | None = None) -> AsyncGenerator[Message, None]:
        asked = asked_under(info._raw_info)  # noqa: SLF001 - strawberry's own look-ahead knows no fragments' types
        return await live.messages_changed(  # type: ignore[return-value]  # values are records
            caller_of(info), _filter_of(info), asked, too_slow=too_slow_of(info)
        )

    @strawberry.subscription(description="What webhooks are told, without a webhook: events of these types, or all.")
    async def event_published(self, info: Info, types: list[EventType] | None = None) -> AsyncGenerator[Event, None]:
        return await live.events_published(  # type: ignore[return-value]
            caller_of(info), types, too_slow=too_slow_of(info)
        )

    @strawberry.subscription(description="Moves of cards into, within or out of a pipeline, or any pipeline.")
    async def card_moved(self, info: Info, pipeline_id: strawberry.ID | None = None) -> AsyncGenerator[CardMove, None]:
        return await live.cards_moved(  # type: ignore[return-value]
            caller_of(info), pipeline_id, too_slow=too_slow_of(info)
        )


def _filter_of(info: Info) -> Arguments:
    """The filter by wire name, as reads take it."""
    raw = info._raw_info  # noqa: SLF001 - nothing public hands on arguments that are not converted
    field = raw.parent_type.fields[raw.field_name]
    filter: Arguments | None = get_argument_values(
        field, raw.field_nodes[0], info.context.executor.variable_values
    ).get("filter")
    return filter or {}
