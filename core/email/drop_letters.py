"""Letters that do not leave any more."""

from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def drop_letters(caller: Caller, messages: Sequence[str]) -> None:
    """The letters to a person who is erased: a message whose letter has not left fails when it is due."""
    await db.execute(DROP, caller.organization_id, caller.env, list(messages))


async def delete_letters(messages: Sequence[str]) -> None:
    """Delete the letters of messages that are gone."""
    await db.execute("DELETE FROM email_letters WHERE message_id = ANY ($1)", list(messages))


DROP = "DELETE FROM email_letters WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"
