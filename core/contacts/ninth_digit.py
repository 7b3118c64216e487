"""Whether an organization holds a Brazilian mobile with and without its ninth digit for one phone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, cast

from core import audit, organizations
from core.contacts.identity import identity_of_phone
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import conflict_as
from core.foundation.errors import Conflict
from core.foundation.security.caller import system_caller

BATCH_SIZE = 5000


class BothFormsRegistered(Conflict):
    default_detail = (
        "Some contacts have the same mobile with and without its ninth digit; keep "
        "one of each pair, then try again."
    )


@dataclass(frozen=True, slots=True)
class Refiled:
    """How many contacts got another key."""

    contacts: int


async def unify_ninth_digit(organization_id: str, unified: bool) -> Refiled:
    """Switch the setting and file the contacts anew, all or nothing, in both environments; their
    denials follow them.

    Denials of phones without a contact are known by their hash alone: they stay in force for the
    form they were sent in. Processes notice within two seconds; called again after that, it files
    what was created meanwhile. Raises NoSuchOrganization and BothFormsRegistered.
    """
    refiled = 0
    async with transaction():
        await organizations.set_ninth_digit(organization_id, unified)
        after = ""
        while batch := await db.fetch(NEXT, organization_id, after, BATCH_SIZE):
            refiled += await _refile(
                organization_id, cast("list[PhoneRow]", batch), unified=unified
            )
            after = batch[-1]["id"]
        facts = {"unifies": unified, "contacts": refiled}
        await audit.write_entry(
            system_caller(organization_id, "live"),
            "ninth_digit.set",
            organization_id,
            facts,
            at=now(),
        )
    return Refiled(refiled)


class PhoneRow(TypedDict):
    """A contact whose phone lacks its ninth digit."""

    id: str
    phone: str


async def _refile(organization_id: str, batch: Sequence[PhoneRow], *, unified: bool) -> int:
    identities = [
        identity_of_phone(organization_id, row["phone"], unified=unified) for row in batch
    ]
    with conflict_as({"contacts_phone_key": BothFormsRegistered}):
        return int(await db.fetchval(REFILE, column(batch, "id"), identities))


# The mobiles that lack their ninth digit; all other phones have one form and one key.
NEXT = r"""
SELECT id, phone FROM contacts
WHERE organization_id = $1 AND id > $2 AND phone ~ '^\+55[1-9][0-9][6-9][0-9]{7}$'
ORDER BY id LIMIT $3
"""

REFILE = """
WITH filed AS (
    SELECT c.id, c.organization_id, c.env, c.identity AS before, f.identity AS after
    FROM unnest($1::text[], $2::bytea[]) AS f (id, identity) JOIN contacts c ON c.id = f.id
    WHERE c.identity <> f.identity
), moved AS (
    UPDATE contacts c SET identity = f.after FROM filed f WHERE c.id = f.id
), denied AS (
    INSERT INTO contact_denials (organization_id, env, identity, channel, reason, source, denied_at, created_at)
    SELECT d.organization_id, d.env, f.after, d.channel, d.reason, d.source, d.denied_at, d.created_at
    FROM filed f JOIN contact_denials d
      ON d.organization_id = f.organization_id AND d.env = f.env AND d.identity = f.before
    ON CONFLICT DO NOTHING
), consented AS (
    UPDATE contact_consents l SET identity = f.after FROM filed f
    WHERE l.organization_id = f.organization_id AND l.env = f.env AND l.contact_id = f.id
)
SELECT count(*) FROM filed
"""
