"""What can be done with contacts."""

from core import contact_imports, contacts, privacy
from core.foundation.security.caller import Scope
from core.read_models.contacts import CONTACT
from graphql_api.contacts.schema import Contact
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import type_of

OptOutDone = type_of(contacts.OptOutOutcome)
OptInDone = type_of(contacts.OptInOutcome)
ContactFields = type_of(contacts.ContactFieldList)
OptOutWords = type_of(contacts.OptOutWordsRecord)
RevealedDocuments = type_of(contacts.RevealedDocuments)
ContactImportDone = type_of(contact_imports.ImportDone)


WRITE = Scope.CONTACTS_WRITE


@mutation_type
class ContactMutations:
    create_contact: Contact | None = mutation_field(
        contacts.create_contact,
        contacts.NewContact,
        scope=WRITE,
        answers=CONTACT,
        description=(
            "Register a person. The phone is the natural identity; a consent is dated now, "
            "unless an API key informs its date."
        ),
    )
    update_contact: Contact | None = mutation_field(
        contacts.change_contact,
        contacts.ContactChanges,
        scope=WRITE,
        answers=CONTACT,
        ids=("id",),
        description="Change what is sent of a contact; null clears a field.",
    )
    delete_contact: Deleted | None = mutation_field(
        privacy.erase_contact,
        heavy=True,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Erase a contact: what is kept of its messages says no longer to whom they "
        "went.",
    )
    opt_out_contacts: OptOutDone | None = mutation_field(
        contacts.opt_out,
        contacts.OptOut,
        heavy=True,
        scope=WRITE,
        description="Record who asked not to receive messages, at most 10,000 identifiers in a "
        "call.",
    )
    opt_in_contacts: OptInDone | None = mutation_field(
        contacts.opt_in,
        contacts.ChannelOptIn,
        scope=WRITE,
        description="Open a channel again for people who asked for it later than they closed it.",
    )
    replace_opt_out_words: OptOutWords | None = mutation_field(
        contacts.set_opt_out_words,
        contacts.OptOutWords,
        scope=WRITE,
        description="Choose the words of opt-out for the environment of the credential; either "
        "list may be empty.",
    )
    import_contacts: ContactImportDone | None = mutation_field(
        contact_imports.import_contacts,
        contact_imports.ContactImport,
        heavy=True,
        scope=WRITE,
        description=(
            "Register many people, and change those that exist; a faulty line is told in the "
            "answer and keeps no other out."
        ),
    )
    reveal_contact_documents: RevealedDocuments | None = mutation_field(
        contacts.reveal_documents,
        scope=Scope.CONTACTS_PII,
        ids=("id",),
        description=("Show the documents of a contact in full. In a session only, and audited."),
        of="contact",
    )


@mutation_type
class OptOutWordQueries:
    opt_out_words: OptOutWords | None = mutation_field(
        contacts.get_opt_out_words,
        scope=Scope.CONTACTS_READ,
        description="The words by which people leave and come back.",
    )
    contact_fields: ContactFields | None = mutation_field(
        contacts.list_fields,
        scope=Scope.CONTACTS_READ,
        description="What contacts have: fields of ours, and attributes that some contact has had.",
    )
