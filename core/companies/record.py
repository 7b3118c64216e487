"""A company as the interface spells it, with what is counted of its contacts and deals."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.companies.models import AttributeType
from core.contacts.attributes import ATTRIBUTES_SCHEMA
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Page,
    PassedOver,
    Record,
    Spread,
    named,
)


class CompanyCounts(TypedDict):
    """What the company has. Values are in reais, or in whatever currencies its deals have: nothing
    is converted.
    """

    contatos: Annotated[int, Column("contacts"), Doc("How many contacts belong to it")]
    negociosAbertos: Annotated[int, Column("open_deals"), Doc("How many of its deals are open")]
    valorAberto: Annotated[float, Column("open_value"), Doc("What its open deals are worth")]
    ultimaInteracao: Annotated[
        Instant | None,
        Column("last_interaction_at"),
        Doc("When one of its contacts last wrote; null: none ever did"),
    ]


@named(rest="ExtendedCounts", graphql="Contagens")
class ExtendedCounts(CompanyCounts):
    """What the company has, with the deals that were won. Values are in reais, or in whatever
    currencies its deals have: nothing is converted.
    """

    negociosGanhos: Annotated[int, Column("won_deals"), Doc("How many of its deals were won")]
    valorGanho: Annotated[float, Column("won_value"), Doc("What its won deals were worth")]


class StoredCompany(TypedDict):
    """A company without what is counted of it."""

    id: Annotated[Id, Doc("Names the company")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    nome: Annotated[str, Column("name"), Doc("What the company is called")]
    cnpj: NotRequired[Annotated[str, Doc("Its CNPJ without punctuation, in upper case")]]
    segmento: NotRequired[Annotated[str, Column("sector"), Doc("The sector that it works in")]]
    site: NotRequired[Annotated[str, Doc("The address of its website")]]
    endereco: NotRequired[Annotated[str, Column("address"), Doc("Its postal address")]]
    responsavelId: NotRequired[
        Annotated[Id, Column("owner_id"), Doc("The account that is responsible for it")]
    ]
    contatoPrincipalId: NotRequired[
        Annotated[Id, Column("main_contact_id"), Doc("The contact to speak to first")]
    ]
    atributos: Annotated[
        dict[str, Any],
        Column("attributes"),
        WithJsonSchema(ATTRIBUTES_SCHEMA),
        Doc("Free data about the company, flat, as the definitions of the organization ask"),
    ]
    createdById: Annotated[Id, Doc("The account or the key that made it")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


@named(rest="Company")
class CompanyRecord(StoredCompany):
    """A company that contacts work for and deals are made with."""

    contagens: Annotated[
        CompanyCounts, Spread(""), Doc("What is counted of its contacts and deals")
    ]


@named(rest="CompanyDetails", graphql="Company")
class CompanyDetails(StoredCompany):
    """A company that contacts work for and deals are made with."""

    contagens: Annotated[
        ExtendedCounts, Spread(""), Doc("What is counted of its contacts and deals")
    ]


COLUMNS = Record(StoredCompany).columns
"""What a company is made of."""

COMPANY = Record(CompanyRecord)
COMPANY_DETAILS = Record(CompanyDetails)


class CompanyPage(Page[CompanyRecord]):
    """Companies by their names."""


@named(rest="CompanyLineTold", graphql="CompanyImportLine")
class CompanyLineTold(TypedDict):
    """A line, and which of its fields are wrong in what way."""

    linha: Annotated[int, Doc("The line's place in the list that was sent, from 1")]
    mensagem: Annotated[str, Doc("The fields, and what is wrong with each")]


class CompanyImportDone(TypedDict):
    """What became of the lines."""

    criadas: Annotated[int, Doc("How many lines created a company")]
    atualizadas: Annotated[int, Doc("How many lines were about one that existed")]
    erros: Annotated[list[CompanyLineTold], Doc("The lines that did not enter")]


@named(rest="CompanyAttribute", graphql="CompanyAttribute")
class AttributeRecord(TypedDict):
    """What the values of one attribute are."""

    key: Annotated[str, Doc("The key under which companies have the attribute")]
    type: Annotated[AttributeType, Doc("The type of its values")]
    label: NotRequired[Annotated[str, Doc("Its name for people")]]
    required: Annotated[bool, Doc("Whether every company has to have it")]


ATTRIBUTE = Record(AttributeRecord)


class CompanyAttributes(TypedDict):
    """All definitions. Without any, every attribute is free."""

    defs: Annotated[list[AttributeRecord], Doc("The definitions in their order")]
    warnings: NotRequired[PassedOver]


COUNTED = "c.*, people.*, deals.*"
COUNTS = """
CROSS JOIN LATERAL (
    SELECT count(*) AS contacts, max(p.last_interaction_at) AS last_interaction_at
    FROM contacts p WHERE p.organization_id = $1 AND p.env = $2 AND p.company_id = c.id
) AS people
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE d.status = 'aberto') AS open_deals,
        coalesce(sum(d.value) FILTER (WHERE d.status = 'aberto'), 0) AS open_value,
        count(*) FILTER (WHERE d.status = 'ganho') AS won_deals,
        coalesce(sum(d.value) FILTER (WHERE d.status = 'ganho'), 0) AS won_value
    FROM cards d
    WHERE d.organization_id = $1 AND d.env = $2 AND d.company_id = c.id AND d.status IN ('aberto', 'ganho')
) AS deals
"""
"""Behind `companies c`: each company counts by an index of its own, however many are shown at once.
"""

NOTHING_COUNTED = {
    "contacts": 0,
    "last_interaction_at": None,
    "open_deals": 0,
    "open_value": 0,
    "won_deals": 0,
    "won_value": 0,
}
