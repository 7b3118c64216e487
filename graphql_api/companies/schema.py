"""Companies."""

from typing import TYPE_CHECKING, Annotated, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import companies
from core.companies import CompanyDetails
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
from graphql_api.context import caller_of
from graphql_api.enums import order_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.records import record_type, type_of

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
    responsavel_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="Those that this account is responsible for"
    )
    segmento: str | None = strawberry.field(
        default=UNSET, description="The whole name of the sector"
    )
    created_at: Period | None = strawberry.field(default=UNSET, description="When it was created")


@record_type(CompanyDetails)
class Company(Node):
    contatos: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contatos", description="Who belongs to it, the newest contact first")
    contato_principal: (
        Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None
    ) = relation_field("contatoPrincipal", description="The contact to speak to first")
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Of all its contacts, newest first")
    responsavel: Account | None = relation_field(
        "responsavel", description="The account that is responsible for it"
    )
    created_by: Account | None = relation_field("createdBy", description="Who registered it")
    cards: Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.schema")]] | None = (
        relation_connection(
            "cards",
            filter=CardFilter,
            order=CardOrder,
            description="Newest first unless told otherwise",
        )
    )


CompanyAttributes = type_of(companies.CompanyAttributes)


async def _attributes(info: Info) -> CompanyAttributes | None:
    return cast("CompanyAttributes", await companies.list_definitions(caller_of(info)))


@strawberry.type
class CompanyQueries:
    company_attributes: CompanyAttributes | None = strawberry.field(
        resolver=_attributes,
        description="What the values under keys of companies' attributes have to be",
    )
    company: Company | None = node_field(COMPANY)
    companies: Connection[Company] | None = connection_field(
        COMPANY,
        filter=CompanyFilter,
        order=CompanyOrder,
        description="By name unless told otherwise",
    )
