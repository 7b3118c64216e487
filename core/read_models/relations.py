"""The relations between kinds of records, all in one place."""

from core.cards.conditions import OF_CONTACT
from core.foundation.security.caller import Scope
from core.read_models.accounts import ACCOUNT
from core.read_models.api_keys import API_KEY
from core.read_models.audit import AUDIT_ENTRY
from core.read_models.card_records import ACTIVITY, CARD_FILE, HISTORY, OPENED_BY, urls_of
from core.read_models.cards import CARD, PERSON
from core.read_models.companies import COMPANY
from core.read_models.contact_decisions import load_decisions_of, load_explanations
from core.read_models.contacts import CONTACT, load_opt_outs
from core.read_models.customer_events import CUSTOMER_EVENT
from core.read_models.decisions import load_decisions
from core.read_models.email_senders import EMAIL_SENDER
from core.read_models.email_suppressions import EMAIL_SUPPRESSION
from core.read_models.flows import FLOW
from core.read_models.journey_runs import JOURNEY_RUN, runs_of_journeys
from core.read_models.journeys import JOURNEY
from core.read_models.lists import LIST, contacts_of_lists
from core.read_models.message_batches import MESSAGE_BATCH
from core.read_models.messages import FILE_OF, MESSAGE, media_urls_of
from core.read_models.numbers import NUMBER
from core.read_models.organizations import ORGANIZATION
from core.read_models.pipelines import (
    BY_POSITION,
    LOST_REASON,
    OWN_REASON,
    OWN_STAGE,
    PIPELINE,
    STAGE,
)
from core.read_models.push_apps import PUSH_APP
from core.read_models.push_devices import PUSH_DEVICE
from core.read_models.pushes import PUSH
from core.read_models.query_compiler import NEWEST, BatchLoaded, Entity, ToList, ToOne, ToPage
from core.read_models.quotes import QUOTE
from core.read_models.segments import SEGMENT, contacts_of_segments
from core.read_models.sessions import SESSION
from core.read_models.short_links import AS_WRITTEN, SHORT_LINK
from core.read_models.smpp import (
    MAX_BINDS,
    OPEN_BINDS,
    SMPP_ACCOUNT,
    SMPP_BIND,
    SMPP_DELIVERY,
)
from core.read_models.templates import TEMPLATE
from core.read_models.threads import CONVERSATION, OF_THE_SENDER
from core.read_models.timeline import load_timelines
from core.read_models.wallet import TRANSFER
from core.read_models.webhooks import AS_MADE, ATTEMPT, DELIVERY, WEBHOOK, load_requests
from core.webhooks.delivery.deliveries import SHOWN_ATTEMPTS

OF_THE_CONVERSATION = f"contact_id = {{p}}.contact_id AND {OF_THE_SENDER} = {{p}}.sender_id"

CREATED_BY = ToOne(ACCOUNT, "id = {p}.created_by_id")

CONTACT.relations |= {
    "timeline": BatchLoaded(load_timelines),
    "optOuts": BatchLoaded(load_opt_outs),
    "decisoes": BatchLoaded(load_decisions_of),
    "podeReceber": BatchLoaded(load_explanations),
    "company": ToOne(COMPANY, "id = {p}.company_id"),
    "messages": ToPage(MESSAGE, "contact_id = {p}.id"),
    "lastMessage": ToOne(MESSAGE, "contact_id = {p}.id", NEWEST),
    "lists": ToList(
        LIST,
        "id IN (SELECT m.list_id FROM contact_list_members m "
        "WHERE m.organization_id = $1 AND m.contact_id = {p}.id)",
    ),
    "customerEvents": ToPage(CUSTOMER_EVENT, "contact_id = {p}.id"),
    "cards": ToPage(CARD, OF_CONTACT.format("{p}.id")),
    "journeyRuns": ToPage(JOURNEY_RUN, "contact_id = {p}.id"),
}

JOURNEY.relations |= {
    "runs": BatchLoaded(runs_of_journeys),
}

JOURNEY_RUN.relations |= {
    "journey": ToOne(JOURNEY, "id = {p}.version_id"),
    "contact": ToOne(CONTACT, "id = {p}.contact_id"),
}

