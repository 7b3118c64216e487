"""What can be done with contacts."""

import strawberry

from core import contact_imports, contacts, privacy
from core.contacts.inputs import DebtorGroup
from core.foundation.security.caller import Scope
from core.read_models.contacts import CONTACT
from graphql_api.contacts.schema import (
    ConsentChannel,
    Contact,
    ContactOptIn,
    ContactSource,
    PapelNaEmpresa,
)
from graphql_api.inputs import register_enum, register_field_enums
from graphql_api.mutations import Deleted, mutation_field, mutation_type

register_enum(contacts.OptInStatus, ContactOptIn)
register_enum(contacts.Source, ContactSource)
register_enum(contacts.CompanyRole, PapelNaEmpresa)
register_field_enums(DebtorGroup, status="DebtStatus")
register_enum(contacts.OptOut.model_fields["channel"].annotation, ConsentChannel)
register_field_enums(
    contact_imports.ContactImport, chave="ContactImportKey", se_existir="ContactImportExisting"
)


@strawberry.type(description="Up to 100 of each kind.")
class UnknownContacts:
    contact_ids: list[str]
    external_ids: list[str]


@strawberry.type(
    description="Contacts newly denied, contacts denied before, and addresses that have no contact."
)
class OptOutDone:
    registrados: int
    ja_estavam: int
    not_found_count: int
    not_found: UnknownContacts
    suprimidos_sem_contato: int


@strawberry.type(description="What an opt-in did.")
class OptInDone:
    registrados: int = strawberry.field(description="Contacts whose opt-out ended")
    nao_estavam: int = strawberry.field(description="Contacts that had not closed the channel")
    anteriores_a_revogacao: int = strawberry.field(
        name="anterioresARevogacao",
        description="Contacts that closed it after `em`: they stay closed",
    )
    anteriores: list[strawberry.ID] = strawberry.field(description="Up to 100 of these")
    fechados_para_todos: int = strawberry.field(
        description="Contacts that closed all channels: canal TODOS opens them"
    )
    not_found_count: int
    not_found: UnknownContacts
    liberados_sem_contato: int = strawberry.field(
        description="Addresses of nobody whose opt-out ended"
    )


@strawberry.type(
    description="Words that close the channel which they come over (saida), or open it again (volta)."
)
class OptOutWords:
    saida: list[str]
    volta: list[str]


@strawberry.type(description="Documents of a contact in clear: those it has.")
class RevealedDocuments:
    cpf: str | None
    cnpj: str | None
    nascimento: str | None


@strawberry.type(
    description="A line, counted from 1, and what is wrong with it or was done otherwise."
)
class ContactImportLine:
    linha: int
    campo: str | None
    codigo: str
    mensagem: str


@strawberry.type(description="What became of the lines.")
class ContactImportDone:
    criados: int
    atualizados: int
    inalterados: int
    ignorados: int
    erros: list[ContactImportLine]
    warnings: list[ContactImportLine]


WRITE = Scope.CONTACTS_WRITE


@mutation_type
class ContactMutations:
    create_contact: Contact | None = mutation_field(
        contacts.create_contact,
        contacts.NewContact,
        scope=WRITE,
        answers=CONTACT,
        description="The phone is the natural identity; a consent is dated now, unless an API key informs its date.",
    )
    update_contact: Contact | None = mutation_field(
        contacts.change_contact,
        contacts.ContactChanges,
        scope=WRITE,
        answers=CONTACT,
        ids=("id",),
        description="Only what is sent changes; null clears a field.",
    )
    delete_contact: Deleted | None = mutation_field(
        privacy.erase_contact,
        heavy=True,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Erase a contact: what is kept of its messages says no longer to whom they went.",
    )
    opt_out_contacts: OptOutDone | None = mutation_field(
        contacts.opt_out,
        contacts.OptOut,
        heavy=True,
        scope=WRITE,
        description="Record who asked not to receive messages, at most 10,000 identifiers in a call.",
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
        description="Choose the words of opt-out for the environment of the credential; either list may be empty.",
    )
    import_contacts: ContactImportDone | None = mutation_field(
        contact_imports.import_contacts,
        contact_imports.ContactImport,
        heavy=True,
        scope=WRITE,
        description="A faulty line is told in the answer and keeps no other out.",
    )
    reveal_contact_documents: RevealedDocuments | None = mutation_field(
        contacts.reveal_documents,
        scope=Scope.CONTACTS_PII,
        ids=("id",),
        description="In a session only, and audited.",
    )


@mutation_type
class OptOutWordQueries:
    opt_out_words: OptOutWords | None = mutation_field(
        contacts.get_opt_out_words,
        scope=Scope.CONTACTS_READ,
        description="The words by which people leave and come back.",
    )
