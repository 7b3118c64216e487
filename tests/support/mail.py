"""What is told of e-mails."""

from typing import Any

from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.support.told import events


async def told(caller: Caller) -> list[tuple[str, dict[str, Any]]]:
    """The email.* events of the organization, in order: type and data."""
    return [
        (event["type"], event["data"]) for event in await events(caller.organization_id, "email.")
    ]


async def outbox_of(caller: Caller) -> list[str]:
    """The messages whose e-mails are kept."""
    rows = await db.fetch(
        "SELECT message_id FROM email_letters WHERE organization_id = $1 ORDER BY created_at",
        caller.organization_id,
    )
    return [row["message_id"] for row in rows]
