"""The types of the schema. Their values are the records of core as they are: no resolver runs for a field."""

from typing import Any, NewType

import strawberry
from strawberry.scalars import JSON
from strawberry.utils.str_converters import to_camel_case

DateTime = NewType("DateTime", str)
"""A moment as the interface writes it."""


def value_of(record: dict[str, Any], name: str) -> Any:
    """A field of a record; those without a value are absent there, and null here."""
    return record.get(to_camel_case(name))


@strawberry.type
class Organization:
    id: strawberry.ID


@strawberry.type(description="Whose credential this is, and what it may do.")
class Me:
    organization: Organization
    env: str
    scopes: list[str]


@strawberry.type
class OptIn:
    status: str
    source: str | None
    at: DateTime | None
    ip: str | None
    user_agent: str | None
    revoked_at: DateTime | None
    revoked_reason: str | None


@strawberry.type(description="Phones are masked unless the credential has pii:full.")
class Contact:
    id: strawberry.ID
    organization_id: strawberry.ID
    phone: str
    phone_hash: str
    name: str | None
    email: str | None
    avatar_url: str | None
    whatsapp_profile_name: str | None
    cpf_cipher: str | None
    cnpj_cipher: str | None
    birth_date_cipher: str | None
    attributes: JSON
    debtor_groups: JSON | None
    tags: list[str]
    opt_in: OptIn
    source: str
    external_id: str | None
    external_ids: JSON | None
    company_id: strawberry.ID | None
    papel_na_empresa: str | None
    last_interaction_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime


@strawberry.type
class PageInfo:
    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class ContactConnection:
    nodes: list[Contact]
    page_info: PageInfo
    total_count: int
    warnings: list[str] = strawberry.field(description="Parts of the filter that were left out, as in REST.")
