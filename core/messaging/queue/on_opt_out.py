"""On opt-out: queued marketing messages to the person are canceled, on every channel."""

from collections.abc import Sequence

from core import contacts
from core.contacts.models import ALL_CHANNELS
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller
from core.messaging.message_channel import words_of
from core.messaging.models import Channel
from core.messaging.queue.reasons import OPT_OUT
from core.messaging.queue.withdraw import withdraw

OPTED_OUT = "The recipient asked not to receive communication."


@contacts.on_opt_out
async def cancel_marketing(caller: Caller, denied: Sequence[contacts.ConsentLogEntry]) -> None:
    """Queued marketing messages to these people, on the channel of the denial, fail as `opt_out`
    and cost nothing; in the transaction of the denial. What is being handed over is not called
    back.
    """
    ended = [one for one in denied if one.channel in (*Channel, ALL_CHANNELS)]
    if not ended:
        return
    rows = await db.fetch(
        QUEUED,
        caller.organization_id,
        caller.env,
        *db.columns(
            [
                (one.row["id"], address, None if one.channel == ALL_CHANNELS else one.channel)
                for one in ended
                for address in contacts.addresses_of(caller, one.row)
            ],
            3,
        ),
    )
    ids, reasons = column(rows, "id"), words_of(lambda channel: channel.opted_out)
    await withdraw(ids, reason=OPT_OUT, reasons=reasons, error=OPTED_OUT, at=now())


# By the address and by the contact, one index each: a message may name a contact and go elsewhere.
QUEUED = """
WITH denied AS (
    SELECT * FROM unnest($3::text[], $4::bytea[], $5::text[]) AS d (contact_id, identity, channel)
)
SELECT m.id FROM denied d
JOIN waiting_messages w ON w.organization_id = $1 AND w.env = $2 AND w.identity = d.identity AND w.is_marketing
JOIN messages m ON m.id = w.message_id AND m.organization_id = $1 AND (d.channel IS NULL OR m.channel = d.channel)
UNION
SELECT m.id FROM denied d
JOIN messages m ON m.organization_id = $1 AND m.env = $2 AND m.contact_id = d.contact_id AND m.status = 'queued'
  AND (d.channel IS NULL OR m.channel = d.channel)
JOIN waiting_messages w ON w.message_id = m.id AND w.organization_id = $1 AND w.is_marketing
"""
