"""Reconciliation of messages whose outcome is unknown: their provider is asked about them.

The process that handed them over died, or their provider did not answer. Whatever it says settles
the message; one that it does not know is handed over again where the provider promises to take an
id only once (`hand_over_again`), and counts as indeterminate after ten minutes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, cast

import structlog

from core.foundation.clock import now
from core.foundation.database.leases import LEASE, Lease
from core.foundation.database.rows import HasColumns
from core.foundation.moved_clocks import narrowed
from core.messaging import timeouts
from core.messaging.delivery_reports.receive import receive_reports
from core.messaging.hand_over_again import Repeatable, hand_over_again, since_of
from core.messaging.models import Channel
from core.messaging.phone_answers import Indeterminate, PhoneVerdict
from core.messaging.settle import Result, Settlement
from core.messaging.stored_message import StoredMessage, fetch_messages
from core.providers import registry
from core.providers.contracts import (
    Accepted,
    DeliveryReport,
    Lookup,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    Unknown,
)

log = structlog.get_logger()


class Close(Protocol):
    """What becomes of due messages (ids) whose outcome is known, such as those whose hold has lasted
    for three days.
    """

    async def __call__(self, ids: Sequence[str], *, at: datetime) -> None: ...


class GoOn(Protocol):
    """Does the next step of a message that leaves on another way."""

    async def __call__(self, row: StoredMessage, *, at: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class OtherWay:
    """The other way of a channel's messages: which have taken it, and how they go on."""

    concerns: Callable[[StoredMessage], bool]
    go_on: GoOn


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """How a channel of phone providers is reconciled: how its messages are handed over again, how
    they are settled, what becomes of the others that are due, and its other way, where it has one. `path`: the
    way that all of its messages take, where there is but one.
    """

    repeatable: Repeatable
    settle: Callable[[Sequence[Settlement[PhoneVerdict]]], Awaitable[Sequence[Result]]]
    close: Close
    other_way: OtherWay | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """A message whose outcome is open, and what its provider knows of it."""

    row: StoredMessage
    answer: Lookup

    @property
    def end(self) -> MessageFound | None:
        """The end of the message, where the provider knows it already."""
        knows = isinstance(self.answer, MessageFound) and self.answer.status != "sent"
        return self.answer if knows and isinstance(self.answer, MessageFound) else None


async def reconcile(how: Reconciliation, *, at: datetime) -> int:
    """Settle what is due. Answers how many messages it looked at. One that fails holds up no other:
    it is looked at again when its lease has ended.
    """
    channel, open = how.repeatable.channel, how.repeatable.open
    rows = await claim_due(channel, at=at, limit=timeouts.STUCK_BATCH_SIZE)
    asked = [row for row in rows if row["status"] == open]
    diverted = [row for row in rows if how.other_way is not None and how.other_way.concerns(row)]
    async with leased(rows).kept():
        found, _ = await asyncio.gather(_ask_all(asked), _go_on(how.other_way, diverted, at=at))
        unknown = [one.row for one in found if isinstance(one.answer, MessageNotFound)]
        again = await hand_over_again(how.repeatable, unknown, at=at)
    await how.settle(
        [
            Settlement(one.row["id"], again.get(one.row["id"]) or _verdict(one, at=at), at)
            for one in found
            if one.end is None
        ]
    )
    await _apply_ends(how, found, at=at)
    known = {row["id"] for row in (*asked, *diverted)}
    await how.close([row["id"] for row in rows if row["id"] not in known], at=at)
    return len(rows)


async def claim_due(channel: Channel, *, at: datetime, limit: int) -> Sequence[StoredMessage]:
    """The channel's messages whose `settle_at` has come, leased for a minute: two workers never
    take the same one.
    """
    return await fetch_messages(*narrowed(CLAIM, channel, at, limit, at + LEASE))


