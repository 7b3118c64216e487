"""Claiming due messages from the queue in one transaction; what may leave becomes `sending`.

A message is marked before it is handed over, so that a crash in between can only lose it, never
send it twice: what stays `sending` without a word is settled by a report or counts as indeterminate
after ten minutes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core import organizations
from core.conversations.queue.pacing import BULK, Quota
from core.conversations.queue.queued_messages import COLUMNS, QueuedMessage, enqueue
from core.conversations.queue.settle import (
    PAIR_PAUSE,
    ConversationSettlement,
    PreSendFailure,
    settle,
)
from core.conversations.reasons import CANCELED, Reason
from core.conversations.sandbox import begin_stories, taken
from core.conversations.windows import is_open
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.messages import announce_messages
from core.numbers.sender_accounts import SENDING
from core.providers import registry

OUTCOME_TIMEOUT = timedelta(minutes=10)
"""How long a report may settle a message whose hand-over was not answered."""
NO_PLATFORM_PAUSE = timedelta(minutes=1)

WITHDRAWN = PreSendFailure(Reason.CANCELED, CANCELED)
WINDOW_CLOSED = PreSendFailure(
    Reason.WINDOW_CLOSED,
    "The 24 hours after the recipient's last message were over when it was to leave.",
    "131047",
)
OPTED_OUT = PreSendFailure(Reason.OPT_OUT, "The recipient asked not to receive communication.")
TEMPLATE_GONE = PreSendFailure(
    Reason.TEMPLATE_UNAVAILABLE, "The template was not approved any more when it was to leave."
)
NUMBER_GONE = PreSendFailure(
    Reason.NUMBER_UNAVAILABLE, "The number could not send when it was to leave."
)
SERVICE_REMOVED = PreSendFailure(
    Reason.NUMBER_UNAVAILABLE,
    "The platform had removed the service from the number's account when it was to leave.",
)


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """A live message that is to be handed over now; its row is `sending`. `reply_to`: the
    platform's id.
    """

    queued: QueuedMessage
    row: db.Row
    to: str
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What a claim took: how many rows, what is to be handed over, and by sender what took a token
    for nothing.
    """

    taken: int
    ready: list[ReadyMessage]
    unused: Mapping[str, int]


async def claim(quotas: Sequence[Quota], *, at: datetime) -> ClaimResult:
    """Take what the quotas allow. What must not leave any more fails here, what must not leave yet
    waits on, and the sandbox takes its own at once.
    """
    async with transaction():
        rows = await db.fetch(
            TAKE, *db.columns([(one.sender_id, one.urgency, one.count) for one in quotas], 3), at
        )
        due = sorted((QueuedMessage(*row.values()) for row in rows), key=_turn)
        if not due:
            return ClaimResult(0, [], {})
        facts = {
            row["id"]: row
            for row in await db.fetch(FACTS, *db.columns([_asked(one) for one in due], 5))
        }
        # A row without its message: it is over already.
        due = [one for one in due if one.message_id in facts]
        stops = {
            one.message_id: stop
            for one in due
            if (stop := _stop(one, facts[one.message_id], at=at))
        }
        later = await _later([one for one in due if one.message_id not in stops], at=at)
        await enqueue([replace(one, due_at=due_at) for one, due_at in later])
        postponed = {one.message_id for one, _ in later}
        going = [one for one in due if one.message_id not in postponed]
        begun = {
            row["id"]: row
            for row in await db.fetch(
                BEGIN, [one.message_id for one in going], list(stops), at, at + OUTCOME_TIMEOUT
            )
        }
        leaving = [one for one in going if one.message_id not in stops]
        live = [one for one in leaving if one.env == "live"]
        sandboxed = [one for one in leaving if one.env == "test"]
        # All in one: wallets are locked in one order.
        await settle(
            [
                *(
                    ConversationSettlement(one, stops[one.message_id], at)
                    for one in going
                    if one.message_id in stops
                ),
                *(taken(one, at=at) for one in sandboxed),
            ]
        )
        await begin_stories([begun[one.message_id] for one in sandboxed], at=at)
        await announce_messages([begun[one.message_id] for one in live])
    left = {one.message_id for one in leaving}
    return ClaimResult(
        taken=len(rows),
        ready=[_ready(one, begun[one.message_id], facts[one.message_id]) for one in live],
        unused=Counter(
            one.sender_id for one in due if one.message_id not in left and not one.force
        ),
    )


def _turn(one: QueuedMessage) -> tuple[int, datetime, datetime, str]:
    return one.urgency, one.due_at, one.created_at, one.message_id


def _asked(one: QueuedMessage) -> tuple[object, ...]:
    return one.message_id, one.sender_id, one.identity, one.is_marketing, one.env


def _ready(one: QueuedMessage, row: db.Row, facts: db.Row) -> ReadyMessage:
    return ReadyMessage(
        one, row, facts["platform_address"] or row["recipient"], facts["reply_reference"]
    )


def _stop(one: QueuedMessage, facts: db.Row, *, at: datetime) -> PreSendFailure | None:
    """What changed since the message was taken in."""
    if facts["canceled"]:
        return WITHDRAWN
    if facts["number_status"] is not None and facts["number_status"] not in SENDING:
        return NUMBER_GONE
    if facts["partner_removed_at"] is not None:
        return SERVICE_REMOVED
    if one.is_marketing and facts["denied"]:
        return OPTED_OUT
    if facts["type"] == "template":
        return None if facts["template_status"] == "approved" else TEMPLATE_GONE
    return None if is_open(facts["last_inbound_at"], at=at) else WINDOW_CLOSED


