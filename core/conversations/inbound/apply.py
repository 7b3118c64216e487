"""Applying stored platform notices in batches, each once in its effect however often it runs.

A notice that cannot be applied holds up no other: it is tried alone, later and later, and then
kept, out of the way, until its 30 days are over.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias, TypeVar

import structlog

from core import flows, numbers, templates
from core.conversations.delivery_reports.receive import ReceivedReport, receive_reports
from core.conversations.delivery_reports.unmatched import keep_unmatched
from core.conversations.inbound.receive import ReceivedMessage, receive
from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.leases import LEASE, Lease
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import unless_moved
from core.foundation.observability.metrics import Counter
from core.foundation.security.caller import Env
from core.foundation.slices import slices
from core.organizations import service_caller
from core.providers.meta import PROVIDER
from core.providers.meta.webhook import PlatformChange, notices_of
from core.providers.platform import (
    FlowNotice,
    InboundMessage,
    Notice,
    NumberNotice,
    StatusReport,
    TemplateNotice,
)

BATCH_SIZE = 200
TRANSACTION_BATCH_SIZE = 2_000
"""Notices in a transaction: what is stored as one may hold a thousand statuses."""

MIN_BACKOFF = timedelta(seconds=15)
MAX_ATTEMPTS = 8
NOTICE_TTL = timedelta(days=30)

GIVEN_UP = Counter(
    "svc_platform_notices_given_up_total",
    "Notices that could not be applied; kept for 30 days.",
    (),
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """A notice as it lies in its table."""

    id: int
    organization_id: str
    env: Env
    field: str
    platform_id: str | None
    body: dict[str, Any]
    attempts: int
    received_at: datetime

    @property
    def owner(self) -> tuple[str, Env]:
        return self.organization_id, self.env


SomeNotice = TypeVar("SomeNotice", bound=Notice)
NoticeList: TypeAlias = list[tuple[StoredNotice, SomeNotice]]
Handler: TypeAlias = Callable[[NoticeList[Any], datetime], Awaitable[None]]
"""Applies notices of one kind, in a transaction that is open."""


async def apply_due_notices(*, at: datetime) -> int:
    """Apply the stored notices that are due. Answers how many it took.

    They are leased and not locked meanwhile: what a crash leaves is taken again, and finds what is
    done already.
    """
    taken = await _lease(at=at)
    if not taken:
        return 0
    failed = {one.id for one in taken if one.attempts > MAX_ATTEMPTS}
    notices: dict[type[Notice], NoticeList[Any]] = defaultdict(list)
    for one in taken:
        if one.id in failed:
            continue
        try:
            for notice in notices_of(_change(one), at=one.received_at):
                notices[type(notice)].append((one, notice))
        except Exception as error:
            failed.add(one.id)
            _tell_of_failure(one, error)
    async with Lease(
        "platform_notices", "due_at", [one.id for one in taken], until=at + LEASE
    ).kept():
        for kind, handler in HANDLERS.items():
            for group in _groups(kind, notices[kind]):
                failed |= await _apply(handler, group, at=at)
    await _finish(taken, failed, at=at)
    return len(taken)


async def _lease(*, at: datetime) -> list[StoredNotice]:
    rows = await db.fetch(*unless_moved(LEASE_DUE, at, BATCH_SIZE, at + LEASE))
    return sorted((StoredNotice(*row.values()) for row in rows), key=lambda one: one.id)


def _change(one: StoredNotice) -> PlatformChange:
    return PlatformChange(one.field, one.platform_id, one.body["account"], one.body["value"])


def _groups(kind: type[Notice], notices: NoticeList[Any]) -> list[NoticeList[Any]]:
    """What shares a transaction: messages hold their organization's locks, and those of no other
    one.
    """
    if kind is not InboundMessage:
        return [list(part) for part in slices(notices, TRANSACTION_BATCH_SIZE)]
    by_owner: dict[tuple[str, Env], NoticeList[Any]] = defaultdict(list)
    for one, notice in notices:
        by_owner[one.owner].append((one, notice))
    return list(by_owner.values())


async def _apply(handler: Handler, notices: NoticeList[Any], *, at: datetime) -> set[int]:
    """Apply together, or, when that fails, each stored notice alone. Answers those that failed
    alone too.
    """
    try:
        async with transaction():
            await handler(notices, at)
        return set()
    except Exception as error:
        if is_outage(error):
            raise
    alone: dict[int, NoticeList[Any]] = defaultdict(list)
    for one, notice in notices:
        alone[one.id].append((one, notice))
    failed = set()
    for id, own in alone.items():
        try:
            async with transaction():
                await handler(own, at)
        except Exception as error:
            if is_outage(error):
                raise
            failed.add(id)
            _tell_of_failure(own[0][0], error)
    return failed


def _tell_of_failure(one: StoredNotice, error: Exception) -> None:
    """Without the error's text and the body: they may name people."""
    log.warning(
        "notice_failed",
        id=one.id,
        field=one.field,
        attempts=one.attempts,
        error=type(error).__name__,
    )


