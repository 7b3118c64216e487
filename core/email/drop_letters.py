"""Letters to a person who is erased."""

from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def drop_letters(caller: Caller, messages: Sequence[str]) -> None:
    """A letter that has not left yet does not leave any more: its message fails when it is due."""
    await db.execute(DROP, caller.organization_id, caller.env, list(messages))


DROP = "DELETE FROM email_letters WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"