async def _later(
    taken: Sequence[QueuedMessage], *, at: datetime
) -> list[tuple[QueuedMessage, datetime]]:
    """What must not leave yet, and when to look again: nobody to carry it, quiet hours, a pair that
    rests.
    """
    if any(one.env == "live" for one in taken) and registry.for_conversations() is None:
        unserved = [(one, at + NO_PLATFORM_PAUSE) for one in taken if one.env == "live"]
        taken = [one for one in taken if one.env == "test"]
    else:
        unserved = []
    quiet = await _quiet_until(
        {(one.organization_id, one.env) for one in taken if one.urgency == BULK}, at=at
    )
    asleep = [
        (one, until)
        for one in taken
        if one.urgency == BULK and (until := quiet.get((one.organization_id, one.env))) is not None
    ]
    sleeping = {one.message_id for one, _ in asleep}
    resting = await _let_pairs_rest([one for one in taken if one.message_id not in sleeping], at=at)
    return [*unserved, *asleep, *resting]


async def _quiet_until(
    owners: set[tuple[str, str]], *, at: datetime
) -> dict[tuple[str, str], datetime]:
    found = {}
    for organization_id, env in owners:
        window = await organizations.find_quiet_hours(
            system_caller(organization_id, "live" if env == "live" else "test")
        )
        if window is not None and (until := window.ends_after(at)) is not None:
            found[organization_id, env] = until
    return found


async def _let_pairs_rest(
    taken: Sequence[QueuedMessage], *, at: datetime
) -> list[tuple[QueuedMessage, datetime]]:
    """Let the first message of each pair go, and the pair rest; answer the others with the end of
    that rest.

    Of two workers that look at a pair at once, the row lets one through.
    """
    firsts: dict[tuple[str, str, str, bytes], QueuedMessage] = {}
    for one in taken:
        firsts.setdefault(_pair(one), one)
    if not firsts:
        return []
    # In one order, so that two writers do not wait for each other in a circle.
    rows = await db.fetch(REST, *db.columns(sorted(firsts), 4), at, at + PAIR_PAUSE)
    free = {(row["organization_id"], row["env"], row["sender_id"], row["identity"]) for row in rows}
    resting = [one for one in taken if _pair(one) not in free or firsts[_pair(one)] is not one]
    busy = sorted({_pair(one) for one in resting})
    until = {
        (row["organization_id"], row["env"], row["sender_id"], row["identity"]): row["next_send_at"]
        for row in (await db.fetch(RESTING, *db.columns(busy, 4)) if busy else ())
    }
    return [(one, until.get(_pair(one)) or at + PAIR_PAUSE) for one in resting]


def _pair(one: QueuedMessage) -> tuple[str, str, str, bytes]:
    return one.organization_id, one.env, one.sender_id, one.identity


TAKE = f"""
WITH picked AS (
    SELECT p.message_id
    FROM unnest($1::text[], $2::smallint[], $3::int[]) AS q (sender_id, urgency, count)
    CROSS JOIN LATERAL (
        SELECT w.message_id FROM waiting_messages w
        WHERE w.sender_id = q.sender_id AND w.urgency = q.urgency AND w.due_at <= $4
        ORDER BY w.due_at, w.created_at, w.message_id LIMIT q.count
        FOR UPDATE SKIP LOCKED) AS p
)
DELETE FROM waiting_messages WHERE message_id = ANY (ARRAY(SELECT message_id FROM picked)) RETURNING {COLUMNS}
"""

# Messages are locked before pairs, as everywhere. A report may have moved one that waits: it is
# left alone. Whoever erased a person or called a batch off while this waited in other hands, did
# not find it.
FACTS = """
SELECT m.id, m.type, p.last_inbound_at, p.platform_address, t.status AS template_status, n.status AS number_status,
       n.partner_removed_at, r.provider_reference AS reply_reference,
       m.content = '{}' OR b.canceled_at IS NOT NULL AS canceled,
       a.marketing AND EXISTS (
           SELECT FROM contact_denials d
           WHERE d.organization_id = m.organization_id AND d.env = m.env AND d.channel IN (m.channel, 'todos')
             AND d.identity IN (
                 SELECT a.identity
                 UNION ALL
                 SELECT c.identity FROM contacts c
                 WHERE c.organization_id = m.organization_id AND c.env = m.env AND c.id = m.contact_id)) AS denied
FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bool[], $5::text[]) AS a (id, sender_id, identity, marketing, env)
JOIN messages m ON m.id = a.id AND m.env = a.env AND m.status = 'queued'
LEFT JOIN conversation_pairs p
  ON p.organization_id = m.organization_id AND p.env = m.env AND p.sender_id = a.sender_id AND p.identity = a.identity
LEFT JOIN templates t ON t.id = m.template_id
LEFT JOIN numbers n ON n.id = m.number_id
LEFT JOIN messages r ON r.id = m.in_reply_to
LEFT JOIN message_batches b ON b.id = m.batch_id
ORDER BY m.id
FOR UPDATE OF m
"""

BEGIN = """
UPDATE messages
SET status = 'sending', attempts = attempts + CASE WHEN id = ANY ($2) THEN 0 ELSE 1 END, settle_at = $4,
    updated_at = $3
WHERE id = ANY ($1)
RETURNING *
"""

REST = """
INSERT INTO conversation_pairs AS p (organization_id, env, sender_id, identity, next_send_at)
SELECT k.*, $6 FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS k
ON CONFLICT (organization_id, env, sender_id, identity) DO UPDATE SET next_send_at = excluded.next_send_at
WHERE p.next_send_at IS NULL OR p.next_send_at <= $5
RETURNING organization_id, env, sender_id, identity
"""

RESTING = """
SELECT p.organization_id, p.env, p.sender_id, p.identity, p.next_send_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS k (organization_id, env, sender_id, identity)
JOIN conversation_pairs p USING (organization_id, env, sender_id, identity)
"""
