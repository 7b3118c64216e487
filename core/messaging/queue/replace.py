"""Replacing what a scheduled message says: the part that is the same on every channel."""

from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex

from core import wallet
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.messaging.models import WaitingMessage
from core.messaging.settle import book, owner_of
from core.messaging.stored_message import StoredMessage, fetch_message


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a message is from now on. `text`: how the text is counted, and sealed where it is kept;
    None: it stays.
    """

    coins: int
    scheduled_at: datetime
    expires_at: datetime
    text: tuple[str, int, int, str | None] | None = None


async def lock_scheduled(
    caller: Caller, id: str, *, smpp_account_id: str, at: datetime
) -> StoredMessage | None:
    """The row of a message of the caller that an account of SMPP sent and whose time is still to
    come, with the `expires_at` of its place in the queue; None where it is none, or somebody is
    taking it right now.
    """
    return await fetch_message(LOCK, id, smpp_account_id, at, caller.organization_id)


async def write_replacement(
    row: StoredMessage, new: Replacement, request_id: str | None, *, at: datetime
) -> None:
    """Change a (locked) message and what is held for it, under the id that it has.

    Raises InsufficientBalance. Belongs into the transaction that has locked it.
    """
    owner, more = owner_of(row), new.coins - row["coins"]
    # The message's own hold is booked once: each change is a movement of its own.
    origin = f"{row['id']}.{token_hex(4)}"
    if more > 0 and current().charges:
        balance = (await wallet.lock_balances({owner})).get(owner)
        available = balance.available if balance is not None else 0
        if available < more:
            raise wallet.InsufficientBalance(available=available, needed=more)
        await book([wallet.hold(owner, origin, more, request_id)], at=at)
    elif more < 0:
        await book([wallet.release(owner, origin, -more, request_id)], at=at)
    encoding, length, segments, sealed_text = new.text or (None, None, None, None)
    await db.execute(
        REPLACE,
        row["id"],
        new.coins,
        new.scheduled_at,
        encoding,
        length,
        segments,
        sealed_text,
        at,
        row["organization_id"],
    )
    waiting = WaitingMessage.filter(message_id=row["id"], organization_id=row["organization_id"])
    await waiting.update(due_at=new.scheduled_at, expires_at=new.expires_at)


LOCK = """
SELECT m.*, w.expires_at FROM waiting_messages w
JOIN messages m ON m.id = w.message_id AND m.organization_id = w.organization_id
WHERE w.message_id = $1 AND w.organization_id = $4 AND m.smpp_account_id = $2
  AND m.status = 'queued' AND m.scheduled_at > $3 AND w.due_at > $3
FOR UPDATE SKIP LOCKED
"""

REPLACE = """
UPDATE messages
SET coins = $2, scheduled_at = $3, encoding = coalesce($4, encoding), length = coalesce($5, length),
    segments = coalesce($6, segments), sealed_text = coalesce($7, sealed_text), updated_at = $8
WHERE id = $1 AND organization_id = $9
"""
