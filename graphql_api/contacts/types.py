"""Contacts."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from core.contacts import CompanyRole, OptInStatus, Source
from graphql_api.cards.inputs import CardFilter, CardOrder
from graphql_api.connections import Connection, hangs, hangs_page
from graphql_api.customer_events.inputs import CustomerEventFilter
from graphql_api.enums import wire_enum
from graphql_api.messages.inputs import MessageFilter
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime
from graphql_api.timeline.enums import ConsentChannel
from graphql_api.timeline.inputs import TimelineFilter

if TYPE_CHECKING:
    from graphql_api.cards.types import Card
    from graphql_api.companies.types import Company
    from graphql_api.customer_events.types import CustomerEvent
    from graphql_api.lists.types import ContactList
    from graphql_api.messages.types import Message
    from graphql_api.timeline.types import TimelineEntry

ContactOptIn = wire_enum("OptInStatus", OptInStatus)
ContactSource = wire_enum("ContactSource", Source)
PapelNaEmpresa = wire_enum("PapelNaEmpresa", CompanyRole)


@strawberry.type(description="What a contact consented to, and how that is known.")
class OptIn:
    status: ContactOptIn
    source: str | None
    at: DateTime | None
    ip: str | None
    user_agent: str | None
    revoked_at: DateTime | None
    revoked_reason: str | None


@strawberry.type(description="Documents of a contact, always masked.")
class Documentos:
    cpf: str | None
    cnpj: str | None
    nascimento: str | None


@strawberry.type(description="A channel that a contact closed, or all of them.")
class ContactOptOut:
    canal: ConsentChannel
    em: DateTime
    motivo: str | None
    origem: str | None = strawberry.field(description="Where it was asked for")


@strawberry.type(description="A person. Phones are masked unless the credential has pii:full.")
class Contact(Node):
    organization_id: strawberry.ID
    phone: str
    phone_hash: str = strawberry.field(description="Equal for equal phones of the organization")
    name: str | None
    email: str | None
    avatar_url: str | None
    whatsapp_profile_name: str | None
    cpf_cipher: str | None
    cnpj_cipher: str | None
    birth_date_cipher: str | None
    documentos: Documentos | None
    attributes: JSON
    debtor_groups: JSON | None
    tags: list[str]
    opt_in: OptIn
    source: ContactSource
    external_id: str | None
    external_ids: JSON | None
    company_id: strawberry.ID | None
    papel_na_empresa: PapelNaEmpresa | None
    last_interaction_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime
    opt_outs: list[ContactOptOut] | None = hangs(
        "optOuts", description="The channels that it closed, oldest first"
    )
    company: Annotated["Company", strawberry.lazy("graphql_api.companies.types")] | None = hangs(
        "company"
    )
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.types")]] | None
    ) = hangs_page("messages", filter=MessageFilter, description="Newest first")
    last_message: Annotated["Message", strawberry.lazy("graphql_api.messages.types")] | None = (
        hangs("lastMessage")
    )
    lists: list[Annotated["ContactList", strawberry.lazy("graphql_api.lists.types")]] | None = (
        hangs("lists", description="The newest first, at most 100")
    )
    customer_events: (
        Connection[Annotated["CustomerEvent", strawberry.lazy("graphql_api.customer_events.types")]]
        | None
    ) = hangs_page("customerEvents", filter=CustomerEventFilter, description="The latest first")
    timeline: (
        Connection[Annotated["TimelineEntry", strawberry.lazy("graphql_api.timeline.types")]] | None
    ) = hangs_page(
        "timeline",
        filter=TimelineFilter,
        description="Messages, clicks, events, deals on the move and consent, the latest first; warnings name what the "
        "credential may not see",
    )
    cards: Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.types")]] | None = (
        hangs_page(
            "cards",
            filter=CardFilter,
            order=CardOrder,
            description="On which the contact is, in any part; newest first unless told otherwise",
        )
    )
