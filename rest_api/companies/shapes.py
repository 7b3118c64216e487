"""The shapes of companies."""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from core.contacts.attributes import ATTRIBUTES_SCHEMA
from rest_api.support.shapes import Listed, Out, Timestamp

AttributeType = Literal["string", "number", "boolean", "date"]
AttributeValue = str | int | float | bool | list[str] | None


class CompanyCounts(Out):
    """What the company has. Values are in reais, or in whatever currencies its deals have: nothing
    is converted.
    """

    contatos: int
    negocios_abertos: int
    valor_aberto: float
    ultima_interacao: Timestamp | None = Field(description="The latest of its contacts")


class ExtendedCounts(CompanyCounts):
    """The same with the deals that were won."""

    valor_ganho: float
    negocios_ganhos: int


class Company(Out):
    """A company. `cnpj` stands without mask, in upper case."""

    id: str
    organization_id: str
    nome: str
    cnpj: str | None = None
    segmento: str | None = None
    site: str | None = None
    endereco: str | None = None
    responsavel_id: str | None = None
    contato_principal_id: str | None = None
    atributos: Annotated[dict[str, AttributeValue], WithJsonSchema(ATTRIBUTES_SCHEMA)]
    created_by_id: str
    created_at: Timestamp
    updated_at: Timestamp
    contagens: CompanyCounts


class CompanyDetails(Company):
    """A company with its extended counts."""

    contagens: ExtendedCounts


class CompanyPage(Listed):
    """Companies by their names."""

    items: list[Company]
    total: int
    next_cursor: str | None = None


class CompanyLineTold(Out):
    """A line (counted from 1), and which of its fields are wrong in what way."""

    linha: int
    mensagem: str


class CompanyImportDone(Out):
    """What became of the lines."""

    criadas: int
    atualizadas: int
    erros: list[CompanyLineTold]


class CompanyAttribute(Out):
    """What the values of one attribute are."""

    key: str
    type: AttributeType
    label: str | None = None
    required: bool


class CompanyAttributes(Listed):
    """All definitions. Without any, every attribute is free."""

    defs: list[CompanyAttribute]
