"""Whose the platform's ids are, across cells: notices name nothing else."""

from core.cells import KeyKind, hash_of, note_key, reads_keys, take_name
from core.foundation.database import db
from core.foundation.errors import Conflict
from core.foundation.security.caller import Caller


async def note_lines(caller: Caller, line: str, account: str | None, taken: type[Conflict]) -> None:
    """Let notices about a number or an account, and about the business account above it, find the
    caller's organization, in the transaction that writes the line. Raises `taken` where somebody of
    another cell has it.
    """
    named = hash_of(KeyKind.PLATFORM_ID, line)
    if not await take_name(
        KeyKind.PLATFORM_ID, named, caller.organization_id, look=WHOSE, key=line
    ):
        raise taken
    if account is not None:
        above = hash_of(KeyKind.PLATFORM_ID, account)
        await note_key(KeyKind.PLATFORM_ID, above, caller.organization_id)


WHOSE = """
SELECT organization_id FROM numbers WHERE phone_number_id = $1
UNION ALL SELECT organization_id FROM instagram_accounts WHERE instagram_id = $1 LIMIT 1
"""


async def _hashes_of_lines(organization_id: str) -> list[bytes]:
    rows = await db.fetch(LINES, organization_id)
    return [hash_of(KeyKind.PLATFORM_ID, row["line"]) for row in rows]


LINES = """
SELECT phone_number_id AS line FROM numbers WHERE organization_id = $1
UNION SELECT waba_id FROM numbers WHERE organization_id = $1
UNION SELECT instagram_id FROM instagram_accounts WHERE organization_id = $1
"""

reads_keys(KeyKind.PLATFORM_ID, _hashes_of_lines)
