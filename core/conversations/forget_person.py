"""Erasing what conversations keep of a person: windows, stored answers, notices."""

from collections.abc import Sequence

from asyncpg import Record

from core import contacts, idempotency
from core.conversations.addresses import identity_of
from core.conversations.inbound.apply import MAX_ATTEMPTS
from core.conversations.sending.send import FORCE_ROUTE, SEND_ROUTE
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.security.caller import Caller
from core.messaging import CONVERSATIONS, Channel


async def erase_windows(
    caller: Caller, contact_id: str, phone: str, messages: Sequence[HasColumns]
) -> None:
    """Delete the windows of the person, whom these messages went to or came from."""
    pairs = _pairs_of(caller, contact_id, phone, messages)
    await db.execute(ERASE_PAIRS, *pairs)


async def windows_of(
    caller: Caller, contact_id: str, phone: str, messages: Sequence[HasColumns]
) -> list[Record]:
    """With whom the person has conversations, and when it last wrote."""
    return await db.fetch(SHOW_PAIRS, *_pairs_of(caller, contact_id, phone, messages))


def _pairs_of(
    caller: Caller, contact_id: str, phone: str, messages: Sequence[db.Row]
) -> list[object]:
    """A window is found by the sender and the person: no index knows it by the person alone."""
    unified = caller.unifies_ninth_digit
    keys = set()
    own = {contacts.phone_identity(caller, phone)}
    for row in messages:
        if row["channel"] in CONVERSATIONS:
            identity = identity_of(
                row["channel"], caller.organization_id, row["recipient"], unified=unified
            )
            keys.add((row["number_id"] or row["instagram_account_id"] or "", identity))
            if row["channel"] == Channel.INSTAGRAM:
                own.add(identity)
    return [
        caller.organization_id,
        caller.env,
        contact_id,
        *db.columns(sorted(keys), 2),
        sorted(own),
    ]


async def erase_answers(caller: Caller, messages: Sequence[str]) -> None:
    """Scrub the answers that repeated sends would get: that of a scheduled message is kept until a
    day after its time. The keys stay, or a repeated send would be a new one.
    """
    await idempotency.redact_answers(
        caller,
        [SEND_ROUTE, FORCE_ROUTE],
        messages,
        drop=["contactId", "templateVars"],
        shorten="to",
        put={"payload": {}},
    )


async def erase_notices(caller: Caller, addresses: Sequence[str]) -> None:
    """Delete what the platform told of these addresses and nobody could apply; anything else is
    gone in moments.
    """
    bare = [address.removeprefix("+") for address in addresses]
    await db.execute(ERASE_NOTICES, caller.organization_id, caller.env, MAX_ATTEMPTS, bare)


# A message may carry one contact and go to another person, whose window stays.
PAIRS = """
SELECT p.id FROM unnest($4::text[], $5::bytea[]) AS k (sender_id, identity)
JOIN conversation_pairs p USING (sender_id, identity)
WHERE p.organization_id = $1 AND p.env = $2 AND (p.contact_id = $3 OR p.identity = ANY ($6::bytea[]))
"""

# Locked in the order of all who lock them.
ERASE_PAIRS = f"""
DELETE FROM conversation_pairs WHERE id IN ({PAIRS} ORDER BY p.sender_id, p.identity FOR UPDATE OF p)
"""

SHOW_PAIRS = f"""
SELECT sender_id AS com, platform_address AS endereco, last_inbound_at AS "escreveuEm"
FROM conversation_pairs WHERE id IN ({PAIRS}) ORDER BY id
"""

ERASE_NOTICES = """
DELETE FROM platform_notices n
WHERE organization_id = $1 AND env = $2 AND attempts >= $3
  AND EXISTS (SELECT FROM unnest($4::text[]) AS a (address) WHERE position(a.address IN n.body::text) > 0)
"""
