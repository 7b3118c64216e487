"""What callers may say about companies."""

import re
from typing import Annotated, Any
from unicodedata import normalize

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.companies.cnpj import CheckedCnpj
from core.companies.models import AttributeType
from core.contacts.attributes import AttributeKey, Attributes
from core.foundation.database.pages import MAX_SKIP
from core.foundation.validation.hosts import host_in
from core.foundation.validation.inputs import (
    CURSOR,
    Changes,
    Input,
    KeptWhenLeftOut,
    QueryInput,
)
from core.foundation.validation.names import NameText, one_line
from core.foundation.validation.raw_items import ReadByItself

MAX_NAME_LENGTH = 200
MAX_LINES = 500
MAX_DEFINITIONS = 50

_ADDRESS = re.compile(r"https?://[^\s\\\x00-\x20\x7f-\x9f\"<>]+", re.IGNORECASE)


def _site(text: str) -> str:
    if not _ADDRESS.fullmatch(text) or not host_in(text):
        raise PydanticCustomError(
            "wrong_format", "Send an http(s) address, such as https://example.com"
        )
    return text


def _composed(value: object) -> object:
    """One way to write a letter with its mark, so that a name is found whichever way it was typed."""
    return normalize("NFC", value) if isinstance(value, str) else value


Name = Annotated[
    str,
    NameText(MAX_NAME_LENGTH),
    BeforeValidator(_composed),
    Field(description="What the company is called"),
]
Sector = Annotated[str, NameText(120), Field(description="The sector that the company works in")]
Site = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=2048),
    AfterValidator(_site),
    Field(description="The address of the company's website, http or https"),
]
PostalAddress = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    Field(description="The company's postal address"),
]
Id = Annotated[str, StringConstraints(min_length=1, max_length=30)]
ATTRIBUTES = "Free data about the company, flat, as the definitions of the organization ask"


# What a new company may have and a change may clear.
OwnCnpj = Annotated[
    CheckedCnpj | None, Field(description="With or without mask, of digits or with letters")
]
SectorOfWork = Annotated[Sector | None, Field(alias="segmento")]
OwnAddress = Annotated[PostalAddress | None, Field(alias="endereco")]
OwnerId = Annotated[Id | None, Field(alias="responsavelId", description="An active account")]
MainContactId = Annotated[
    Id | None, Field(alias="contatoPrincipalId", description="The contact to speak to first")
]


class NewCompany(Input):
    """A company. Its CNPJ, when it has one, is no other company's of the organization."""

    name: Name = Field(alias="nome")
    cnpj: OwnCnpj = None
    sector: SectorOfWork = None
    site: Site | None = None
    address: OwnAddress = None
    owner_id: OwnerId = None
    main_contact_id: MainContactId = None
    attributes: Attributes = Field(default={}, alias="atributos", description=ATTRIBUTES)


class CompanyChanges(Changes):
    """What to change; null clears. `atributos` replaces what is stored."""

    name: KeptWhenLeftOut[Name] = Field(default=None, alias="nome")
    cnpj: OwnCnpj = None
    sector: SectorOfWork = None
    site: Site | None = None
    address: OwnAddress = None
    owner_id: OwnerId = None
    main_contact_id: MainContactId = None
    attributes: KeptWhenLeftOut[Attributes] = Field(
        default=None,
        alias="atributos",
        description=(
            "In the place of those that are stored, as the definitions of the organization ask"
        ),
    )


class CompanyFilter(QueryInput):
    """Which companies to list."""

    q: str | None = Field(
        default=None,
        description="A valid CNPJ, or a part of the name in any case, with or without accents",
    )
    owner_id: str | None = Field(
        default=None,
        alias="responsavelId",
        description="The account that is responsible for the company",
    )
    limit: Annotated[int, Field(ge=1, le=100)] = Field(default=25, description="How many at most")
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP)] = Field(
        default=0, description="How many to leave out first"
    )
    cursor: str | None = Field(default=None, description=CURSOR)


Line = Annotated[Any, ReadByItself(NewCompany)]
"""A faulty line is told in the answer and keeps no other out."""


class CompanyImport(Input):
    """Companies to create, and to change where they exist."""

    empresas: Annotated[list[Line], Field(max_length=MAX_LINES)] = Field(
        description="The lines, each a company in the format of creation"
    )


class AttributeDefinition(Input):
    """What the values under one key of companies' attributes have to be."""

    key: AttributeKey = Field(description="The key under which companies have the attribute")
    type: AttributeType = Field(description="The type of its values")
    label: Annotated[str, StringConstraints(max_length=120), AfterValidator(one_line)] | None = (
        Field(default=None, description="Its name for people")
    )
    required: bool = Field(default=False, description="Whether every company has to have it")


class AttributeDefinitions(Input):
    """All definitions; one that is left out is gone."""

    defs: Annotated[list[AttributeDefinition], Field(max_length=MAX_DEFINITIONS)] = Field(
        description="The definitions, in the order in which they are shown"
    )
