"""Lists of contacts."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import Connection, hangs_page
from graphql_api.nodes.types import Node
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.types import Contact


@strawberry.type(description="A list of contacts that somebody put there.")
class ContactList(Node):
    name: str
    description: str | None
    size: int
    created_at: DateTime
    updated_at: DateTime
    contacts: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")]] | None
    ) = hangs_page("contacts", description="Who is on the list, the newest contact first")
