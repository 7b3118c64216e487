"""Handing a message over again to an idempotent provider that does not know it.

A message that its provider does not know may never have been handed over: the process that wrote it
down died. Whoever may be asked twice is asked again, a minute after the message was accepted, and
then after two, four and eight; what it answers settles the message. The other providers are only
asked whether they know it.

The process that took the message in may be slow and not dead, and hand it over too. So the row is
marked before (`attempts`: how many times of the plan have passed). From then on an answer that the
message was not taken speaks of one hand-over alone (`settle.as_one_attempt`): it frees neither
price nor key, since another may have been taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.observability.metrics import Counter
from core.messaging.models import Channel, Status
from core.messaging.reconcile import NOT_FOUND_TIMEOUT
from core.providers import registry
from core.providers.contracts import Accepted, Answer, Refused, SmsProvider, Unknown

FIRST_REPEAT_AFTER = timedelta(seconds=60)
MAX_REPEATS = 4

HANDED_OVER_AGAIN = Counter(
    "svc_messages_handed_over_again_total",
    "Messages that their provider did not know and that it was handed once more, by what it answered.",
    ("channel", "outcome"),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that its provider does not know, and that was first handed over at `since`, or was
    to be.

    `identities`: the hashes under which a denial of its recipient counts, at most two; none where
    no denial does.
    """

    row: db.Row
    since: datetime
    identities: Sequence[bytes] = ()


def times_passed(since: datetime, *, at: datetime) -> int:
    """How many times of the plan have passed: at 1, 2, 4 and 8 minutes; none any more after ten."""
    age = at - since
    return (
        0
        if age >= NOT_FOUND_TIMEOUT
        else sum(age >= FIRST_REPEAT_AFTER * 2**turn for turn in range(MAX_REPEATS))
    )


def may_repeat(provider: str | None) -> SmsProvider | None:
    """The open provider of this name, where it may be handed the same message again."""
    found = registry.named(provider) if provider else None
    return found if found is not None and found.is_idempotent else None


async def claim_again(
    candidates: Sequence[Candidate], *, open: Status, at: datetime
) -> Sequence[db.Row]:
    """Mark those that are to be handed over now. Answers them as they are.

    Left out are those whose time has not come or is over, that have been settled, whose provider
    does not promise it, whose recipient or contact said no meanwhile, and whose contact was erased.
    """
    due = [
        (one.row["id"], turn, *(*one.identities, None, None)[:2])
        for one in candidates
        if may_repeat(one.row["provider"]) is not None
        and (turn := times_passed(one.since, at=at)) > (one.row["attempts"] or 0)
    ]
    return await db.fetch(CLAIM, *db.columns(due, 4), open) if due else []


def count_again(channel: Channel, answer: Answer) -> None:
    """A message was handed over once more."""
    match answer:
        case Accepted():
            outcome = "taken"
        case Refused():
            outcome = "refused"
        case Unknown():
            outcome = "unknown"
        case _:
            outcome = "not_taken"
    HANDED_OVER_AGAIN.labels(channel, outcome).add()


# An erased recipient has no plus any more.
CLAIM = """
WITH due AS MATERIALIZED (
    SELECT m.id, d.turn
    FROM unnest($1::text[], $2::smallint[], $3::bytea[], $4::bytea[]) AS d (id, turn, identity, other)
    JOIN messages m ON m.id = d.id
    WHERE m.status = $5 AND coalesce(m.attempts, 0) < d.turn AND m.path IS NULL AND m.recipient LIKE '+%'
      AND (d.identity IS NULL OR NOT EXISTS (
          SELECT FROM contact_denials x
          WHERE x.organization_id = m.organization_id AND x.env = m.env AND x.channel IN (m.channel, 'todos')
            AND x.identity IN (d.identity, d.other, (
                SELECT c.identity FROM contacts c
                WHERE c.organization_id = m.organization_id AND c.env = m.env AND c.id = m.contact_id))))
    ORDER BY m.id FOR UPDATE OF m
)
UPDATE messages m SET attempts = due.turn FROM due WHERE m.id = due.id
RETURNING m.*
"""
