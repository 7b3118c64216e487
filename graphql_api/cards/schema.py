"""Cards, and what is kept of each: what is to be done, what happened, its files."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry
from strawberry import UNSET

from core.cards import CardStatus as Status
from core.cards.activities.inputs import ActivityKind as DoneKind
from core.cards.history import HistoryKind
from core.cards.inputs import Origin
from core.read_models.cards import CARD
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.enums import order_enum, wire_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Days
from graphql_api.scalars import JSON, BigInt, Date, DateTime
from graphql_api.subscriptions.schema import PassedStage

if TYPE_CHECKING:
    from graphql_api.companies.schema import Company
    from graphql_api.contacts.schema import Contact
    from graphql_api.pipelines.schema import LostReason, Pipeline, Stage


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


CardOrigin = wire_enum("CardOrigin", get_args(Origin))


@strawberry.type(description="A contact on a card, and the part that it plays.")
class CardPerson:
    contato_id: strawberry.ID
    papel: str | None
    principal: bool
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contato")
    )


@strawberry.type(description="The open activity of a card that is due first.")
class NextActivity:
    id: strawberry.ID
    tipo: ActivityKind
    titulo: str | None
    vence_em: DateTime


@strawberry.type(description="Something done, or to be done, about a deal.")
class Activity(Node):
    card_id: strawberry.ID
    tipo: ActivityKind
    titulo: str | None
    texto: str | None
    vence_em: DateTime | None
    concluida_em: DateTime | None
    responsavel_id: strawberry.ID | None
    message_id: strawberry.ID | None
    created_by_id: strawberry.ID
    created_at: DateTime
    updated_at: DateTime
    responsavel: Account | None = relation_field("responsavel")


@strawberry.type(
    description="A stay in a stage, which has no `saiuEm` as long as it lasts; or, of the kind "
    "CAMPO, a field that "
    "changed."
)
class CardHistoryEntry(Node):
    tipo: CardHistoryKind
    de: PassedStage | None
    para: PassedStage | None
    campo: str | None
    entrou_em: DateTime | None
    saiu_em: DateTime | None
    duracao_segundos: BigInt | None
    motivo_perda_id: strawberry.ID | None
    por_id: strawberry.ID | None
    por_nome: str | None
    em: DateTime


@strawberry.type(
    description="A file of a card. `mimeType` is read from its bytes; `tamanho` is in bytes."
)
class CardFile(Node):
    card_id: strawberry.ID
    nome: str
    mime_type: str
    tamanho: BigInt
    sha256: str
    created_by_id: strawberry.ID
    created_at: DateTime
    url: str | None = relation_field(
        "url", description="Opens the file for an hour, without a credential"
    )


@strawberry.type(description="A deal. `status` is that of its stage; `versao` counts its changes.")
class Card(Node):
    organization_id: strawberry.ID
    pipeline_id: strawberry.ID
    etapa_id: strawberry.ID
    titulo: str
    status: CardStatus
    ordem: str = strawberry.field(
        description="Its place in the stage; compared as bytes, and otherwise opaque"
    )
    versao: int
    valor: float | None = strawberry.field(description="In units of `moeda`")
    moeda: str
    data_prevista: Date | None
    probabilidade: int | None = strawberry.field(description="Its own, or the stage's")
    etapa_desde: DateTime
    dias_na_etapa: int
    atrasado: bool = strawberry.field(description="Longer in the stage than it allows")
    proxima_atividade: NextActivity | None
    ganho_em: DateTime | None
    perdido_em: DateTime | None
    fechado_por_id: strawberry.ID | None
    contato_id: strawberry.ID | None
    company_id: strawberry.ID | None
    responsavel_id: strawberry.ID | None
    motivo_perda_id: strawberry.ID | None
    observacao_perda: str | None
    atributos: JSON
    tags: list[str]
    origem: CardOrigin
    origem_message_id: strawberry.ID | None
    external_id: str | None
    created_by_id: strawberry.ID
    created_at: DateTime
    updated_at: DateTime
    contatos: list[CardPerson] = relation_field(
        "contatos", description="Who else is on it, in their order"
    )
    pipeline: Annotated["Pipeline", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("pipeline")
    )
    etapa: Annotated["Stage", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("etapa")
    )
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.schema")] | None = (
        relation_field("company")
    )
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contato", description="Whom it is about")
    )
    responsavel: Account | None = relation_field("responsavel")
    motivo_perda: (
        Annotated["LostReason", strawberry.lazy("graphql_api.pipelines.schema")] | None
    ) = relation_field("motivoPerda")
    atividades: Connection[Activity] | None = relation_connection(
        "atividades",
        filter=ActivityFilter,
        description="Open ones by when they are due, then done ones, the latest first",
    )
    historico: Connection[CardHistoryEntry] | None = relation_connection(
        "historico", filter=CardHistoryFilter, description="The latest first"
    )
    arquivos: Connection[CardFile] | None = relation_connection(
        "arquivos", description="The newest first"
    )


@strawberry.type
class CardQueries:
    card: Card | None = node_field(CARD)
    cards: Connection[Card] | None = connection_field(
        CARD, filter=CardFilter, order=CardOrder, description="Newest first unless told otherwise"
    )