COMPANY.relations |= {
    "contatos": ToPage(CONTACT, "company_id = {p}.id"),
    "contatoPrincipal": ToOne(CONTACT, "id = {p}.main_contact_id"),
    "responsavel": ToOne(ACCOUNT, "id = {p}.owner_id"),
    "createdBy": CREATED_BY,
    "cards": ToPage(CARD, "company_id = {p}.id"),
    "messages": ToPage(
        MESSAGE,
        "contact_id IN (SELECT w.id FROM contacts w "
        "WHERE w.organization_id = $1 AND w.env = $2 AND w.company_id = {p}.id)",
        scope=Scope.CONTACTS_READ,  # it says where the contacts of the messages work
    ),
}

MESSAGE.relations |= {
    "contact": ToOne(CONTACT, "id = {p}.contact_id"),
    "number": ToOne(NUMBER, "id = {p}.number_id"),
    "template": ToOne(TEMPLATE, "id = {p}.template_id"),
    "batch": ToOne(MESSAGE_BATCH, "id = {p}.batch_id"),
    "sentByAccount": ToOne(ACCOUNT, "id = {p}.sent_by_account_id"),
    "quote": ToOne(QUOTE, "id = {p}.quote_id"),
    "journeyRun": ToOne(JOURNEY_RUN, "id = {p}.journey_run"),
    "smppAccount": ToOne(SMPP_ACCOUNT, "id = {p}.smpp_account_id"),
    "links": ToList(SHORT_LINK, "message_id = {p}.id", AS_WRITTEN),
    "decisao": BatchLoaded(load_decisions),
    "mediaUrl": BatchLoaded(media_urls_of, FILE_OF),
}

SMPP_ACCOUNT.relations |= {
    "binds": ToList(SMPP_BIND, OPEN_BINDS, most=MAX_BINDS),
}

SMPP_BIND.relations |= {
    "account": ToOne(SMPP_ACCOUNT, "id = {p}.account_id"),
}

SMPP_DELIVERY.relations |= {
    "account": ToOne(SMPP_ACCOUNT, "id = {p}.account_id"),
    "message": ToOne(MESSAGE, "id = {p}.message_id"),
}

TRANSFER.relations |= {
    "quote": ToOne(QUOTE, "id = {p}.quote_id"),
}

MESSAGE_BATCH.relations |= {
    "number": ToOne(NUMBER, "id = {p}.number_id"),
    "template": ToOne(TEMPLATE, "id = {p}.template_id"),
    "messages": ToPage(MESSAGE, "batch_id = {p}.id", scope=Scope.MESSAGES_READ),
}

EMAIL_SUPPRESSION.relations |= {
    "message": ToOne(MESSAGE, "id = {p}.message_id"),
}

CONVERSATION.relations |= {
    "contact": ToOne(CONTACT, "id = {p}.contact_id"),
    "number": ToOne(NUMBER, "id = {p}.sender_id"),
    "lastMessage": ToOne(MESSAGE, OF_THE_CONVERSATION, NEWEST),
    "messages": ToPage(MESSAGE, OF_THE_CONVERSATION),
}

PUSH_DEVICE.relations |= {
    "app": ToOne(PUSH_APP, "app_id = {p}.app_id"),
    "contact": ToOne(CONTACT, "id = {p}.contact_id"),
}

TEMPLATE.relations |= {
    "number": ToOne(NUMBER, "id = {p}.number_id"),
}

FLOW.relations |= {
    "number": ToOne(NUMBER, "id = {p}.number_id"),
}

NUMBER.relations |= {
    "messages": ToPage(MESSAGE, "number_id = {p}.id", scope=Scope.MESSAGES_READ),
}

LIST.relations |= {
    "contacts": BatchLoaded(contacts_of_lists),
}

SEGMENT.relations |= {
    "createdBy": CREATED_BY,
    "contacts": BatchLoaded(contacts_of_segments),
}

CUSTOMER_EVENT.relations |= {
    "contact": ToOne(CONTACT, "id = {p}.contact_id"),
    "attributedMessage": ToOne(MESSAGE, "id = ({p}.attribution ->> 'messageId')"),
}

