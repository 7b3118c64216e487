"""Lists at the root."""

import strawberry

from core.dashboards.lists import LIST
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.lists.inputs import ContactListFilter
from graphql_api.lists.types import ContactList


@strawberry.type
class ListQueries:
    list: ContactList | None = reads_one(LIST)
    lists: Connection[ContactList] | None = reads_page(
        LIST, filter=ContactListFilter, description="Newest first"
    )
