"""A contact as the interface spells it, and what else is answered about contacts."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.contacts.attributes import ATTRIBUTES_SCHEMA
from core.contacts.documents import DocumentsRecord, masked_documents
from core.contacts.models import (
    CompanyRole,
    ContactFieldKind,
    DebtStatus,
    FieldOrigin,
    OptInStatus,
    OptOutChannel,
    Source,
)
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    LargeInt,
    Loaded,
    Made,
    Masked,
    Page,
    Record,
    Scoped,
    Spread,
    named,
)
from core.foundation.security.caller import Scope
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.foundation.validation.phones import mask_phone

ENCRYPTED = "Encrypted; `POST /v2/contacts/{id}/documentos/revelar` shows what it is"


def open_phone_hash(organization_id: str, phone: str) -> str:
    """The interface's hash, by which whoever knows the organization can try the five digits that a
    mask hides. 64 hexadecimal digits.
    """
    return sha256(f"{organization_id}:{phone}".encode()).hexdigest()


def masked_phone_hash(organization_id: str, phone: str) -> str:
    """The same, or, where SVC_PHONE_HASH says so, one that needs our key: for those who may not see
    phones.
    """
    settings = current()
    if settings.phone_hash == "interface":
        return open_phone_hash(organization_id, phone)
    return keyed_hash(settings.hash_key.encode(), f"{organization_id}:{phone}").hex()


PHONE_HASH = Made(
    open_phone_hash,
    ("organization_id", "phone"),
    masked=masked_phone_hash,
    sql="""'"' || encode(sha256(convert_to(organization_id || ':' || phone, 'UTF8')), 'hex') || '"'""",
)


@named(rest="DebtorGroupOut", graphql="DebtorGroup")
class DebtorGroupRecord(TypedDict):
    """Debts of the contact with one company."""

    id: Annotated[str, Doc("Names the debts in your own system")]
    company: Annotated[str, Doc("With whom the debts are")]
    phones: Annotated[list[str], Doc("Whom to speak to about the debts")]
    amountCents: NotRequired[Annotated[LargeInt, Doc("What is owed, in cents of BRL")]]
    status: NotRequired[Annotated[DebtStatus, Doc("Whether the debts are overdue")]]
    reference: NotRequired[Annotated[str, Doc("The number of the contract or the invoice")]]


def masked_groups(groups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The debtors' groups of a contact with every phone masked."""
    return [
        {**group, "phones": [mask_phone(phone) for phone in group["phones"]]} for group in groups
    ]


@named(rest="ExternalIdsOut", graphql="ContactExternalIds")
class ExternalIdsRecord(TypedDict):
    """The contact's ids in integrated systems."""

    integration_a: NotRequired[Annotated[str, Doc("The id in the first of them")]]
    integration_b: NotRequired[Annotated[str, Doc("The id in the second of them")]]
    integration_c: NotRequired[Annotated[str, Doc("The id in the third of them")]]
    integration_d: NotRequired[Annotated[str, Doc("The id in the fourth of them")]]


@named(rest="OptInOut", graphql="OptIn")
class OptInRecord(TypedDict):
    """What a contact consented to, and how that is known."""

    status: Annotated[OptInStatus, Doc("The consent that is in force")]
    source: NotRequired[Annotated[str, Doc("Where the person gave or took back the consent")]]
    at: NotRequired[Annotated[Instant, Doc("When it was granted")]]
    ip: NotRequired[Annotated[str, Doc("The network address that the consent came from")]]
    userAgent: NotRequired[Annotated[str, Doc("The browser that the consent came from")]]
    revokedAt: NotRequired[Annotated[Instant, Doc("When it was taken back")]]
    revokedReason: NotRequired[Annotated[str, Doc("Why it was taken back")]]


