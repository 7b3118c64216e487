"""Contacts, their consent, and the addresses that opted out."""

from core.contacts.attributes import remember_attributes
from core.contacts.change import change_contact, changed_row, write_changes
from core.contacts.company import hold_companies, holds_companies, leave_company
from core.contacts.conditions import listed_where
from core.contacts.consent import honours_dates
from core.contacts.consent_log import ConsentLogEntry, addresses_of, lock_opt_outs, on_opt_out
from core.contacts.create import create_contact
from core.contacts.denial_facts import denial_facts
from core.contacts.documents import (
    DocumentsRecord,
    RevealedDocuments,
    revealed_documents,
    seal_document,
)
from core.contacts.erase import erase_row
from core.contacts.errors import (
    ExternalIdTaken,
    FieldRefused,
    NoSuchCompany,
    PhoneAlreadyRegistered,
)
from core.contacts.fields import list_fields
from core.contacts.hashed_with import stored_with_another_hash_key
from core.contacts.identity import (
    identities_of_phone,
    identity_of_email,
    identity_of_phone,
    phone_identity,
)
from core.contacts.inputs import ContactChanges, NewContact, OptIn
from core.contacts.last_interaction import Interaction, record_interactions
from core.contacts.listing import ContactFilter, list_contacts
from core.contacts.models import (
    ALL_CHANNELS,
    CompanyRole,
    Contact,
    ContactDenial,
    OptInStatus,
    OptOutChannel,
    Source,
)
from core.contacts.ninth_digit import BothFormsRegistered, unify_ninth_digit
from core.contacts.opt_in import ChannelOptIn, opt_in
from core.contacts.opt_out import OptOut, opt_out
from core.contacts.opt_out_keywords import (
    KeywordReply,
    OptOutKeyword,
    OptOutWords,
    apply_keyword_replies,
    get_opt_out_words,
    set_opt_out_words,
    stored_keywords,
)
from core.contacts.opt_outs import opt_outs_of
from core.contacts.queries import contact_row, contacts_by_ids, get_contact
from core.contacts.record import (
    CONTACT,
    SINGLE_CONTACT,
    ContactFieldList,
    ContactPage,
    ContactRecord,
    OptInOutcome,
    OptOutOutcome,
    OptOutRecord,
    OptOutWordsRecord,
    SingleContactRecord,
    contact_record,
)
from core.contacts.register import check_new, register
from core.contacts.renew_documents import renew_documents
from core.contacts.reveal import reveal_documents
from core.contacts.write import ContactRow, lock_contacts

__all__ = [
    "ALL_CHANNELS",
    "CONTACT",
    "SINGLE_CONTACT",
    "BothFormsRegistered",
    "ChannelOptIn",
    "CompanyRole",
    "ConsentLogEntry",
    "Contact",
    "ContactChanges",
    "ContactDenial",
    "ContactFieldList",
    "ContactFilter",
    "ContactPage",
    "ContactRecord",
    "ContactRow",
    "DocumentsRecord",
    "ExternalIdTaken",
    "FieldRefused",
    "Interaction",
    "KeywordReply",
    "NewContact",
    "NoSuchCompany",
    "OptIn",
    "OptInOutcome",
    "OptInStatus",
    "OptOut",
    "OptOutChannel",
    "OptOutKeyword",
    "OptOutOutcome",
    "OptOutRecord",
    "OptOutWords",
    "OptOutWordsRecord",
    "PhoneAlreadyRegistered",
    "RevealedDocuments",
    "SingleContactRecord",
    "Source",
    "addresses_of",
    "apply_keyword_replies",
    "change_contact",
    "changed_row",
    "check_new",
    "contact_record",
    "contact_row",
    "contacts_by_ids",
    "create_contact",
    "denial_facts",
    "erase_row",
    "get_contact",
    "get_opt_out_words",
    "hold_companies",
    "holds_companies",
    "honours_dates",
    "identities_of_phone",
    "identity_of_email",
    "identity_of_phone",
    "leave_company",
    "list_contacts",
    "list_fields",
    "listed_where",
    "lock_contacts",
    "lock_opt_outs",
    "on_opt_out",
    "opt_in",
    "opt_out",
    "opt_outs_of",
    "phone_identity",
    "record_interactions",
    "register",
    "remember_attributes",
    "renew_documents",
    "reveal_documents",
    "revealed_documents",
    "seal_document",
    "set_opt_out_words",
    "stored_keywords",
    "stored_with_another_hash_key",
    "unify_ninth_digit",
    "write_changes",
]
