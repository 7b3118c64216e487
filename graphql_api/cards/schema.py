"""Cards, and what is kept of each: what is to be done, what happened, its files."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import cards
from core.cards import files
from core.read_models.cards import CARD
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.enums import enum_of, order_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Days
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.companies.schema import Company
    from graphql_api.contacts.schema import Contact
    from graphql_api.messages.schema import Message
    from graphql_api.pipelines.schema import LostReason, Pipeline, Stage


CardOrder = order_enum("CardOrder", CARD)


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class CardFilter:
    pipeline_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Cards on this pipeline"
    )
    etapa_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Cards in this stage"
    )
    status: enum_of(cards.CardStatus) | None = strawberry.field(
        default=UNSET, description="Open, won or lost deals"
    )
    responsavel_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Those that this account is responsible for"
    )
    company_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Deals with this company"
    )
    contato_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="On the card in any part"
    )
    external_id: str | None = strawberry.field(
        default=UNSET, description="The whole id in your own system"
    )
    valor_min: float | None = strawberry.field(
        default=UNSET, description="Worth at least this much, in whichever currency"
    )
    valor_max: float | None = strawberry.field(
        default=UNSET, description="Worth at most this much, in whichever currency"
    )
    data_prevista: Days | None = strawberry.field(
        default=UNSET, description="When the deal is expected to be won"
    )
    atrasado: bool | None = strawberry.field(
        default=UNSET, description="Longer in their stage than it allows"
    )
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the title, in any case, with or without accents"
    )


@strawberry.input(description="Conditions that all hold.")
class ActivityFilter:
    concluida: bool | None = strawberry.field(default=UNSET, description="Done ones, or open ones")
    tipo: enum_of(cards.ActivityKind) | None = strawberry.field(
        default=UNSET, description="Activities of this kind"
    )


@strawberry.input(description="Only lines of this kind.")
class CardHistoryFilter:
    tipo: enum_of(cards.HistoryKind) | None = strawberry.field(
        default=UNSET, description="Lines of this kind"
    )


@record_type(cards.CardPersonRecord)
class CardPerson:
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contato", description="The contact")
    )


@record_type(cards.ActivityRecord)
class Activity(Node):
    responsavel: Account | None = relation_field(
        "responsavel", description="The account that is responsible"
    )
    created_by: Account | None = relation_field("createdBy", description="Who noted it")
    card: Annotated["Card", strawberry.lazy("graphql_api.cards.schema")] | None = relation_field(
        "card", description="The card that it is kept of"
    )
    message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("message", description="The message that it is about")
    )


@record_type(cards.HistoryRecord)
class CardHistoryEntry(Node):
    por: Account | None = relation_field("por", description="The person who did it")
    motivo_perda: (
        Annotated["LostReason", strawberry.lazy("graphql_api.pipelines.schema")] | None
    ) = relation_field("motivoPerda", description="The reason why the deal was lost")


@record_type(files.CardFileRecord)
class CardFile(Node):
    card: Annotated["Card", strawberry.lazy("graphql_api.cards.schema")] | None = relation_field(
        "card", description="The card that it is kept of"
    )
    created_by: Account | None = relation_field("createdBy", description="Who sent it")
    url: str | None = relation_field(
        "url", description="Opens the file for an hour, without a credential"
    )


@record_type(cards.CardRecord)
class Card(Node):
    contatos: list[CardPerson] = relation_field(
        "contatos", description="Who else is on it, in their order"
    )
    pipeline: Annotated["Pipeline", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("pipeline", description="The pipeline that it is on")
    )
    etapa: Annotated["Stage", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("etapa", description="The stage that it is in")
    )
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.schema")] | None = (
        relation_field("company", description="The company that the deal is made with")
    )
    contato: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contato", description="Whom it is about")
    )
    responsavel: Account | None = relation_field(
        "responsavel", description="The account that is responsible"
    )
    motivo_perda: (
        Annotated["LostReason", strawberry.lazy("graphql_api.pipelines.schema")] | None
    ) = relation_field("motivoPerda", description="The reason why the deal was lost")
    fechado_por: Account | None = relation_field("fechadoPor", description="Who closed it")
    origem_message: Annotated["Message", strawberry.lazy("graphql_api.messages.schema")] | None = (
        relation_field("origemMessage", description="The message that it came of")
    )
    created_by: Account | None = relation_field("createdBy", description="Who opened it")
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
