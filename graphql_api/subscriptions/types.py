"""What is told."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry.scalars import JSON

from graphql_api.connections import hangs
from graphql_api.enums import ENV
from graphql_api.scalars import DateTime
from graphql_api.subscriptions.enums import CardMoveKind, EventType

if TYPE_CHECKING:
    from graphql_api.cards.types import Card


@strawberry.type(
    description="Its data are masked as for a webhook, unless the credential has pii:full."
)
class Event:
    id: strawberry.ID
    type: EventType
    created_at: DateTime
    env: ENV
    data: JSON


@strawberry.type(description="A stage as it was called at the time.")
class PassedStage:
    etapa_id: strawberry.ID
    nome: str


@strawberry.type
class CardMove:
    id: strawberry.ID
    tipo: CardMoveKind
    de: PassedStage | None
    para: PassedStage
    em: DateTime
    por_id: strawberry.ID | None
    por_nome: str | None
    pipeline_id: strawberry.ID = strawberry.field(description="Where the card is now.")
    card_id: strawberry.ID
    card: Annotated["Card", strawberry.lazy("graphql_api.cards.types")] | None = hangs(
        "card", description="As it is when it is told; null if it is deleted by then"
    )
