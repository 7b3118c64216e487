"""Reading contacts by id."""

from collections.abc import Sequence

from core.contacts.opt_outs import opt_outs_of_rows
from core.contacts.record import (
    COLUMNS,
    CONTACT,
    SINGLE_CONTACT,
    ContactRecord,
    SingleContactRecord,
)
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def get_contact(caller: Caller, id: str) -> SingleContactRecord:
    """One contact of the caller's organization and environment, with its documents masked and its
    opt-outs. Raises NotFound.
    """
    caller.require(Scope.CONTACTS_READ)
    row = await contact_row(caller, id)
    record = SINGLE_CONTACT.make_for(caller, row)
    record["optOuts"] = (await opt_outs_of_rows(caller, [row]))[id]
    return record


async def contacts_by_ids(caller: Caller, ids: Sequence[str]) -> list[ContactRecord | None]:
    """The records of many contacts in one query, in the order asked; None where there is none."""
    caller.require(Scope.CONTACTS_READ)
    rows = await db.fetch(
        f"{SELECT} AND id = ANY ($3::text[])", caller.organization_id, caller.env, list(ids)
    )
    records = {row["id"]: CONTACT.make_for(caller, row) for row in rows}
    return [records.get(id) for id in ids]


async def contact_row(caller: Caller, id: str) -> db.Row:
    """The row of a contact of the caller. Raises NotFound."""
    row = (
        await db.fetchrow(SELECT_ONE, caller.organization_id, caller.env, id)
        if is_id("cnt", id)
        else None
    )
    if row is None:
        raise NotFound
    return row


SELECT = f"SELECT {COLUMNS} FROM contacts WHERE organization_id = $1 AND env = $2"
"""The beginning of every read: the caller's organization is $1, its environment $2."""

SELECT_ONE = f"""
SELECT {COLUMNS}, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3
"""
