"""What callers may say about a contact."""

import re
from typing import Annotated

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


def _text_of_number(value: object) -> object:
    """Ids are often numbers in the caller's system."""
    return str(value) if type(value) is int else value


def _once(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


Name = Annotated[str, NameText(200), Field(description="What the person is called")]
Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=254),
    AfterValidator(_email),
    Field(description="The person's e-mail address"),
]
ExternalId = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    BeforeValidator(_text_of_number),
    Field(description="The id in your own system; no two contacts have the same"),
]
CompanyId = Annotated[
    str,
    StringConstraints(min_length=1, max_length=30),
    Field(description="The company that the person belongs to"),
]
Role = Annotated[CompanyRole, Field(description="The part that the person plays in the company")]
Tag = Annotated[str, NameText(64)]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS), AfterValidator(_once)]
"""Trimmed, each once, in the order sent."""
PHONE = "The phone in any written form, Brazilian where no country is given"
EXTERNAL_IDS = "The person's ids in integrated systems"
GROUPS = "The person's debts, by company"
CONSENT = "What the person consented to"
SOURCE = "What makes the contact"


class OptIn(Input):
    """What a contact consented to. Dates count for API keys alone; for everybody else it is now."""

    status: OptInStatus = Field(description="The consent")
    source: Annotated[str, StringConstraints(max_length=120)] | None = Field(
        default=None, description="Where the person gave or took back the consent"
    )
    at: UtcTime | None = Field(default=None, description="When it was granted")
    ip: Annotated[str, StringConstraints(max_length=45)] | None = Field(
        default=None, description="The network address that the consent came from"
    )
    user_agent: Annotated[str, StringConstraints(max_length=400)] | None = Field(
        default=None, description="The browser that the consent came from"
    )
    revoked_at: UtcTime | None = Field(default=None, description="When it was taken back")
    revoked_reason: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="Why it was taken back"
    )


class DebtorGroup(Input):
    """Debts of a contact with one company. Amounts are cents of BRL."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="Names the debts in your own system"
    )
    company: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="With whom the debts are"
    )
    phones: Annotated[list[Phone], Field(max_length=50)] = Field(
        description="Whom to speak to about the debts"
    )
    amount_cents: Annotated[int, Field(ge=0, le=2**53 - 1)] | None = Field(
        default=None, description="What is owed, in cents of BRL"
    )
    status: DebtStatus | None = Field(default=None, description="Whether the debts are overdue")
    reference: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="The number of the contract or the invoice"
    )


_IntegrationId = Annotated[str, StringConstraints(min_length=1, max_length=200)] | None


class ExternalIds(Input):
    """The contact's ids in integrated systems."""

    integration_a: _IntegrationId = Field(
        default=None, alias="integration_a", description="The id in the first of them"
    )
    integration_b: _IntegrationId = Field(
        default=None, alias="integration_b", description="The id in the second of them"
    )
    integration_c: _IntegrationId = Field(
        default=None, alias="integration_c", description="The id in the third of them"
    )
    integration_d: _IntegrationId = Field(
        default=None, alias="integration_d", description="The id in the fourth of them"
    )


DebtorGroups = Annotated[list[DebtorGroup], Field(max_length=100)]


class NewContact(Input):
    """A person to write to. The phone, read as Brazilian where no country is given, is the natural
    identity.
    """

    phone: Phone = Field(description=PHONE)
    name: Name | None = None
    email: Email | None = None
    avatar_url: AvatarUrl | None = None
    external_id: ExternalId | None = None
    external_ids: ExternalIds | None = Field(default=None, description=EXTERNAL_IDS)
    company_id: CompanyId | None = None
    company_role: Role | None = Field(default=None, alias="papelNaEmpresa")
    cpf: Cpf | None = None
    cnpj: Cnpj | None = None
    birth_date: BirthDate | None = None
    tags: Tags = Field(default=[], description="Words to group contacts by")
    attributes: Attributes = Field(default={}, description="Free data about the person, flat")
    debtor_groups: DebtorGroups | None = Field(default=None, description=GROUPS)
    opt_in: OptIn | None = Field(default=None, description=CONSENT)
    source: Source = Field(default=Source.MANUAL, description=SOURCE)


class ContactChanges(Changes):
    """What to change. A null clears the field; `tags` and `attributes` replace what is stored, the
    others add to it.
    """

    phone: KeptWhenLeftOut[Phone] = Field(
        default=None, description="The phone of the contact: it cannot become another person's"
    )
    name: Name | None = None
    email: Email | None = None
    avatar_url: AvatarUrl | None = None
    external_id: ExternalId | None = None
    external_ids: KeptWhenLeftOut[ExternalIds] = Field(default=None, description=EXTERNAL_IDS)
    company_id: CompanyId | None = None
    company_role: Role | None = Field(default=None, alias="papelNaEmpresa")
    cpf: Cpf | None = None
    cnpj: Cnpj | None = None
    birth_date: BirthDate | None = None
    tags: KeptWhenLeftOut[Tags] = Field(
        default=None, description="In the place of those that are stored"
    )
    tags_to_add: KeptWhenLeftOut[Tags] = Field(
        default=None, alias="tagsAdicionar", description="Put beside those that are stored"
    )
    tags_to_remove: KeptWhenLeftOut[Tags] = Field(
        default=None, alias="tagsRemover", description="Taken off those that are stored"
    )
    attributes: KeptWhenLeftOut[Attributes] = Field(
        default=None, description="In the place of those that are stored"
    )
    attributes_to_merge: KeptWhenLeftOut[Attributes] = Field(
        default=None,
        alias="attributesMesclar",
        description="Put over those that are stored, key by key",
    )
    debtor_groups: KeptWhenLeftOut[DebtorGroups] = Field(default=None, description=GROUPS)
    opt_in: KeptWhenLeftOut[OptIn] = Field(default=None, description=CONSENT)
    source: KeptWhenLeftOut[Source] = Field(default=None, description=SOURCE)
