"""Contacts written as rows: for tests that care for a state and not for how it came about."""

import itertools
from typing import Any

from core import contacts
from core.contacts import Contact
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller

_places = itertools.count()


async def stored_contact(caller: Caller, **fields: Any) -> str:
    """A contact with these columns; a phone of its own unless one is given. Answers its id."""
    (id,) = await stored_contacts(caller, [fields])
    return id


async def stored_contacts(caller: Caller, rows: list[dict[str, Any]]) -> list[str]:
    """Several at once."""
    made = [_contact(caller, fields) for fields in rows]
    await Contact.bulk_create(made)
    return [contact.id for contact in made]


def _contact(caller: Caller, fields: dict[str, Any]) -> Contact:
    at = now()
    phone = fields.get("phone", f"+55119{70_000_000 + next(_places)}")
    plain = {
        "id": new_id("cnt"), "attributes": {}, "tags": [], "source": "api", "created_at": at, "updated_at": at,
    }  # fmt: skip
    return Contact(
        **owned_by(caller),
        identity=contacts.identity_of_phone(caller.organization_id, phone),
        **{**plain, **fields, "phone": phone},
    )


def phones(number: int, *, first: int = 0) -> list[str]:
    """Different mobiles of São Paulo."""
    return [f"+55119{80_000_000 + place}" for place in range(first, first + number)]
