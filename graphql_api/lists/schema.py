"""Lists of contacts."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.read_models.lists import LIST
from graphql_api.connections import Connection, connection_field, node_field, relation_connection
from graphql_api.nodes.schema import Node
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact


@strawberry.input(description="Conditions that all hold.")
class ContactListFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )


@strawberry.type(description="A list of contacts that somebody put there.")
class ContactList(Node):
    name: str
    description: str | None
    size: int
    created_at: DateTime
    updated_at: DateTime
    contacts: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contacts", description="Who is on the list, the newest contact first")


@strawberry.type
class ListQueries:
    list: ContactList | None = node_field(LIST)
    lists: Connection[ContactList] | None = connection_field(
        LIST, filter=ContactListFilter, description="Newest first"
    )
