"""Reading and writing rows of contacts, any number in one statement."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypedDict, cast

import orjson

from core.contacts.errors import ExternalIdTaken, PhoneAlreadyRegistered
from core.contacts.inputs import NewContact
from core.contacts.models import CompanyRole, Contact, OptInStatus, Source
from core.contacts.record import COLUMNS
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.tenancy import column_types
from core.foundation.database.unique_violations import conflict_as
from core.foundation.security.caller import Caller, Env


class AddressesRow(TypedDict):
    """What a contact may have been denied under."""

    identity: bytes
    email: str | None


class ContactRow(AddressesRow):
    """A row of `contacts`: the columns that rules speak of. The others travel with them unnamed."""

    id: str
    organization_id: str
    env: Env
    phone: str
    name: str | None
    cpf_cipher: str | None
    cnpj_cipher: str | None
    birth_date_cipher: str | None
    attributes: dict[str, Any]
    debtor_groups: list[dict[str, object]] | None
    tags: list[str]
    opt_in_status: OptInStatus
    opt_in_source: str | None
    opt_in_at: datetime | None
    opt_in_ip: str | None
    opt_in_user_agent: str | None
    opt_in_revoked_at: datetime | None
    opt_in_revoked_reason: str | None
    source: Source
    external_id: str | None
    external_ids: dict[str, str] | None
    company_id: str | None
    company_role: CompanyRole | None
    created_at: datetime
    updated_at: datetime


_one_of_each = partial(
    conflict_as,
    {"contacts_phone_key": PhoneAlreadyRegistered, "contacts_external_id_key": ExternalIdTaken},
)

FIXED = ("id", "phone", "created_at")
NOT_WRITTEN = {"organization_id", "env", "identity", "search_text", *FIXED}
# What a change may touch, with the types of PostgreSQL. `identity` travels as hexadecimal text.
CHANGEABLE = {
    name: type
    for name, type in column_types(Contact).items()
    if name not in NOT_WRITTEN | {"whatsapp_profile_name", "last_interaction_at"}
}
MADE_OF_OBJECTS = {"debtor_groups", "external_ids", "opt_in"}
STORED_AS_SENT = frozenset(NewContact.model_fields.keys() & CHANGEABLE.keys() - MADE_OF_OBJECTS)
"""Columns that hold what a new contact says of the same name. Its phone is one that no change touches."""


async def insert_contacts(
    caller: Caller, rows: Sequence[ContactRow], *, skip_clashes: bool = False
) -> set[str]:
    """Insert rows and answer the ids that are in. A taken phone or externalId is refused by its
    name, or, with `skip_clashes`, left out.

    Raises PhoneAlreadyRegistered and ExternalIdTaken.
    """
    with _one_of_each():
        inserted = await db.fetch(
            INSERT + (" ON CONFLICT DO NOTHING" if skip_clashes else "") + " RETURNING id",
            caller.organization_id,
            caller.env,
            _as_json(rows),
        )
    return set(column(inserted, "id"))


async def update_contacts(caller: Caller, rows: Sequence[ContactRow]) -> None:
    """Write every changeable column of rows that this transaction has locked. Raises
    ExternalIdTaken.
    """
    with _one_of_each():
        await db.execute(UPDATE, caller.organization_id, caller.env, _as_json(rows))


def _as_json(rows: Sequence[ContactRow]) -> str:
    return orjson.dumps(rows, default=bytes.hex).decode()


def _recordset(columns: dict[str, str]) -> str:
    return f"json_to_recordset($3::json) AS c ({', '.join(f'{name} {type}' for name, type in columns.items())})"


_KEPT = {name: column_types(Contact)[name] for name in FIXED}
_COPIED = {**_KEPT, **CHANGEABLE}

INSERT = f"""
INSERT INTO contacts (organization_id, env, identity, {", ".join(_COPIED)})
SELECT $1, $2, decode(c.identity, 'hex'), {", ".join(f"c.{name}" for name in _COPIED)}
FROM {_recordset({"identity": "text", **_COPIED})}
ORDER BY c.identity"""

UPDATE = f"""
UPDATE contacts t SET {", ".join(f"{name} = c.{name}" for name in CHANGEABLE)}
FROM {_recordset({"id": "text", **CHANGEABLE})}
WHERE t.id = c.id AND t.organization_id = $1 AND t.env = $2"""


async def lock_contacts(
    caller: Caller,
    *,
    ids: Sequence[str] = (),
    identities: Sequence[bytes] = (),
    external_ids: Sequence[str] = (),
) -> list[ContactRow]:
    """The contacts that any of these names, held until the transaction ends; locked in one order
    for all.
    """
    rows = await db.fetch(
        LOCK, caller.organization_id, caller.env, list(ids), list(identities), list(external_ids)
    )
    return [cast("ContactRow", dict(row)) for row in rows]


# One branch for each index; an OR over the three would scan. ARRAY, not IN: without fresh
# statistics the planner would join the found ids with all contacts of the organization.
LOCK = f"""
SELECT {COLUMNS}, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY (ARRAY (
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($4::bytea[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = ANY ($5::text[])))
ORDER BY id FOR UPDATE
"""
