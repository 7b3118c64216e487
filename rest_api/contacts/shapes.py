"""The shapes of contacts."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from core.contacts.attributes import ATTRIBUTES_SCHEMA
from rest_api.support.shapes import Out, Timestamp

OptInStatus = Literal["granted", "denied", "unknown"]
ContactSource = Literal["manual", "import", "api", "webhook"]
OptOutChannel = Literal["todos", "sms", "rcs", "email", "whatsapp", "push"]
AttributeValue = str | int | float | bool | list[str] | None


class OptInOut(Out):
    """What the contact consented to."""

    status: OptInStatus
    source: str | None = None
    at: Timestamp | None = None
    ip: str | None = None
    user_agent: str | None = None
    revoked_at: Timestamp | None = None
    revoked_reason: str | None = None


class DebtorGroupOut(Out):
    """Debts of the contact with one company; cents of BRL."""

    id: str
    company: str
    phones: list[str]
    amount_cents: int | None = None
    status: Literal["vencida", "em_atraso", "em_dia"] | None = None
    reference: str | None = None


class ExternalIdsOut(Out):
    """Ids in integrated systems."""

    integration_a: str | None = Field(default=None, alias="integration_a")
    integration_b: str | None = Field(default=None, alias="integration_b")
    integration_c: str | None = Field(default=None, alias="integration_c")
    integration_d: str | None = Field(default=None, alias="integration_d")


class ContactOut(Out):
    """A contact; phones are masked without pii:full."""

    id: str
    organization_id: str
    phone: str
    phone_hash: str
    name: str | None = None
    email: str | None = None
    avatar_url: str | None = None
    whatsapp_profile_name: str | None = None
    cpf_cipher: str | None = None
    cnpj_cipher: str | None = None
    birth_date_cipher: str | None = None
    attributes: Annotated[dict[str, AttributeValue], WithJsonSchema(ATTRIBUTES_SCHEMA)]
    debtor_groups: list[DebtorGroupOut] | None = None
    tags: list[str]
    opt_in: OptInOut
    source: ContactSource
    external_id: str | None = None
    external_ids: ExternalIdsOut | None = None
    company_id: str | None = None
    papel_na_empresa: Literal["decisor", "financeiro", "operacao", "outro"] | None = None
    last_interaction_at: Timestamp | None = None
    created_at: Timestamp
    updated_at: Timestamp


class Documents(Out):
    """Documents of a contact: those it has."""

    cpf: str | None = None
    cnpj: str | None = None
    nascimento: str | None = None


class SingleContact(ContactOut):
    """One contact, with its documents masked."""

    documentos: Documents | None = None


class ContactPage(Out):
    """A page of contacts. Deep readers send `nextCursor` back as `cursor`."""

    items: list[ContactOut]
    total: int
    next_cursor: str | None = None
    warnings: list[str] | None = None


class NotFoundNames(Out):
    """Up to 100 of each kind."""

    contact_ids: list[str]
    external_ids: list[str]


class OptOutDone(Out):
    """What an opt-out did: contacts newly denied, contacts denied before, and addresses that have no contact."""

    registrados: int
    ja_estavam: int
    not_found_count: int
    not_found: NotFoundNames
    suprimidos_sem_contato: int


class ContactField(Out):
    """A field of contacts. `campo` is its name in segments, where it can be filtered by."""

    key: str
    label: str
    tipo: Literal["texto", "numero", "booleano", "data", "lista"]
    origem: Literal["padrao", "atributo", "integracao"]
    filtravel: bool
    operadores: list[str]
    obrigatorio: bool
    exemplo: Any
    campo: str | None = None


class ContactFields(Out):
    """The fields that contacts have."""

    items: list[ContactField]
