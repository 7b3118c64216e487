"""Companies."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.accounts.types import Account
from graphql_api.cards.inputs import CardFilter, CardOrder
from graphql_api.connections import Connection, hangs, hangs_page
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.cards.types import Card
    from graphql_api.contacts.types import Contact
    from graphql_api.messages.types import Message


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
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")]] | None
    ) = hangs_page("contatos")
    contato_principal: (
        Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")] | None
    ) = hangs("contatoPrincipal")
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.types")]] | None
    ) = hangs_page("messages", description="Of all its contacts, newest first")
    responsavel: Account | None = hangs("responsavel")
    cards: Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.types")]] | None = (
        hangs_page(
            "cards",
            filter=CardFilter,
            order=CardOrder,
            description="Newest first unless told otherwise",
        )
    )
