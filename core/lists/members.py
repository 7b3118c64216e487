"""Who is on a list: added, replaced and removed by identifiers of three kinds, set-based."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from core import contacts
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.phones import NotAPhone, parse_phone
from core.lists.errors import NobodyMatched
from core.lists.inputs import Members
from core.lists.locks import hold_members_apart_from_erasures, lock_list
from core.lists.record import MembersMoved

SAMPLE = 100
"""Identifiers of each kind that are named when they belong to nobody."""


async def add_members(caller: Caller, id: str, members: Members) -> MembersMoved:
    """Put contacts on a list; nobody leaves. Raises NotFound for the list; identifiers of nobody
    are counted and sampled.
    """
    return await _move(caller, id, members, "add")


async def replace_members(caller: Caller, id: str, members: Members) -> MembersMoved:
    """Make the list exactly these contacts; the same answer. Raises NotFound and NobodyMatched."""
    return await _move(caller, id, members, "replace")


async def remove_members(caller: Caller, id: str, members: Members) -> MembersMoved:
    """Take contacts off a list; they stay contacts. The same answer. Raises NotFound."""
    return await _move(caller, id, members, "remove")


async def put_members(caller: Caller, id: str, contact_ids: Sequence[str], *, at: datetime) -> int:
    """Put contacts on a list, in a transaction that holds them apart from erasures; answers how
    many are new on it.

    The ids are the caller's contacts. Raises NotFound for the list.
    """
    await lock_list(caller, id)
    added = await db.execute(PUT, caller.organization_id, caller.env, id, list(contact_ids), at)
    if added:
        await db.execute(
            "UPDATE contact_lists SET size = size + $2, updated_at = $3 WHERE id = $1 AND organization_id = $4",
            id,
            added,
            at,
            caller.organization_id,
        )
    return added


async def _move(
    caller: Caller, id: str, members: Members, how: Literal["add", "replace", "remove"]
) -> MembersMoved:
    caller.require(Scope.CONTACTS_WRITE)
    # Beside the loop: to read 50,000 foreign numbers takes longer than others should wait for
    # theirs.
    phones = await asyncio.to_thread(_by_identity, caller, members.phones)
    async with transaction():
        await hold_members_apart_from_erasures(caller)
        await lock_list(caller, id)
        row = await db.fetch_one(
            STATEMENTS[how],
            caller.organization_id,
            caller.env,
            id,
            list(dict.fromkeys(members.external_ids)),
            list(dict.fromkeys(members.contact_ids)),
            list(phones),
            now(),
        )
        if how == "replace" and not row["matched"]:
            raise NobodyMatched
    return {
        "listId": id,
        "matched": row["matched"],
        "added": row["added"],
        "removed": row["removed"],
        "total": row["size"],
        "notFoundCount": row["missing"],
        "notFound": {
            "externalIds": row["no_external_ids"],
            "contactIds": row["no_contact_ids"],
            "phones": [phones[identity] for identity in row["no_phones"]],
        },
    }


def _by_identity(caller: Caller, phones: list[str]) -> dict[bytes, str]:
    """The phones as they were sent, by the hash under which a contact is known.

    What is no phone belongs to nobody: it gets a key that no contact can have.
    """
    known: dict[bytes, str] = {}
    for text in phones:
        try:
            identity = contacts.phone_identity(caller, parse_phone(text))
        except NotAPhone:
            identity = text.encode()
        known.setdefault(identity, text)
    return known


# Of rows that were there already Citus would count each as one that was written.
PUT = """/* whole */
INSERT INTO contact_list_members (organization_id, env, list_id, contact_id, created_at)
SELECT $1, $2, $3, id, $5 FROM unnest($4::text[]) AS id ON CONFLICT (list_id, contact_id) DO NOTHING
"""

# One branch per kind of identifier, each on its own index; an OR over the three would scan.
MATCHED = """
WITH by_external_id AS (
    SELECT c.id, c.external_id AS key FROM contacts c
    WHERE c.organization_id = $1 AND c.env = $2 AND c.external_id = ANY ($4)
), by_contact_id AS (
    SELECT c.id FROM contacts c WHERE c.organization_id = $1 AND c.env = $2 AND c.id = ANY ($5)
), by_phone AS (
    SELECT c.id, c.identity AS key FROM contacts c
    WHERE c.organization_id = $1 AND c.env = $2 AND c.identity = ANY ($6)
), matched AS (
    SELECT id FROM by_external_id UNION SELECT id FROM by_contact_id UNION SELECT id FROM by_phone
), missing AS (
    SELECT cardinality($4::text[]) - (SELECT count(*) FROM by_external_id) AS external_ids,
           cardinality($5::text[]) - (SELECT count(*) FROM by_contact_id) AS contact_ids,
           cardinality($6::bytea[]) - (SELECT count(*) FROM by_phone) AS phones
)"""

# The samples are looked for only where something is missing.
ANSWER = f"""
SELECT (SELECT count(*) FROM matched) AS matched, moved.added, moved.removed, (SELECT size FROM resized) AS size,
       missing.external_ids + missing.contact_ids + missing.phones AS missing,
       CASE WHEN missing.external_ids = 0 THEN '{{}}' ELSE ARRAY(
           SELECT unnest($4) EXCEPT SELECT key FROM by_external_id ORDER BY 1 LIMIT {SAMPLE}) END AS no_external_ids,
       CASE WHEN missing.contact_ids = 0 THEN '{{}}' ELSE ARRAY(
           SELECT unnest($5) EXCEPT SELECT id FROM by_contact_id ORDER BY 1 LIMIT {SAMPLE}) END AS no_contact_ids,
       CASE WHEN missing.phones = 0 THEN '{{}}' ELSE ARRAY(
           SELECT unnest($6) EXCEPT SELECT key FROM by_phone ORDER BY 1 LIMIT {SAMPLE}) END AS no_phones
FROM missing, moved"""

ADDED = """, added AS (
    INSERT INTO contact_list_members (organization_id, env, list_id, contact_id, created_at)
    SELECT $1, $2, $3, id, $7 FROM matched ON CONFLICT (list_id, contact_id) DO NOTHING RETURNING 1
)"""
NONE_ADDED = ", added AS (SELECT WHERE false)"

REMOVED = """, removed AS (
    DELETE FROM contact_list_members
    WHERE organization_id = $1 AND list_id = $3 AND contact_id IN (SELECT id FROM matched) RETURNING 1
)"""
OTHERS_REMOVED = """, removed AS (
    DELETE FROM contact_list_members WHERE organization_id = $1 AND list_id = $3 AND NOT EXISTS (
        SELECT FROM matched WHERE id = contact_id) RETURNING 1
)"""
NONE_REMOVED = ", removed AS (SELECT WHERE false)"

RESIZED = """, moved AS (
    SELECT (SELECT count(*) FROM added) AS added, (SELECT count(*) FROM removed) AS removed
), resized AS (
    UPDATE contact_lists l SET size = l.size + moved.added - moved.removed,
           updated_at = CASE WHEN moved.added + moved.removed > 0 THEN $7 ELSE l.updated_at END
    FROM moved WHERE l.organization_id = $1 AND l.id = $3 RETURNING l.size
)"""

STATEMENTS = {
    "add": MATCHED + ADDED + NONE_REMOVED + RESIZED + ANSWER,
    "replace": MATCHED + ADDED + OTHERS_REMOVED + RESIZED + ANSWER,
    "remove": MATCHED + NONE_ADDED + REMOVED + RESIZED + ANSWER,
}
