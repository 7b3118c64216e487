"""Messages on their way to operators: noted before they leave, so that an id leaves once whatever dies."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.database.rows import column
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.smpp.link.models import SmppLinkMessage

KEEP = timedelta(days=7)
"""Longer than the day for which an id must not leave twice, and than receipts are waited for."""
FORGOTTEN_AT_ONCE = 1000


class LinkState(StrEnum):
    """How far a message is. `BEGUN`: it may have left; of a process that has died nobody knows."""

    BEGUN = "begun"
    TAKEN = "taken"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LinkMessage:
    """A message by the id of the service, and a keyed hash of its recipient."""

    id: str
    organization_id: str
    recipient: bytes


@dataclass(frozen=True, slots=True)
class StoredLinkMessage:
    """What is known of a message. `told`: the state that was reported of it."""

    state: LinkState
    reason: str | None
    reference: str | None
    told: str | None


@dataclass(frozen=True, slots=True)
class SubmittedPart:
    """The `number`-th of `parts` of a message, which an operator has taken. `smsc_id`: its id as it is
    compared; `reference`: as it was said, printable. `said_id`, `source`: by which the operator is asked
    what became of it, from `ask_at` on; None: never.
    """

    message_id: str
    number: int
    parts: int
    link: str
    smsc_id: str
    reference: str
    said_id: str | None = None
    source: str | None = None
    ask_at: datetime | None = None


def recipient_of(phone: str) -> bytes:
    """Under what the messages to a phone are found again."""
    return keyed_hash(current().hash_key.encode(), f"smpp link {phone}")


async def begin_message(message: LinkMessage) -> bool:
    """Note that it is being handed over; False where it was before. This row keeps an id from
    leaving twice.
    """
    return await _beginning.submit(message)


async def _begin(messages: Sequence[LinkMessage]) -> list[bool]:
    rows = [(one.id, one.organization_id, one.recipient) for one in messages]
    found = await db.fetch(BEGIN, *db.columns(rows, 3), LinkState.BEGUN, real_now())
    noted = set(column(found, "id"))
    answers = []
    for one in messages:
        answers.append(one.id in noted)
        noted.discard(one.id)  # of two in one batch the first begins
    return answers


async def drop_message(id: str) -> None:
    """Nothing of it has left: it may come again as a first one."""
    await SmppLinkMessage.filter(id=id, state=LinkState.BEGUN).delete()


async def note_part(part: SubmittedPart) -> None:
    """An operator has taken a part; what it has said of it meanwhile is due."""
    await _noting.submit(part)


async def _note(parts: Sequence[SubmittedPart]) -> list[None]:
    rows = [
        (
            one.message_id,
            one.number,
            one.parts,
            one.link,
            one.smsc_id,
            one.reference,
            one.said_id,
            one.source,
            one.ask_at,
        )
        for one in parts
    ]
    await db.execute(NOTE, *db.columns(rows, 9), LinkState.TAKEN, real_now())
    return [None] * len(parts)


async def note_refused(id: str, reason: str) -> None:
    """The operator does not take it, because of its recipient."""
    await SmppLinkMessage.filter(id=id).update(state=LinkState.REFUSED, reason=reason)


async def note_unknown(id: str, *, parts: int) -> None:
    """It may have left: it never leaves again, and a receipt may still name it."""
    await SmppLinkMessage.filter(id=id, state=LinkState.BEGUN).update(
        state=LinkState.UNKNOWN, parts=parts
    )


async def find_message(id: str) -> StoredLinkMessage | None:
    """What is known of a message; None where it was never handed over."""
    found = await SmppLinkMessage.get_or_none(id=id)
    if found is None:
        return None
    return StoredLinkMessage(LinkState(found.state), found.reason, found.reference, found.told)


async def forget_messages(*, at: datetime) -> None:
    """Those that nobody asks for any more, a thousand at once."""
    for statement in FORGET:
        await db.execute(statement, at - KEEP, FORGOTTEN_AT_ONCE)


BEGIN = """
INSERT INTO smpp_link_messages (id, organization_id, env, recipient, state, begun_at)
SELECT id, organization_id, 'live', recipient, $4, $5
FROM unnest($1::text[], $2::text[], $3::bytea[]) AS g (id, organization_id, recipient)
ON CONFLICT (id) DO NOTHING
RETURNING id
"""

NOTE = """
WITH g AS (
    SELECT * FROM unnest($1::text[], $2::smallint[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::text[],
                         $8::text[], $9::timestamptz[])
        AS g (message_id, number, parts, link, smsc_id, reference, said_id, source, ask_at)
), taken AS (
    UPDATE smpp_link_messages m SET state = $10, parts = g.parts, reference = coalesce(m.reference, g.reference)
    FROM (SELECT DISTINCT ON (message_id) * FROM g ORDER BY message_id, number) AS g WHERE m.id = g.message_id
), due AS (
    UPDATE smpp_link_reports r SET due_at = $11 FROM g WHERE r.link = g.link AND r.smsc_id = g.smsc_id
)
INSERT INTO smpp_link_parts (id, organization_id, env, message_id, link, smsc_id, taken_at, said_id, source, ask_at)
SELECT g.message_id || '/' || g.number, m.organization_id, m.env, g.message_id, g.link, g.smsc_id, $11, g.said_id, g.source,
       g.ask_at
FROM g JOIN smpp_link_messages m ON m.id = g.message_id
ON CONFLICT (id) DO NOTHING
"""

FORGET = (
    """
    DELETE FROM smpp_link_parts WHERE id = ANY (ARRAY(
        SELECT id FROM smpp_link_parts WHERE taken_at < $1 LIMIT $2))
    """,
    """
    DELETE FROM smpp_link_messages WHERE id = ANY (ARRAY(
        SELECT id FROM smpp_link_messages WHERE begun_at < $1 LIMIT $2))
    """,
)

_beginning = Combiner(_begin, concurrency=2)
_noting = Combiner(_note, concurrency=2)
