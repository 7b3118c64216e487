"""The shapes of contacts."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from core.contacts.attributes import ATTRIBUTES_SCHEMA
from rest_api.support.shapes import Listed, Out, Timestamp

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


class OptOutOut(Out):
    """A channel that the contact closed, or `todos`: since when, why, and where it was asked for."""

    canal: OptOutChannel
    em: Timestamp
    motivo: str | None = None
    origem: str | None = None


class SingleContact(ContactOut):
    """One contact, with its documents masked and the channels that it closed."""

    documentos: Documents | None = None
    opt_outs: list[OptOutOut]


class ContactPage(Listed):
    """A page of contacts. Deep readers send `nextCursor` back as `cursor`."""

    items: list[ContactOut]
    total: int
    next_cursor: str | None = None


class NotFoundNames(Out):
    """Up to 100 of each kind."""

    contact_ids: list[str]
    external_ids: list[str]


class OptOutDone(Out):
    """What an opt-out did: contacts newly denied, contacts denied before, and addresses that have
    no contact.
    """

    registrados: int
    ja_estavam: int
    not_found_count: int
    not_found: NotFoundNames
    suprimidos_sem_contato: int


class OptInDone(Out):
    """What an opt-in did."""

    registrados: int = Field(description="Contacts whose opt-out ended")
    nao_estavam: int = Field(description="Contacts that had not closed the channel")
    anteriores_a_revogacao: int = Field(
        description="Contacts that closed it after `em`: they stay closed"
    )
    anteriores: list[str] = Field(description="Up to 100 of these")
    fechados_para_todos: int = Field(
        description="Contacts that closed all channels: `canal` todos opens them"
    )
    not_found_count: int
    not_found: NotFoundNames
    liberados_sem_contato: int = Field(
        description="Phones and e-mail addresses of nobody whose opt-out ended"
    )


class OptOutWordsOut(Out):
    """The words of opt-out that hold."""

    saida: list[str] = Field(description="They close the channel that they come over")
    volta: list[str] = Field(description="They open it again")


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


class ContactFields(Listed):
    """The fields that contacts have."""

    items: list[ContactField]
