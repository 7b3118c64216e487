"""An SMS as its provider gets it."""

import structlog

from core.foundation.database import db
from core.foundation.security.secrets import CannotDecrypt
from core.messaging import Channel
from core.providers.contracts import Outgoing
from core.sms.sealed_text import unseal

log = structlog.get_logger()


def outgoing_of(row: db.Row) -> Outgoing | None:
    """The message with the text that was kept of it; None where none was, or its key is gone."""
    text = _text_of(row)
    if text is None:
        return None
    return Outgoing(
        id=row["id"],
        channel=Channel.SMS,
        to=row["recipient"],
        text=text,
        content=None,
        route=row["route"],
        sender_id=row["sender_id"],
        organization_id=row["organization_id"],
        segments=row["segments"],
    )


def _text_of(row: db.Row) -> str | None:
    try:
        return unseal(row["id"], row["sealed_text"]) if row["sealed_text"] is not None else None
    except CannotDecrypt:
        log.warning("text_unreadable", message_id=row["id"])
        return None
