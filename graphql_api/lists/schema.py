"""Lists of contacts."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.lists import ListRecord
from core.read_models.lists import LIST
from graphql_api.connections import Connection, connection_field, node_field, relation_connection
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact


@strawberry.input(description="Conditions that all hold.")
class ContactListFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )


@record_type(ListRecord)
class ContactList(Node):
    contacts: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contacts", description="Who is on the list, the newest contact first")


@strawberry.type
class ListQueries:
    list: ContactList | None = node_field(LIST)
    lists: Connection[ContactList] | None = connection_field(
        LIST, filter=ContactListFilter, description="Newest first"
    )