async def _finish(taken: Sequence[StoredNotice], failed: set[int], *, at: datetime) -> None:
    over = {one.id for one in taken if at - one.received_at >= NOTICE_TTL}
    await db.execute(
        "DELETE FROM platform_notices WHERE id = ANY ($1)",
        [one.id for one in taken if one.id not in failed - over],
    )
    again = [one for one in taken if one.id in failed - over]
    GIVEN_UP.labels().add(sum(one.attempts == MAX_ATTEMPTS for one in again))
    if again:
        due = [(one.id, _due_again(one, at=at)) for one in again]
        await db.execute(POSTPONE, *db.columns(due, 2))


def _due_again(one: StoredNotice, *, at: datetime) -> datetime:
    if one.attempts >= MAX_ATTEMPTS:
        return one.received_at + NOTICE_TTL
    pause: timedelta = MIN_BACKOFF * 2**one.attempts
    return at + pause


# The kinds ----------------------------------------------------------------------------------------


async def _apply_reports(notices: NoticeList[StatusReport], at: datetime) -> None:
    reports = [ReceivedReport(*one.owner, PROVIDER, report) for one, report in notices]
    unknown = await receive_reports(reports, at=at)
    await keep_unmatched([reports[place] for place in sorted(unknown)], at=at)


async def _apply_inbound(notices: NoticeList[InboundMessage], at: datetime) -> None:
    owner = notices[0][0].owner
    senders = await numbers.senders_by_platform_id({inbound.platform_id for _, inbound in notices})
    received = [
        ReceivedMessage(sender, inbound)
        for _, inbound in notices
        if (sender := senders.get(inbound.platform_id)) is not None
        and (sender.organization_id, sender.env) == owner
    ]
    await receive(await service_caller(*owner), PROVIDER, received, at=at)


async def _apply_numbers(notices: NoticeList[NumberNotice], at: datetime) -> None:
    await numbers.apply_notices([notice for _, notice in notices], at)


async def _apply_templates(notices: NoticeList[TemplateNotice], at: datetime) -> None:
    await templates.apply_notices([notice for _, notice in notices], at)


async def _apply_flows(notices: NoticeList[FlowNotice], at: datetime) -> None:
    await flows.apply_notices([notice for _, notice in notices], at)


HANDLERS: dict[type[Notice], Handler] = {
    StatusReport: _apply_reports,
    InboundMessage: _apply_inbound,
    NumberNotice: _apply_numbers,
    TemplateNotice: _apply_templates,
    FlowNotice: _apply_flows,
}

LEASE_DUE = """
UPDATE platform_notices SET due_at = $3, attempts = attempts + 1
WHERE id = ANY (ARRAY(
    SELECT id FROM platform_notices WHERE due_at <= $1 /* unless moved */
    ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, organization_id, env, field, line, body, attempts, received_at
"""

POSTPONE = """
UPDATE platform_notices n SET due_at = p.due_at
FROM unnest($1::bigint[], $2::timestamptz[]) AS p (id, due_at) WHERE n.id = p.id
"""
