"""Whom the identifiers of an event name."""

from core import contacts
from core.customer_events.errors import AmbiguousEmail, DifferentContacts
from core.customer_events.inputs import EventContact
from core.foundation.database import db
from core.foundation.security.caller import Caller

KINDS = ("contactId", "externalId", "phone", "email")


async def find_contact(caller: Caller, who: EventContact) -> tuple[str | None, str | None]:
    """The (id, externalId) of the one contact that the identifiers name; its absence is no error.
    It is not erased before the transaction ends.

    Raises DifferentContacts, and AmbiguousEmail where nothing else tells who is meant.
    """
    identity = contacts.phone_identity(caller, who.phone) if who.phone else None
    rows = await db.fetch(
        FIND,
        caller.organization_id,
        caller.env,
        who.contact_id,
        who.external_id,
        identity,
        who.email,
    )
    named: dict[str, dict[str, str | None]] = {}
    for row in rows:
        named.setdefault(row["kind"], {})[row["id"]] = row["external_id"]
    sure = {
        id: external
        for kind, found in named.items()
        if kind != "email"
        for id, external in found.items()
    }
    by_email = named.get("email", {})
    if len(sure) > 1 or (sure and by_email and not sure.keys() & by_email.keys()):
        raise DifferentContacts([kind for kind in KINDS if kind in named])
    if not sure and len(by_email) > 1:
        raise AmbiguousEmail
    return next(iter((sure or by_email).items()), (None, None))


# One branch per kind of identifier, each on its own index. By the id alone (OFFSET 0), whoever it belongs to: of an
# organization that PostgreSQL takes for small, all contacts would be looked at, once for each of them. Who is found is held
# until the transaction ends: an erasure that comes meanwhile waits, and then takes the event off the contact too.
FIND = """
WITH named AS (
    SELECT 'contactId' AS kind, id FROM (SELECT * FROM contacts WHERE id = $3 OFFSET 0) AS c
    WHERE organization_id = $1 AND env = $2
    UNION ALL
    SELECT 'externalId', id FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = $4
    UNION ALL
    SELECT 'phone', id FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = $5
    UNION ALL
    (SELECT 'email', id FROM contacts
     WHERE organization_id = $1 AND env = $2 AND lower(email) = lower($6::text) AND email IS NOT NULL LIMIT 20)
)
SELECT named.kind, c.id, c.external_id FROM named JOIN contacts c ON c.id = named.id
ORDER BY c.id FOR KEY SHARE OF c
"""
