"""What hangs on what: every edge between kinds of records, in one place."""

from core.dashboards.companies import COMPANY
from core.dashboards.contacts import CONTACT
from core.dashboards.customer_events import CUSTOMER_EVENT
from core.dashboards.lists import LIST
from core.dashboards.messages import MESSAGE
from core.dashboards.reading import All, Entity, Loaded, Many, One
from core.dashboards.segments import SEGMENT, contacts_of_segments
from core.dashboards.webhooks import WEBHOOK

CONTACT.edges |= {
    "company": One(COMPANY, "id = {p}.company_id"),
    "messages": Many(MESSAGE, "contact_id = {p}.id"),
    "lastMessage": One(
        MESSAGE,
        "id = (SELECT l.id FROM messages l WHERE l.organization_id = $1 AND l.env = $2 AND l.contact_id = {p}.id "
        "ORDER BY l.created_at DESC, l.id DESC LIMIT 1)",
    ),
    "lists": All(LIST, "id IN (SELECT m.list_id FROM contact_list_members m WHERE m.contact_id = {p}.id)"),
    "customerEvents": Many(CUSTOMER_EVENT, "contact_id = {p}.id"),
}

COMPANY.edges |= {
    "contatos": Many(CONTACT, "company_id = {p}.id"),
    "contatoPrincipal": One(CONTACT, "id = {p}.main_contact_id"),
    "messages": Many(
        MESSAGE,
        "contact_id IN (SELECT w.id FROM contacts w "
        "WHERE w.organization_id = $1 AND w.env = $2 AND w.company_id = {p}.id)",
    ),
}

MESSAGE.edges |= {
    "contact": One(CONTACT, "id = {p}.contact_id"),
}

LIST.edges |= {
    "contacts": Many(CONTACT, "id IN (SELECT m.contact_id FROM contact_list_members m WHERE m.list_id = {p}.id)"),
}

SEGMENT.edges |= {
    "contacts": Loaded(contacts_of_segments),
}

CUSTOMER_EVENT.edges |= {
    "contact": One(CONTACT, "id = {p}.contact_id"),
    "attributedMessage": One(MESSAGE, "id = ({p}.attribution ->> 'messageId')"),
}

KINDS: dict[str, Entity] = {
    entity.prefix: entity for entity in (CONTACT, COMPANY, MESSAGE, LIST, SEGMENT, WEBHOOK, CUSTOMER_EVENT)
}
"""Every kind of record, by the prefix of its ids."""
