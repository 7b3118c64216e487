"""Contacts at the root."""

import strawberry

from core.dashboards.contacts import CONTACT
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.contacts.inputs import ContactFilter, ContactOrder
from graphql_api.contacts.types import Contact


@strawberry.type
class ContactQueries:
    contact: Contact | None = reads_one(CONTACT)
    contacts: Connection[Contact] | None = reads_page(
        CONTACT,
        filter=ContactFilter,
        order=ContactOrder,
        description="Newest first unless told otherwise",
    )
