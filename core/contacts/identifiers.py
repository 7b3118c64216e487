"""Contacts by any of their identifiers, many in a call."""

from collections.abc import Iterable, Sequence
from typing import Annotated, cast

from pydantic import Field
from pydantic_core import PydanticCustomError

from core.contacts.identity import phone_identity
from core.contacts.inputs import Email
from core.contacts.record import COLUMNS, ContactsNotFound
from core.contacts.write import ContactRow
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input, Phone
from core.foundation.validation.validation_errors import across

MAX_IDENTIFIERS = 10_000
SAMPLE = 100
"""Identifiers of each kind that are named when they belong to nobody."""

Ids = Annotated[list[str], Field(max_length=MAX_IDENTIFIERS)]


class Identifiers(Input):
    """At least one identifier, at most 10,000 together."""

    phones: Annotated[list[Phone], Field(max_length=MAX_IDENTIFIERS)] = Field(
        default=[], description="Phones in any written form"
    )
    contact_ids: Ids = Field(default=[], description="Ids of contacts")
    external_ids: Ids = Field(default=[], description="Ids of your own system")
    emails: Annotated[list[Email], Field(max_length=MAX_IDENTIFIERS)] = Field(
        default=[], validate_default=True, description="E-mail addresses; several may have one"
    )

    @across("phones", "contact_ids", "external_ids", "emails")
    @staticmethod
    def _as_many_as_allowed(*identifiers: list[str]) -> None:
        named = sum(map(len, identifiers))
        if named == 0:
            raise PydanticCustomError(
                "required", "Send at least one of phones, contactIds, externalIds and emails"
            )
        if named > MAX_IDENTIFIERS:
            raise PydanticCustomError(
                "too_many", "Send at most 10,000 identifiers in a call, and the rest in another"
            )

    def identities(self, caller: Caller) -> set[bytes]:
        """The hashes of the phones."""
        return {phone_identity(caller, phone) for phone in self.phones}

    def addresses(self) -> set[str]:
        """The e-mail addresses, in small letters."""
        return {email.lower() for email in self.emails}


async def lock_identified(caller: Caller, named: Identifiers) -> list[ContactRow]:
    """Every contact that an identifier names, locked; an e-mail may name several."""
    rows = await db.fetch(
        NAMED,
        caller.organization_id,
        caller.env,
        named.contact_ids,
        named.external_ids,
        list(named.identities(caller)),
        list(named.addresses()),
    )
    return [cast("ContactRow", dict(row)) for row in rows]


def not_found(named: Identifiers, found: Sequence[ContactRow]) -> ContactsNotFound:
    """The ids that name no contact."""
    contact_ids = _missing(named.contact_ids, (column(found, "id")))
    external_ids = _missing(named.external_ids, (column(found, "external_id")))
    return {
        "notFoundCount": len(contact_ids) + len(external_ids),
        "notFound": {"contactIds": contact_ids[:SAMPLE], "externalIds": external_ids[:SAMPLE]},
    }


def emails_of(rows: Sequence[ContactRow]) -> set[str]:
    """Their e-mail addresses, in small letters."""
    return {row["email"].lower() for row in rows if row["email"] is not None}


def _missing(named: Sequence[str], found: Iterable[str | None]) -> list[str]:
    there = set(found)
    return [id for id in dict.fromkeys(named) if id not in there]


# One branch for each index; an OR over the four would scan.
NAMED = f"""
SELECT {COLUMNS}, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id IN (
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = ANY ($4::text[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($5::bytea[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND lower(email) = ANY (
        ARRAY(SELECT lower(e) FROM unnest($6::text[]) AS e)))
ORDER BY id FOR UPDATE
"""
