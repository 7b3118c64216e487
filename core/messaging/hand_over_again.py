"""Handing a message over again to an idempotent provider that does not know it.

A message that its provider does not know may never have been handed over: the process that wrote it
down died. Whoever may be asked twice is asked again, a minute after the message was accepted, and
then after two, four and eight; what it answers settles the message. The other providers are only
asked whether they know it.

The process that took the message in may be slow and not dead, and hand it over too. So the row is
marked before (`attempts`: how many times of the plan have passed). From then on an answer that the
message was not taken speaks of one hand-over alone (`phone_answers.as_one_attempt`): it frees
neither price nor key, since another may have been taken.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from core import contacts
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.observability.metrics import Counter
from core.messaging import timeouts
from core.messaging.models import Channel, Status
from core.messaging.opt_out import opted_out
from core.messaging.stored_message import StoredMessage, fetch_messages
from core.providers import registry
from core.providers.contracts import Accepted, Answer, Outgoing, Refused, SmsProvider, Unknown

HANDED_OVER_AGAIN = Counter(
    "svc_messages_handed_over_again_total",
    (
        "Messages that their provider did not know and that it was handed once more, "
        "by what it answered."
    ),
    ("channel", "outcome"),
)

log = structlog.get_logger()


def since_of(row: StoredMessage) -> datetime:
    """When a message was first handed over, or was to be."""
    return row["handed_over_at"] or row["created_at"]


@dataclass(frozen=True, slots=True)
class Repeatable:
    """How the messages of a channel are handed over again: the same under the same id.

    `open`: the status of a message whose outcome is not known. `marketing_route`: the route on which
    a denial of the recipient counts. `outgoing`: the message as its provider gets it; None where it
    cannot be made any more. `since`: when it was first handed over, or was to be.
    """

    channel: Channel
    open: Status
    marketing_route: str
    outgoing: Callable[[StoredMessage], Outgoing | None]
    since: Callable[[StoredMessage], datetime] = since_of


async def hand_over_again(
    how: Repeatable, rows: Sequence[StoredMessage], *, at: datetime
) -> dict[str, Answer]:
    """Hand over what may be handed over again, of messages that their provider does not know.
    Answers what the provider said, by message id.
    """
    due = await _claim(how, rows, at=at)
    answers = await asyncio.gather(*(_hand_over(how, row) for row in due), return_exceptions=True)
    return {row["id"]: _answer_of(row, answer) for row, answer in zip(due, answers, strict=True)}


def _answer_of(row: HasColumns, answer: Answer | BaseException) -> Answer:
    """A hand-over that broke off may have reached the provider."""
    if isinstance(answer, BaseException):
        log.warning("hand_over_failed", message_id=row["id"], error=type(answer).__name__)
        return Unknown()
    return answer


async def _claim(
    how: Repeatable, rows: Sequence[StoredMessage], *, at: datetime
) -> Sequence[StoredMessage]:
    """Mark those that are to be handed over now. Answers them as they are.

    Left out are those whose time has not come or is over, that have been settled, whose provider
    does not promise it, whose recipient or contact said no meanwhile, and whose contact was erased.
    """
    due = [
        (row["id"], turn, *(*_identities(how, row), None, None)[:2])
        for row in rows
        if may_repeat(row["provider"]) is not None
        and (turn := times_passed(how.since(row), at=at)) > (row["attempts"] or 0)
    ]
    return await fetch_messages(CLAIM, *db.columns(due, 4), how.open) if due else []


def _identities(how: Repeatable, row: StoredMessage) -> Sequence[bytes]:
    """The hashes under which a denial of the recipient counts, at most two; none where none does."""
    if row["route"] != how.marketing_route:
        return ()
    return contacts.identities_of_phone(row["organization_id"], row["recipient"])


async def _hand_over(how: Repeatable, row: StoredMessage) -> Answer:
    provider, outgoing = may_repeat(row["provider"]), how.outgoing(row)
    if provider is None or outgoing is None:
        return Unknown()
    answer = await provider.send(outgoing)
    HANDED_OVER_AGAIN.labels(how.channel, _outcome_of(answer)).add()
    return answer


def _outcome_of(answer: Answer) -> str:
    match answer:
        case Accepted():
            return "taken"
        case Refused():
            return "refused"
        case Unknown():
            return "unknown"
        case _:
            return "not_taken"


def times_passed(since: datetime, *, at: datetime) -> int:
    """How many times of the plan have passed: at 1, 2, 4 and 8 minutes; none any more after ten."""
    age = at - since
    if age >= timeouts.NOT_FOUND_TIMEOUT:
        return 0
    return sum(age >= timeouts.FIRST_REPEAT_AFTER * 2**turn for turn in range(timeouts.MAX_REPEATS))


def may_repeat(provider: str | None) -> SmsProvider | None:
    """The open provider of this name, where it may be handed the same message again."""
    found = registry.named(provider) if provider else None
    return found if found is not None and found.is_idempotent else None


RECIPIENT = """d.identity, d.other, (
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = m.organization_id AND c.env = m.env AND c.id = m.contact_id)"""

# An erased recipient has no plus any more.
CLAIM = f"""
WITH due AS MATERIALIZED (
    SELECT m.id, d.turn
    FROM unnest($1::text[], $2::smallint[], $3::bytea[], $4::bytea[]) AS d (id, turn, identity, other)
    JOIN messages m ON m.id = d.id
    WHERE m.status = $5 AND coalesce(m.attempts, 0) < d.turn AND m.path IS NULL AND m.recipient LIKE '+%'
      AND (d.identity IS NULL OR NOT {opted_out("m", "m.channel", RECIPIENT)})
    ORDER BY m.id FOR UPDATE OF m
)
UPDATE messages m SET attempts = due.turn FROM due WHERE m.id = due.id
RETURNING m.*
"""