@named(rest="ContactOut", graphql="Contact")
class ContactRecord(TypedDict):
    """A person whom the organization may write to; phones are masked without pii:full."""

    id: Annotated[Id, Doc("Names the contact")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    phone: Annotated[str, Masked(mask_phone), Doc("The phone in E.164, by which a person is known")]
    phoneHash: Annotated[
        str,
        PHONE_HASH,
        Doc(
            "Equal for two records of one phone in the organization; `SVC_PHONE_HASH` "
            "says of what "
            "it is made"
        ),
    ]
    attributes: Annotated[
        dict[str, Any],
        WithJsonSchema(ATTRIBUTES_SCHEMA),
        Doc("Free data about the person: texts, numbers, booleans and lists of texts, flat"),
    ]
    tags: Annotated[list[str], Doc("Words by which contacts are grouped")]
    optIn: Annotated[OptInRecord, Spread("opt_in_"), Doc("What the person consented to")]
    source: Annotated[Source, Doc("What made the contact")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]
    name: NotRequired[Annotated[str, Doc("What the person is called")]]
    email: NotRequired[Annotated[str, Doc("The person's e-mail address")]]
    avatarUrl: NotRequired[
        Annotated[str, Doc("A picture: its address, or a small one inside a data: URI")]
    ]
    whatsappProfileName: NotRequired[
        Annotated[str, Doc("What the person calls itself on the messaging platform")]
    ]
    cpfCipher: NotRequired[Annotated[str, Doc(f"The CPF. {ENCRYPTED}")]]
    cnpjCipher: NotRequired[Annotated[str, Doc(f"The CNPJ. {ENCRYPTED}")]]
    birthDateCipher: NotRequired[Annotated[str, Doc(f"The date of birth. {ENCRYPTED}")]]
    externalId: NotRequired[Annotated[str, Doc("The id in your own system")]]
    externalIds: NotRequired[
        Annotated[ExternalIdsRecord, Doc("The person's ids in integrated systems")]
    ]
    companyId: NotRequired[Annotated[Id, Doc("The company that the person belongs to")]]
    papelNaEmpresa: NotRequired[
        Annotated[
            CompanyRole,
            Column("company_role"),
            Doc("The part that the person plays in the company"),
        ]
    ]
    lastInteractionAt: NotRequired[Annotated[Instant, Doc("When the contact last wrote")]]
    debtorGroups: NotRequired[
        Annotated[
            list[DebtorGroupRecord],
            Masked(masked_groups),
            Doc("The person's debts, by company; their phones are masked without pii:full"),
        ]
    ]


CONTACT = Record(ContactRecord)
COLUMNS = CONTACT.columns
"""What a record is made of."""


@named(rest="OptOutOut", graphql="ContactOptOut")
class OptOutRecord(TypedDict):
    """A channel that a contact closed, or all of them."""

    canal: Annotated[OptOutChannel, Doc("The channel that is closed; `todos`: every one")]
    em: Annotated[Instant, Doc("Since when it is closed")]
    motivo: NotRequired[Annotated[str, Doc("Why the person closed it")]]
    origem: NotRequired[Annotated[str, Doc("Where it was asked for")]]


@named(rest="SingleContact", graphql="Contact")
class SingleContactRecord(ContactRecord):
    """One contact, with its documents masked and the channels that it closed."""

    documentos: NotRequired[
        Annotated[
            DocumentsRecord,
            Made(masked_documents, ("id", "cpf_cipher", "cnpj_cipher", "birth_date_cipher")),
            Scoped(Scope.CONTACTS_READ),
            Doc("The documents that it has, masked"),
        ]
    ]
    optOuts: Annotated[
        list[OptOutRecord], Loaded(), Doc("The channels that it closed, oldest first")
    ]


SINGLE_CONTACT = Record(SingleContactRecord)


class ContactPage(Page[ContactRecord]):
    """A page of contacts. Deep readers send `nextCursor` back as `cursor`."""


@named(rest="NotFoundNames", graphql="UnknownContacts")
class UnknownIdentifiers(TypedDict):
    """Identifiers of a call that no contact has: up to 100 of each kind."""

    contactIds: Annotated[list[str], Doc("Ids that no contact has")]
    externalIds: Annotated[list[str], Doc("Ids of your own system that no contact has")]


class ContactsNotFound(TypedDict):
    """The ids of a call that name no contact."""

    notFoundCount: Annotated[int, Doc("How many of the ids that were sent are no contact's")]
    notFound: Annotated[UnknownIdentifiers, Doc("Which ones these are")]


@named(rest="OptOutDone", graphql="OptOutDone")
class OptOutOutcome(ContactsNotFound):
    """What an opt-out did."""

    registrados: Annotated[int, Doc("Contacts that are newly denied")]
    jaEstavam: Annotated[int, Doc("Contacts that were denied before")]
    suprimidosSemContato: Annotated[
        int, Doc("Phones and e-mail addresses of nobody, to which nothing will be sent either")
    ]


@named(rest="OptInDone", graphql="OptInDone")
class OptInOutcome(ContactsNotFound):
    """What an opt-in did."""

    registrados: Annotated[int, Doc("Contacts whose opt-out ended")]
    naoEstavam: Annotated[int, Doc("Contacts that had not closed the channel")]
    anterioresARevogacao: Annotated[
        int, Doc("Contacts that closed it after `em`: they stay closed")
    ]
    anteriores: Annotated[list[Id], Doc("The ids of up to 100 of these")]
    fechadosParaTodos: Annotated[
        int, Doc("Contacts that closed all channels: `canal` todos opens them")
    ]
    liberadosSemContato: Annotated[
        int, Doc("Phones and e-mail addresses of nobody whose opt-out ended")
    ]


@named(rest="OptOutWordsOut", graphql="OptOutWords")
class OptOutWordsRecord(TypedDict):
    """The words of opt-out that hold."""

    saida: Annotated[list[str], Doc("They close the channel that they come over")]
    volta: Annotated[list[str], Doc("They open it again")]


@named(rest="ContactField")
class ContactFieldRecord(TypedDict):
    """A field that contacts have."""

    key: Annotated[str, Doc("Its name in records and imports")]
    label: Annotated[str, Doc("Its name for people")]
    tipo: Annotated[ContactFieldKind, Doc("The kind of its values")]
    origem: Annotated[FieldOrigin, Doc("Where the field comes from")]
    filtravel: Annotated[bool, Doc("Whether segments can filter by it")]
    operadores: Annotated[list[str], Doc("The operators that segments have for it")]
    obrigatorio: Annotated[bool, Doc("Whether every contact has it")]
    exemplo: Annotated[Any, Doc("A value as it may be, never one of a contact")]
    campo: NotRequired[Annotated[str, Doc("Its name in the filters of segments")]]


@named(rest="ContactFields")
class ContactFieldList(TypedDict):
    """The fields that contacts have."""

    items: Annotated[list[ContactFieldRecord], Doc("Standard fields, attributes, integrated ids")]
    warnings: NotRequired[Annotated[list[str], Doc("What of the query was passed over")]]


def contact_record(row: Any, *, unmasked: bool) -> ContactRecord:
    """The record of reads and writes. Fields without a value are absent; phones are masked unless
    told otherwise.
    """
    return CONTACT.make(row, unmasked=unmasked)
