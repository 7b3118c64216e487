"""Cards, and what is kept of each: what is to be done, what happened, its files."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry

from core.cards.inputs import Origin
from graphql_api.accounts.types import Account
from graphql_api.cards.inputs import (
    ActivityFilter,
    ActivityKind,
    CardHistoryFilter,
    CardHistoryKind,
    CardStatus,
)
from graphql_api.connections import Connection, hangs, hangs_page
from graphql_api.enums import wire_enum
from graphql_api.nodes.types import Node
from graphql_api.pipelines.types import LostReason, Pipeline, Stage
from graphql_api.scalars import JSON, BigInt, Date, DateTime
from graphql_api.subscriptions.types import PassedStage

if TYPE_CHECKING:
    from graphql_api.companies.types import Company
    from graphql_api.contacts.types import Contact

CardOrigin = wire_enum("CardOrigin", get_args(Origin))


@strawberry.type(description="A contact on a card, and the part that it plays.")
class CardPerson:
    contato_id: strawberry.ID
    papel: str | None
    principal: bool
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")] | None = hangs(
        "contato"
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
    responsavel: Account | None = hangs("responsavel")


@strawberry.type(
    description="A stay in a stage, which has no `saiuEm` as long as it lasts; or, of the kind CAMPO, a field that "
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
    url: str | None = hangs("url", description="Opens the file for an hour, without a credential")


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
    contatos: list[CardPerson] = hangs("contatos", description="Who else is on it, in their order")
    pipeline: Pipeline | None = hangs("pipeline")
    etapa: Stage | None = hangs("etapa")
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.types")] | None = hangs(
        "company"
    )
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")] | None = hangs(
        "contato", description="Whom it is about"
    )
    responsavel: Account | None = hangs("responsavel")
    motivo_perda: LostReason | None = hangs("motivoPerda")
    atividades: Connection[Activity] | None = hangs_page(
        "atividades",
        filter=ActivityFilter,
        description="Open ones by when they are due, then done ones, the latest first",
    )
    historico: Connection[CardHistoryEntry] | None = hangs_page(
        "historico", filter=CardHistoryFilter, description="The latest first"
    )
    arquivos: Connection[CardFile] | None = hangs_page("arquivos", description="The newest first")
