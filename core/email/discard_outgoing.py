"""E-mails that do not leave any more."""

from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def discard_outgoing(caller: Caller, messages: Sequence[str]) -> None:
    """The e-mails to a person who is erased: a message whose e-mail has not left fails when it is
    due.
    """
    await db.execute(DROP, caller.organization_id, caller.env, list(messages))


async def delete_outgoing(messages: Sequence[str]) -> None:
    """Delete the e-mails of messages that are gone."""
    await db.execute("DELETE FROM email_letters WHERE message_id = ANY ($1)", list(messages))


DROP = "DELETE FROM email_letters WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"
