"""What a card may point to: contacts, companies and active members of its own organization."""

from collections.abc import Iterable
from dataclasses import dataclass

from core import organizations
from core.contacts.company import hold_companies
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller

CONTACT = "This organization has no such contact"
COMPANY = "This organization has no such company"
MEMBER = "This is no active member of the organization"
MESSAGE = "This organization has no such message"


@dataclass(frozen=True, slots=True)
class KnownLinks:
    """Those of the ids asked for that may be pointed to."""

    contacts: frozenset[str] = frozenset()
    companies: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()


NOTHING = KnownLinks()


async def hold_links(
    caller: Caller,
    *,
    contacts: Iterable[str | None] = (),
    companies: Iterable[str | None] = (),
    members: Iterable[str | None] = (),
    messages: Iterable[str | None] = (),
) -> KnownLinks:
    """Which of these may be pointed to. Contacts and companies are not deleted before the
    transaction ends.

    Companies are held first, then contacts, then pipelines, stages and cards: in this order for
    all.
    """
    known_companies = await hold_companies(caller, companies)
    return KnownLinks(
        await _held(caller, "contacts", contacts),
        known_companies,
        await _active(caller, members),
        await _held(caller, "messages", messages),
    )


async def _held(caller: Caller, table: str, ids: Iterable[str | None]) -> frozenset[str]:
    wanted = [id for id in ids if id is not None]
    rows = await db.fetch_for(
        wanted,
        f"SELECT id FROM {table} WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) ORDER "
        f"BY id FOR KEY SHARE",
        caller.organization_id,
        caller.env,
        wanted,
    )
    return frozenset(column(rows, "id"))


async def _active(caller: Caller, ids: Iterable[str | None]) -> frozenset[str]:
    wanted = [id for id in ids if id is not None]
    return await organizations.active_members(caller, wanted) if wanted else frozenset()
