"""What callers may say about a contact."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.contacts.attributes import Attributes
from core.contacts.avatar import AvatarUrl
from core.contacts.documents import BirthDate, Cnpj, Cpf
from core.contacts.models import CompanyRole, DebtStatus, OptInStatus, Source
from core.foundation.security.masks import looks_masked
from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, Phone, UtcTime
from core.foundation.validation.names import NameText

MAX_TAGS = 100

_ADDRESS = re.compile(r"[^\s@\x00-\x1f\x7f]{1,64}@[^\s@.\x00-\x1f\x7f]+(\.[^\s@.\x00-\x1f\x7f]+)+")


def _email(text: str) -> str:
    if looks_masked(text):
        raise PydanticCustomError(
            "VALOR_MASCARADO", "This is a masked value; send the whole address"
        )
    if not _ADDRESS.fullmatch(text):
        raise PydanticCustomError(
            "wrong_format", "Write an e-mail address, such as ana@example.com"
        )
    return text


def _text_of_number(value: Any) -> Any:
    """Ids are often numbers in the caller's system."""
    return str(value) if type(value) is int else value


def _once(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


Name = Annotated[str, NameText(200)]
Email = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=254), AfterValidator(_email)
]
ExternalId = Annotated[
    str, StringConstraints(min_length=1, max_length=200), BeforeValidator(_text_of_number)
]
CompanyId = Annotated[str, StringConstraints(min_length=1, max_length=30)]
Tag = Annotated[str, NameText(64)]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS), AfterValidator(_once)]
"""Trimmed, each once, in the order sent."""


class OptIn(Input):
    """What a contact consented to. Dates count for API keys alone; for everybody else it is now."""

    status: OptInStatus
    source: Annotated[str, StringConstraints(max_length=120)] | None = None
    at: UtcTime | None = None
    ip: Annotated[str, StringConstraints(max_length=45)] | None = None
    user_agent: Annotated[str, StringConstraints(max_length=400)] | None = None
    revoked_at: UtcTime | None = None
    revoked_reason: Annotated[str, StringConstraints(max_length=200)] | None = None


class DebtorGroup(Input):
    """Debts of a contact with one company. Amounts are cents of BRL."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    company: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    phones: Annotated[list[Phone], Field(max_length=50)]
    amount_cents: Annotated[int, Field(ge=0, le=2**53 - 1)] | None = None
    status: DebtStatus | None = None
    reference: Annotated[str, StringConstraints(max_length=200)] | None = None


_IntegrationId = Annotated[str, StringConstraints(min_length=1, max_length=200)] | None


class ExternalIds(Input):
    """The contact's ids in integrated systems."""

    integration_a: _IntegrationId = Field(default=None, alias="integration_a")
    integration_b: _IntegrationId = Field(default=None, alias="integration_b")
    integration_c: _IntegrationId = Field(default=None, alias="integration_c")
    integration_d: _IntegrationId = Field(default=None, alias="integration_d")


DebtorGroups = Annotated[list[DebtorGroup], Field(max_length=100)]


class NewContact(Input):
    """A person to write to. The phone, read as Brazilian where no country is given, is the natural
    identity.
    """

    phone: Phone
    name: Name | None = None
    email: Email | None = None
    avatar_url: AvatarUrl | None = None
    external_id: ExternalId | None = None
    external_ids: ExternalIds | None = None
    company_id: CompanyId | None = None
    company_role: CompanyRole | None = Field(default=None, alias="papelNaEmpresa")
    cpf: Cpf | None = None
    cnpj: Cnpj | None = None
    birth_date: BirthDate | None = None
    tags: Tags = []
    attributes: Attributes = {}
    debtor_groups: DebtorGroups | None = None
    opt_in: OptIn | None = None
    source: Source = Source.MANUAL


class ContactChanges(Changes):
    """What to change. A null clears the field; `tags` and `attributes` replace what is stored, the
    others add to it.
    """

    phone: KeptWhenLeftOut[Phone] = None
    name: Name | None = None
    email: Email | None = None
    avatar_url: AvatarUrl | None = None
    external_id: ExternalId | None = None
    external_ids: KeptWhenLeftOut[ExternalIds] = None
    company_id: CompanyId | None = None
    company_role: CompanyRole | None = Field(default=None, alias="papelNaEmpresa")
    cpf: Cpf | None = None
    cnpj: Cnpj | None = None
    birth_date: BirthDate | None = None
    tags: KeptWhenLeftOut[Tags] = None
    tags_to_add: KeptWhenLeftOut[Tags] = Field(default=None, alias="tagsAdicionar")
    tags_to_remove: KeptWhenLeftOut[Tags] = Field(default=None, alias="tagsRemover")
    attributes: KeptWhenLeftOut[Attributes] = None
    attributes_to_merge: KeptWhenLeftOut[Attributes] = Field(
        default=None, alias="attributesMesclar"
    )
    debtor_groups: KeptWhenLeftOut[DebtorGroups] = None
    opt_in: KeptWhenLeftOut[OptIn] = None
    source: KeptWhenLeftOut[Source] = None
