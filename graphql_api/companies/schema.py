"""Companies."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.read_models.companies import COMPANY
from graphql_api.accounts.schema import Account
from graphql_api.cards.schema import CardFilter, CardOrder
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.enums import order_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.cards.schema import Card
    from graphql_api.contacts.schema import Contact
    from graphql_api.messages.schema import Message


CompanyOrder = order_enum("CompanyOrder", COMPANY)


@strawberry.input(description="Conditions that all hold.")
class CompanyFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A CNPJ, or a part of the name in any spelling"
    )
    responsavel_id: strawberry.ID | None = UNSET
    segmento: str | None = UNSET
    created_at: Period | None = UNSET


@strawberry.type(
    description="What is counted of a company's contacts and deals; values whatever their currency."
)
class Contagens:
    contatos: int
    negocios_abertos: int
    valor_aberto: float
    negocios_ganhos: int
    valor_ganho: float
    ultima_interacao: DateTime | None


@strawberry.type(description="A company.")
class Company(Node):
    organization_id: strawberry.ID
    nome: str
    cnpj: str | None
    segmento: str | None
    site: str | None
    endereco: str | None
    responsavel_id: strawberry.ID | None
    contato_principal_id: strawberry.ID | None
    atributos: JSON
    contagens: Contagens
    created_by_id: strawberry.ID
    created_at: DateTime
    updated_at: DateTime
    contatos: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contatos")
    contato_principal: (
        Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None
    ) = relation_field("contatoPrincipal")
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Of all its contacts, newest first")
    responsavel: Account | None = relation_field("responsavel")
    cards: Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.schema")]] | None = (
        relation_connection(
            "cards",
            filter=CardFilter,
            order=CardOrder,
            description="Newest first unless told otherwise",
        )
    )


@strawberry.type
class CompanyQueries:
    company: Company | None = node_field(COMPANY)
    companies: Connection[Company] | None = connection_field(
        COMPANY,
        filter=CompanyFilter,
        order=CompanyOrder,
        description="By name unless told otherwise",
    )