def leased(rows: Sequence[HasColumns]) -> Lease:
    """The lease on what was claimed together: keep it while their provider is asked."""
    until = cast("datetime", rows[0]["settle_at"]) if rows else now()
    return Lease("messages", "settle_at", [cast("str", row["id"]) for row in rows], until=until)


async def ask(row: StoredMessage, *, id: str | None = None) -> Lookup:
    """Ask the provider that took the message; `id` where it went under another than its own."""
    provider = registry.named(row["provider"] or "")
    return await provider.look_up(id or row["id"]) if provider else LookupFailed()


def verdict_of(found: Lookup, *, since: datetime, at: datetime) -> PhoneVerdict:
    """What an answer means for a message that was handed over at `since`."""
    if isinstance(found, MessageFound):
        return Accepted(found.reference)
    # A provider that cannot be asked has not said no: it is asked on, since the message has
    # probably left.
    not_found = isinstance(found, MessageNotFound)
    timeout = timeouts.NOT_FOUND_TIMEOUT if not_found else timeouts.RECONCILE_TIMEOUT
    return Indeterminate() if at - since >= timeout else Unknown()


def report_of_end(
    row: StoredMessage, found: MessageFound, path: str | None, *, at: datetime
) -> DeliveryReport:
    """A provider that was asked may know the end already: that is a report as any other. `path`:
    the way that the message took, where it is known.
    """
    assert found.status != "sent"
    receipt = {
        "id": found.reference,
        "type": "api_message",
        "to": row["recipient"],
        "reference": row["id"],
        "status": found.status,
        "statusDescription": "MessageFound by asking the provider",
    }
    if path is not None:
        receipt["channel"] = path.upper()
    return DeliveryReport(row["id"], found.reference, found.status, found.reason, at, receipt)


async def _ask_all(rows: Sequence[StoredMessage]) -> list[_Found]:
    answers = await asyncio.gather(*(ask(row) for row in rows), return_exceptions=True)
    found = []
    for row, answer in zip(rows, answers, strict=True):
        if isinstance(answer, BaseException):
            _log_failure(row, answer)
        else:
            found.append(_Found(row, answer))
    return found


async def _go_on(way: OtherWay | None, rows: Sequence[StoredMessage], *, at: datetime) -> None:
    if way is not None:
        steps = [way.go_on(row, at=at) for row in rows]
        for row, answer in zip(
            rows, await asyncio.gather(*steps, return_exceptions=True), strict=True
        ):
            if isinstance(answer, BaseException):
                _log_failure(row, answer)


def _log_failure(row: HasColumns, error: BaseException) -> None:
    log.warning("reconcile_failed", message_id=row["id"], error=type(error).__name__)


def _verdict(one: _Found, *, at: datetime) -> PhoneVerdict:
    return verdict_of(one.answer, since=since_of(one.row), at=at)


async def _apply_ends(how: Reconciliation, found: Sequence[_Found], *, at: datetime) -> None:
    for one in found:
        if (end := one.end) is not None:
            report = report_of_end(one.row, end, how.path or end.path, at=at)
            owner, provider = one.row["organization_id"], one.row["provider"] or ""
            await receive_reports(owner, provider, [report], at=at)


CLAIM = """
UPDATE messages SET settle_at = $4
WHERE id = ANY (ARRAY(
    SELECT id FROM messages WHERE channel = $1 AND settle_at <= $2 AND direction = 'outbound' /* whose */
    ORDER BY settle_at LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING *
"""

NEXT_TO_SETTLE = """
SELECT settle_at FROM messages
WHERE organization_id = $1 AND env = 'test' AND settle_at IS NOT NULL AND channel = ANY (ARRAY['{}'])
  AND direction = 'outbound'
ORDER BY settle_at LIMIT 1
"""


def next_to_settle(*channels: Channel) -> str:
    """The SQL of when the next message of a sandbox on some channels is looked at again."""
    return NEXT_TO_SETTLE.format("', '".join(channel.value for channel in channels))
