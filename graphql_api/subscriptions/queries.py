"""What can be subscribed to."""

from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

import strawberry
from graphql.execution.values import get_argument_values
from strawberry.types import Info

from core.dashboards import live
from core.dashboards.reading import Arguments
from graphql_api.context import caller_of
from graphql_api.lookahead import asked_under
from graphql_api.messages.inputs import MessageFilter
from graphql_api.messages.types import Message
from graphql_api.push.types import PushMessage
from graphql_api.subscriptions.context import cut_off_of
from graphql_api.subscriptions.enums import EventType
from graphql_api.subscriptions.types import CardMove, Event


# A refusal is raised before the stream is there: it is one of the operation, not of its first
# event.
async def message_changed(
    info: Info,
    filter: MessageFilter | None = None,
) -> AsyncGenerator[Message, None]:
    asked = asked_under(info._raw_info)  # noqa: SLF001 - what graphql-core's own resolvers get
    stream = live.messages_changed(
        caller_of(info), _filter_of(info), asked, cut_off=cut_off_of(info)
    )
    return cast("AsyncGenerator[Message, None]", await stream)


async def event_published(
    info: Info, types: list[EventType] | None = None
) -> AsyncGenerator[Event, None]:
    stream = live.events_published(caller_of(info), types, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[Event, None]", await stream)


async def card_moved(
    info: Info, pipeline_id: strawberry.ID | None = None
) -> AsyncGenerator[CardMove, None]:
    asked = asked_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.cards_moved(caller_of(info), pipeline_id, asked, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[CardMove, None]", await stream)


async def push_progress(info: Info, id: strawberry.ID) -> AsyncGenerator[PushMessage, None]:
    asked = asked_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.push_progress(caller_of(info), id, asked, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[PushMessage, None]", await stream)


def _told(resolver: Callable[..., Any], description: str) -> Any:
    return strawberry.field(resolver=resolver, is_subscription=True, description=description)


@strawberry.type
class Subscription:
    message_changed = _told(
        message_changed,
        "Messages that are new or have another status, each as it is when it is told. Changes that come quickly one "
        "after the other are told once.",
    )
    event_published = _told(
        event_published, "What webhooks are told, without a webhook: events of these types, or all."
    )
    push_progress = _told(
        push_progress,
        "A dispatch whenever it got further: devices accepted, failed and opened, its start and its end.",
    )
    card_moved = _told(
        card_moved, "Moves of cards into, within or out of a pipeline, or any pipeline."
    )


def _filter_of(info: Info) -> Arguments:
    """The filter by wire name."""
    raw = info._raw_info  # noqa: SLF001 - nothing public hands on arguments that are not converted
    field = raw.parent_type.fields[raw.field_name]
    variables = info.context.executor.variable_values
    filter: Arguments | None = get_argument_values(field, raw.field_nodes[0], variables).get(
        "filter"
    )
    return filter or {}
