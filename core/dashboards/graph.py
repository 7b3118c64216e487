"""What hangs on what: every edge between kinds of records, in one place."""

from core.cards.conditions import OF_CONTACT
from core.dashboards.accounts import ACCOUNT
from core.dashboards.card_records import ACTIVITY, CARD_FILE, HISTORY, OPENED_BY, urls_of
from core.dashboards.cards import CARD, PERSON
from core.dashboards.companies import COMPANY
from core.dashboards.contacts import CONTACT, hang_opt_outs
from core.dashboards.customer_events import CUSTOMER_EVENT
from core.dashboards.flows import FLOW
from core.dashboards.journeys import JOURNEY
from core.dashboards.lists import LIST, contacts_of_lists
from core.dashboards.messages import MESSAGE
from core.dashboards.numbers import NUMBER
from core.dashboards.pipelines import (
    BY_POSITION,
    LOST_REASON,
    OWN_REASON,
    OWN_STAGE,
    PIPELINE,
    STAGE,
)
from core.dashboards.pushes import PUSH
from core.dashboards.reading import NEWEST, All, Entity, Loaded, Many, One
from core.dashboards.segments import SEGMENT, contacts_of_segments
from core.dashboards.templates import TEMPLATE
from core.dashboards.timeline import hang_timelines
from core.dashboards.webhooks import AS_MADE, ATTEMPT, DELIVERY, WEBHOOK, load_requests
from core.foundation.security.caller import Scope
from core.webhooks.delivery.deliveries import SHOWN_ATTEMPTS

CONTACT.edges |= {
    "timeline": Loaded(hang_timelines),
    "optOuts": Loaded(hang_opt_outs),
    "company": One(COMPANY, "id = {p}.company_id"),
    "messages": Many(MESSAGE, "contact_id = {p}.id"),
    "lastMessage": One(MESSAGE, "contact_id = {p}.id", NEWEST),
    "lists": All(
        LIST, "id IN (SELECT m.list_id FROM contact_list_members m WHERE m.contact_id = {p}.id)"
    ),
    "customerEvents": Many(CUSTOMER_EVENT, "contact_id = {p}.id"),
    "cards": Many(CARD, OF_CONTACT.format("{p}.id")),
}

COMPANY.edges |= {
    "contatos": Many(CONTACT, "company_id = {p}.id"),
    "contatoPrincipal": One(CONTACT, "id = {p}.main_contact_id"),
    "responsavel": One(ACCOUNT, "id = {p}.owner_id"),
    "cards": Many(CARD, "company_id = {p}.id"),
    "messages": Many(
        MESSAGE,
        "contact_id IN (SELECT w.id FROM contacts w "
        "WHERE w.organization_id = $1 AND w.env = $2 AND w.company_id = {p}.id)",
        scope=Scope.CONTACTS_READ,  # it says where the contacts of the messages work
    ),
}

MESSAGE.edges |= {
    "contact": One(CONTACT, "id = {p}.contact_id"),
    "number": One(NUMBER, "id = {p}.number_id"),
    "template": One(TEMPLATE, "id = {p}.template_id"),
}

TEMPLATE.edges |= {
    "number": One(NUMBER, "id = {p}.number_id"),
}

FLOW.edges |= {
    "number": One(NUMBER, "id = {p}.number_id"),
}

NUMBER.edges |= {
    "messages": Many(MESSAGE, "number_id = {p}.id", scope=Scope.MESSAGES_READ),
}

LIST.edges |= {
    "contacts": Loaded(contacts_of_lists),
}

SEGMENT.edges |= {
    "contacts": Loaded(contacts_of_segments),
}

CUSTOMER_EVENT.edges |= {
    "contact": One(CONTACT, "id = {p}.contact_id"),
    "attributedMessage": One(MESSAGE, "id = ({p}.attribution ->> 'messageId')"),
}

PIPELINE.edges |= {
    "etapas": All(OWN_STAGE, "pipeline_id = {p}.id", BY_POSITION),
    "motivos": All(OWN_REASON, "pipeline_id = {p}.id", BY_POSITION, most=1_000),
    "cards": Many(CARD, "pipeline_id = {p}.id"),
}

STAGE.edges |= {
    "pipeline": One(PIPELINE, "id = {p}.pipeline_id"),
    "cards": Many(CARD, "stage_id = {p}.id", order="ordem"),
}

CARD.edges |= {
    "pipeline": One(PIPELINE, "id = {p}.pipeline_id"),
    "etapa": One(STAGE, "id = {p}.stage_id"),
    "company": One(COMPANY, "id = {p}.company_id"),
    "contato": One(CONTACT, "id = {p}.contact_id"),
    "contatos": All(PERSON, "card_id = {p}.id", BY_POSITION),
    "responsavel": One(ACCOUNT, "id = {p}.owner_id"),
    "motivoPerda": One(LOST_REASON, "id = {p}.lost_reason_id"),
    "atividades": Many(ACTIVITY, "card_id = {p}.id"),
    "historico": Many(HISTORY, "card_id = {p}.id"),
    "arquivos": Many(CARD_FILE, "card_id = {p}.id"),
}

PERSON.edges |= {
    "contato": One(CONTACT, "id = {p}.contact_id"),
}

ACTIVITY.edges |= {
    "responsavel": One(ACCOUNT, "id = {p}.owner_id"),
}

CARD_FILE.edges |= {
    "url": Loaded(urls_of, OPENED_BY),
}

WEBHOOK.edges |= {
    "deliveries": Many(DELIVERY, "subscription_id = {p}.id"),
}

DELIVERY.edges |= {
    "webhook": One(WEBHOOK, "id = {p}.subscription_id"),
    "request": Loaded(load_requests),
    "attemptLog": All(ATTEMPT, f"id IN ({SHOWN_ATTEMPTS.format(delivery='{p}.id')})", AS_MADE),
}

KINDS: dict[str, Entity] = {
    entity.prefix: entity
    for entity in (
        CONTACT,
        COMPANY,
        MESSAGE,
        PUSH,
        NUMBER,
        TEMPLATE,
        FLOW,
        LIST,
        SEGMENT,
        JOURNEY,
        WEBHOOK,
        DELIVERY,
        CUSTOMER_EVENT,
        ACCOUNT,
        PIPELINE,
        STAGE,
        LOST_REASON,
        CARD,
        ACTIVITY,
        HISTORY,
        CARD_FILE,
    )
}
"""Every kind of record, by the prefix of its ids."""
