"""What can be asked of lists of cards, and of what is kept of each."""

from typing import get_args

import strawberry
from strawberry import UNSET

from core.cards import CardStatus as Status
from core.cards.activities.inputs import ActivityKind as DoneKind
from core.cards.history import HistoryKind
from core.dashboards.cards import CARD
from graphql_api.enums import order_enum, wire_enum
from graphql_api.periods import Days

CardStatus = wire_enum("CardStatus", Status)
CardOrder = order_enum("CardOrder", CARD)
ActivityKind = wire_enum("ActivityKind", get_args(DoneKind))
CardHistoryKind = wire_enum("CardHistoryKind", get_args(HistoryKind))


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class CardFilter:
    pipeline_id: strawberry.ID | None = UNSET
    etapa_id: strawberry.ID | None = UNSET
    status: CardStatus | None = UNSET
    responsavel_id: strawberry.ID | None = UNSET
    company_id: strawberry.ID | None = UNSET
    contato_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="On the card in any part"
    )
    external_id: str | None = UNSET
    valor_min: float | None = UNSET
    valor_max: float | None = UNSET
    data_prevista: Days | None = UNSET
    atrasado: bool | None = strawberry.field(
        default=UNSET, description="Longer in their stage than it allows"
    )
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the title, in any case, with or without accents"
    )


@strawberry.input(description="Conditions that all hold.")
class ActivityFilter:
    concluida: bool | None = UNSET
    tipo: ActivityKind | None = UNSET


@strawberry.input(description="Only lines of this kind.")
class CardHistoryFilter:
    tipo: CardHistoryKind | None = UNSET
