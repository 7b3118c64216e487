"""What holds lists and their members still while they change.

Whoever takes both locks takes them in the order in which they stand here.
"""

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.lists.models import ContactList


async def hold_members_apart_from_erasures(caller: Caller, *, erasing: bool = False) -> None:
    """Until the transaction ends, no contact of the caller is erased while another is put on a
    list.

    A lock of its own instead of a foreign key, which would check 50,000 contacts one by one.
    """
    shared = "" if erasing else "_shared"
    await db.execute(
        f"SELECT pg_advisory_xact_lock{shared}(hashtextextended('list members ' || $1 || $2, 0))",
        caller.organization_id,
        caller.env,
    )


async def lock_list(caller: Caller, id: str) -> ContactList:
    """The list, held until the transaction ends: its size and its members move together. Raises
    NotFound.
    """
    return await ContactList.own(caller, "lst", id, lock=True)
