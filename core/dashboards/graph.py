"""What hangs on what: every edge between kinds of records, in one place."""

from core.dashboards.companies import COMPANY
from core.dashboards.contacts import CONTACT
from core.dashboards.messages import MESSAGE
from core.dashboards.reading import Many, One

CONTACT.edges |= {
    "company": One(COMPANY, "id = {p}.company_id"),
    "messages": Many(MESSAGE, "contact_id = {p}.id"),
    "lastMessage": One(
        MESSAGE,
        "id = (SELECT l.id FROM messages l WHERE l.organization_id = $1 AND l.env = $2 AND l.contact_id = {p}.id "
        "ORDER BY l.created_at DESC, l.id DESC LIMIT 1)",
    ),
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
