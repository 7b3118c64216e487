"""What is told."""

from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry
from graphql.execution.values import get_argument_values
from strawberry.scalars import JSON
from strawberry.types import Info

from core import sandbox_clock, webhooks
from core.cards import HistoryKind, StageOfTheTime
from core.read_models import live
from core.read_models.query_compiler import Arguments
from graphql_api.connections import relation_field
from graphql_api.context import caller_of
from graphql_api.enums import ENV, enum_among, enum_of
from graphql_api.journeys.schema import Journey
from graphql_api.lookahead import selection_under
from graphql_api.messages.schema import Message, MessageFilter
from graphql_api.push.schema import PushMessage
from graphql_api.records import type_of
from graphql_api.sandbox_clock.schema import SandboxClock
from graphql_api.scalars import DateTime
from graphql_api.subscriptions.context import cut_off_of

if TYPE_CHECKING:
    from graphql_api.cards.schema import Card
    from graphql_api.smpp.schema import SmppBind


EventType = enum_of(webhooks.EventType)
CardMoveKind = enum_among(
    HistoryKind,
    "CardMoveKind",
    [kind for kind in HistoryKind if kind not in (HistoryKind.CREATED, HistoryKind.FIELD)],
)


@strawberry.type(
    description="Its data are masked as for a webhook, unless the credential has pii:full."
)
class Event:
    id: strawberry.ID = strawberry.field(description="Names the event")
    type: EventType = strawberry.field(description="What happened")
    created_at: DateTime = strawberry.field(description="When it happened")
    env: ENV = strawberry.field(description="The environment that it happened in")
    data: JSON = strawberry.field(description="What webhooks are told, in the shape of its type")


PassedStage = type_of(StageOfTheTime)


@strawberry.type(description="A move of a card, as it is told.")
class CardMove:
    id: strawberry.ID = strawberry.field(description="Names the move")
    tipo: CardMoveKind = strawberry.field(description="What kind of move it is")
    de: PassedStage | None = strawberry.field(description="The stage that it left")
    para: PassedStage = strawberry.field(description="The stage that it came to")
    em: DateTime = strawberry.field(description="When it moved")
    por_id: strawberry.ID | None = strawberry.field(
        description="The account or the key that moved it"
    )
    por_nome: str | None = strawberry.field(description="What that one is called")
    pipeline_id: strawberry.ID = strawberry.field(description="Where the card is now.")
    card_id: strawberry.ID = strawberry.field(description="The card")
    card: Annotated["Card", strawberry.lazy("graphql_api.cards.schema")] | None = relation_field(
        "card", description="As it is when it is told; null if it is deleted by then"
    )


@strawberry.type(description="A bind that was opened, or has ended.")
class SmppBindChange:
    id: strawberry.ID = strawberry.field(description="Names the bind")
    is_open: bool = strawberry.field(description="Whether it is open when it is told")
    bind: Annotated["SmppBind", strawberry.lazy("graphql_api.smpp.schema")] | None = relation_field(
        "bind", description="As it is when it is told; null once it has ended"
    )


# A refusal is raised before the stream is there: it is one of the operation, not of its first
# event.
async def message_changed(
    info: Info,
    filter: Annotated[
        MessageFilter | None,
        strawberry.argument(description="Which messages are told; unless told, all"),
    ] = None,
) -> AsyncGenerator[Message, None]:
    selection = selection_under(info._raw_info)  # noqa: SLF001 - what graphql-core's own resolvers get
    stream = live.messages_changed(
        caller_of(info), _filter_of(info), selection, cut_off=cut_off_of(info)
    )
    return cast("AsyncGenerator[Message, None]", await stream)


async def event_published(
    info: Info,
    types: Annotated[
        list[EventType] | None,
        strawberry.argument(description="Events of these types; unless told, all"),
    ] = None,
) -> AsyncGenerator[Event, None]:
    stream = live.events_published(caller_of(info), types, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[Event, None]", await stream)


async def card_moved(
    info: Info,
    pipeline_id: Annotated[
        strawberry.ID | None, strawberry.argument(description="The pipeline; left out: any")
    ] = None,
) -> AsyncGenerator[CardMove, None]:
    selection = selection_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.cards_moved(caller_of(info), pipeline_id, selection, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[CardMove, None]", await stream)


async def push_progress(
    info: Info,
    id: Annotated[strawberry.ID, strawberry.argument(description="The dispatch")],
) -> AsyncGenerator[PushMessage, None]:
    selection = selection_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.push_progress(caller_of(info), id, selection, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[PushMessage, None]", await stream)


async def journey_progress(
    info: Info,
    id: Annotated[strawberry.ID, strawberry.argument(description="The journey")],
) -> AsyncGenerator[Journey, None]:
    selection = selection_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.journey_progress(caller_of(info), id, selection, cut_off=cut_off_of(info))
    return cast("AsyncGenerator[Journey, None]", await stream)


async def sandbox_clock_changed(info: Info) -> AsyncGenerator[SandboxClock, None]:
    stream = sandbox_clock.follow_clock(caller_of(info), cut_off=cut_off_of(info))
    return cast("AsyncGenerator[SandboxClock, None]", await stream)


async def smpp_bind_changed(
    info: Info,
    account_id: Annotated[
        strawberry.ID | None, strawberry.argument(description="The account; left out: any")
    ] = None,
) -> AsyncGenerator[SmppBindChange, None]:
    selection = selection_under(info._raw_info)  # noqa: SLF001 - the same
    stream = live.smpp_binds_changed(
        caller_of(info), account_id, selection, cut_off=cut_off_of(info)
    )
    return cast("AsyncGenerator[SmppBindChange, None]", await stream)


def _told(resolver: Callable[..., Any], description: str) -> Any:
    return strawberry.field(resolver=resolver, is_subscription=True, description=description)


@strawberry.type
class Subscription:
    message_changed = _told(
        message_changed,
        "Messages that are new or have another status, each as it is when it is told. Changes "
        "that come quickly one "
        "after the other are told once.",
    )
    event_published = _told(
        event_published,
        ("What webhooks are told, without a webhook: events of these types, or all."),
    )
    push_progress = _told(
        push_progress,
        "A dispatch whenever it got further: devices accepted, failed and opened, its start and "
        "its end.",
    )
    journey_progress = _told(
        journey_progress,
        "A journey whenever contacts entered, went on or left, when its messages got further, their links "
        "were opened or an event followed them, and when its status changed: its figures as they are when "
        "it is told, at most once a second.",
    )
    smpp_bind_changed = _told(
        smpp_bind_changed,
        "Binds of an account, or of any, that are opened and that end; in a session only.",
    )
    card_moved = _told(
        card_moved, "Moves of cards into, within or out of a pipeline, or any pipeline."
    )
    sandbox_clock_changed = _told(
        sandbox_clock_changed,
        "The clock of the sandbox whenever it was set, or has come further on its way; steps that come "
        "quickly one after the other are told once. In the test environment only.",
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