PIPELINE.relations |= {
    "etapas": ToList(OWN_STAGE, "pipeline_id = {p}.id", BY_POSITION),
    "motivos": ToList(OWN_REASON, "pipeline_id = {p}.id", BY_POSITION, most=1_000),
    "createdBy": CREATED_BY,
    "cards": ToPage(CARD, "pipeline_id = {p}.id"),
}

STAGE.relations |= {
    "pipeline": ToOne(PIPELINE, "id = {p}.pipeline_id"),
    "cards": ToPage(CARD, "stage_id = {p}.id", order="ordem"),
}

CARD.relations |= {
    "pipeline": ToOne(PIPELINE, "id = {p}.pipeline_id"),
    "etapa": ToOne(STAGE, "id = {p}.stage_id"),
    "company": ToOne(COMPANY, "id = {p}.company_id"),
    "contato": ToOne(CONTACT, "id = {p}.contact_id"),
    "contatos": ToList(PERSON, "card_id = {p}.id", BY_POSITION),
    "responsavel": ToOne(ACCOUNT, "id = {p}.owner_id"),
    "motivoPerda": ToOne(LOST_REASON, "id = {p}.lost_reason_id"),
    "fechadoPor": ToOne(ACCOUNT, "id = {p}.closed_by_id"),
    "origemMessage": ToOne(MESSAGE, "id = {p}.origin_message_id"),
    "createdBy": CREATED_BY,
    "atividades": ToPage(ACTIVITY, "card_id = {p}.id"),
    "historico": ToPage(HISTORY, "card_id = {p}.id"),
    "arquivos": ToPage(CARD_FILE, "card_id = {p}.id"),
}

PERSON.relations |= {
    "contato": ToOne(CONTACT, "id = {p}.contact_id"),
}

ACTIVITY.relations |= {
    "card": ToOne(CARD, "id = {p}.card_id"),
    "message": ToOne(MESSAGE, "id = {p}.message_id"),
    "responsavel": ToOne(ACCOUNT, "id = {p}.owner_id"),
    "createdBy": CREATED_BY,
}

HISTORY.relations |= {
    "motivoPerda": ToOne(LOST_REASON, "id = {p}.lost_reason_id"),
    "por": ToOne(ACCOUNT, "id = {p}.by_id"),
}

CARD_FILE.relations |= {
    "card": ToOne(CARD, "id = {p}.card_id"),
    "createdBy": CREATED_BY,
    "url": BatchLoaded(urls_of, OPENED_BY),
}

SESSION.relations |= {
    "account": ToOne(ACCOUNT, "id = {p}.account_id"),
}

API_KEY.relations |= {
    "createdBy": CREATED_BY,
    "replacedBy": ToOne(API_KEY, "id = {p}.replaced_by_id"),
}

WEBHOOK.relations |= {
    "createdBy": CREATED_BY,
    "deliveries": ToPage(DELIVERY, "subscription_id = {p}.id"),
}

DELIVERY.relations |= {
    "webhook": ToOne(WEBHOOK, "id = {p}.subscription_id"),
    "request": BatchLoaded(load_requests),
    "attemptLog": ToList(
        ATTEMPT, f"id IN ({SHOWN_ATTEMPTS.format(delivery='{p}.id', organization='$1')})", AS_MADE
    ),
}

KINDS: dict[str, Entity] = {
    entity.prefix: entity
    for entity in (
        CONTACT,
        COMPANY,
        MESSAGE,
        MESSAGE_BATCH,
        PUSH,
        PUSH_DEVICE,
        QUOTE,
        NUMBER,
        TEMPLATE,
        FLOW,
        LIST,
        SEGMENT,
        JOURNEY,
        JOURNEY_RUN,
        EMAIL_SENDER,
        WEBHOOK,
        DELIVERY,
        CUSTOMER_EVENT,
        ORGANIZATION,
        ACCOUNT,
        API_KEY,
        AUDIT_ENTRY,
        SMPP_ACCOUNT,
        SESSION,
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
