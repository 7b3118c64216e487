"""Pipelines, their stages and their reasons for losing."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry

from core.pipelines import Outcome
from core.pipelines.inputs import PipelineKind as Kind
from graphql_api.cards.inputs import CardFilter, CardOrder
from graphql_api.connections import Connection, hangs, hangs_page
from graphql_api.enums import wire_enum
from graphql_api.nodes.types import Node
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.cards.types import Card

PipelineKind = wire_enum("PipelineKind", get_args(Kind))
StageOutcome = wire_enum("StageOutcome", Outcome)

Cards = Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.types")]]


@strawberry.type(description="What deals are worth in one currency.")
class DealValue:
    moeda: str
    valor: float


@strawberry.type(
    description="A column of the board. Deals in one with the outcome GANHO are won, with PERDA lost."
)
class Stage(Node):
    pipeline_id: strawberry.ID
    nome: str
    posicao: int
    resultado: StageOutcome
    probabilidade: int | None
    tempo_maximo_dias: int | None
    campos_obrigatorios: list[str]
    cor: str | None
    quantidade: int | None = strawberry.field(description="How many cards lie in it now")
    atrasados: int | None = strawberry.field(
        description="How many of them have been in it for longer than it allows"
    )
    valor_total: float | None = strawberry.field(
        description="What they are worth, those in the pipeline's currency"
    )
    valores: list[DealValue] | None = strawberry.field(
        description="What they are worth by currency, never added up"
    )
    cards: Cards | None = hangs_page(
        "cards",
        filter=CardFilter,
        order=CardOrder,
        description="By their place in it unless told otherwise",
    )
    pipeline: Annotated["Pipeline", strawberry.lazy("graphql_api.pipelines.types")] | None = hangs(
        "pipeline"
    )


@strawberry.type(description="Why deals are lost. An inactive one cannot be given any more.")
class LostReason(Node):
    texto: str
    ativo: bool
    exige_observacao: bool


@strawberry.type(
    description="A way that deals go, stage by stage. `versao` counts its changes and those of its parts."
)
class Pipeline(Node):
    organization_id: strawberry.ID
    nome: str
    tipo: PipelineKind
    descricao: str | None
    moeda: str
    posicao: int
    arquivado: bool
    versao: int
    created_by_id: strawberry.ID
    created_at: DateTime
    updated_at: DateTime
    etapas: list[Stage] = hangs("etapas", description="In their order")
    motivos: list[LostReason] = hangs("motivos", description="In their order")
    cards: Cards | None = hangs_page(
        "cards",
        filter=CardFilter,
        order=CardOrder,
        description="Of all its stages, newest first unless told otherwise",
    )
