"""Applying what the platform told: stored notices, in batches, each once in its effect however
often it runs.

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
from core.conversations.inbound.parked import park_reports
from core.conversations.inbound.receive import Arrival, receive
from core.conversations.receipts import Report, apply_reports
from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.leases import LEASE, Lease
from core.foundation.database.transactions import transaction
from core.foundation.observability.metrics import Counter
from core.foundation.security.caller import Env
from core.organizations import service_caller
from core.providers.meta import PROVIDER
from core.providers.meta.webhook import Change, notices_of
from core.providers.platform import (
    FlowNotice,
    Inbound,
    Notice,
    NumberNotice,
    StatusReport,
    TemplateNotice,
)

BATCH = 200
AT_ONCE = 2_000
"""Notices in a transaction: what is stored as one may hold a thousand statuses."""

FIRST_PAUSE = timedelta(seconds=15)
MOST_ATTEMPTS = 8
KEPT = timedelta(days=30)

GIVEN_UP = Counter(
    "svc_platform_notices_given_up_total",
    "Notices that could not be applied; kept for 30 days.",
    (),
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Stored:
    """A notice as it lies in its table."""

    id: int
    organization_id: str
    env: Env
    field: str
    line: str | None
    body: dict[str, Any]
    attempts: int
    received_at: datetime

    @property
    def owner(self) -> tuple[str, Env]:
        return self.organization_id, self.env


SomeNotice = TypeVar("SomeNotice", bound=Notice)
Told: TypeAlias = list[tuple[Stored, SomeNotice]]
Part: TypeAlias = Callable[[Told[Any], datetime], Awaitable[None]]
"""Applies notices of one kind, in a transaction that is open."""


async def apply_due_notices(*, at: datetime) -> int:
    """Apply the stored notices that are due. Answers how many it took.

    They are leased and not locked meanwhile: what a crash leaves is taken again, and finds what is
    done already.
    """
    taken = await _lease(at=at)
    failed = {one.id for one in taken if one.attempts > MOST_ATTEMPTS}
    told: dict[type[Notice], Told[Any]] = defaultdict(list)
    for one in taken:
        if one.id in failed:
            continue
        try:
            for notice in notices_of(_change(one), at=one.received_at):
                told[type(notice)].append((one, notice))
        except Exception as error:
            failed.add(one.id)
            _tell_of_failure(one, error)
    async with Lease(
        "platform_notices", "due_at", [one.id for one in taken], until=at + LEASE
    ).kept():
        for kind, part in PARTS.items():
            for group in _groups(kind, told[kind]):
                failed |= await _apply(part, group, at=at)
    await _finish(taken, failed, at=at)
    return len(taken)


async def _lease(*, at: datetime) -> list[Stored]:
    rows = await db.fetch(LEASE_DUE, at, BATCH, at + LEASE)
    return sorted((Stored(*row.values()) for row in rows), key=lambda one: one.id)


def _change(one: Stored) -> Change:
    return Change(one.field, one.line, one.body["account"], one.body["value"])


def _groups(kind: type[Notice], told: Told[Any]) -> list[Told[Any]]:
    """What shares a transaction: messages hold their organization's locks, and those of no other
    one.
    """
    if kind is not Inbound:
        return [told[first : first + AT_ONCE] for first in range(0, len(told), AT_ONCE)]
    by_owner: dict[tuple[str, Env], Told[Any]] = defaultdict(list)
    for one, notice in told:
        by_owner[one.owner].append((one, notice))
    return list(by_owner.values())


async def _apply(part: Part, told: Told[Any], *, at: datetime) -> set[int]:
    """Apply together, or, when that fails, each stored notice alone. Answers those that failed
    alone too.
    """
    try:
        async with transaction():
            await part(told, at)
        return set()
    except Exception as error:
        if is_outage(error):
            raise
    alone: dict[int, Told[Any]] = defaultdict(list)
    for one, notice in told:
        alone[one.id].append((one, notice))
    failed = set()
    for id, own in alone.items():
        try:
            async with transaction():
                await part(own, at)
        except Exception as error:
            if is_outage(error):
                raise
            failed.add(id)
            _tell_of_failure(own[0][0], error)
    return failed


def _tell_of_failure(one: Stored, error: Exception) -> None:
    """Without the error's text and the body: they may name people."""
    log.warning(
        "notice_failed",
        id=one.id,
        field=one.field,
        attempts=one.attempts,
        error=type(error).__name__,
    )


async def _finish(taken: Sequence[Stored], failed: set[int], *, at: datetime) -> None:
    over = {one.id for one in taken if at - one.received_at >= KEPT}
    await db.execute(
        "DELETE FROM platform_notices WHERE id = ANY ($1)",
        [one.id for one in taken if one.id not in failed - over],
    )
    again = [one for one in taken if one.id in failed - over]
    GIVEN_UP.labels().add(sum(one.attempts == MOST_ATTEMPTS for one in again))
    if again:
        due = [(one.id, _due_again(one, at=at)) for one in again]
        await db.execute(POSTPONE, *db.columns(due, 2))


def _due_again(one: Stored, *, at: datetime) -> datetime:
    if one.attempts >= MOST_ATTEMPTS:
        return one.received_at + KEPT
    pause: timedelta = FIRST_PAUSE * 2**one.attempts
    return at + pause


# The kinds ----------------------------------------------------------------------------------------


async def _apply_reports(told: Told[StatusReport], at: datetime) -> None:
    reports = [Report(*one.owner, PROVIDER, word) for one, word in told]
    unknown = await apply_reports(reports, at=at)
    await park_reports([reports[place] for place in sorted(unknown)], at=at)


async def _apply_inbound(told: Told[Inbound], at: datetime) -> None:
    owner = told[0][0].owner
    lines = await numbers.lines_by_platform_id({inbound.line for _, inbound in told})
    arrivals = [
        Arrival(line, inbound)
        for _, inbound in told
        if (line := lines.get(inbound.line)) is not None
        and (line.organization_id, line.env) == owner
    ]
    await receive(await service_caller(*owner), PROVIDER, arrivals, at=at)


async def _apply_numbers(told: Told[NumberNotice], at: datetime) -> None:
    await numbers.apply_notices([notice for _, notice in told], at)


async def _apply_templates(told: Told[TemplateNotice], at: datetime) -> None:
    await templates.apply_notices([notice for _, notice in told], at)


async def _apply_flows(told: Told[FlowNotice], at: datetime) -> None:
    await flows.apply_notices([notice for _, notice in told], at)


PARTS: dict[type[Notice], Part] = {
    StatusReport: _apply_reports,
    Inbound: _apply_inbound,
    NumberNotice: _apply_numbers,
    TemplateNotice: _apply_templates,
    FlowNotice: _apply_flows,
}

LEASE_DUE = """
UPDATE platform_notices SET due_at = $3, attempts = attempts + 1
WHERE id = ANY (ARRAY(
    SELECT id FROM platform_notices WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, organization_id, env, field, line, body, attempts, received_at
"""

POSTPONE = """
UPDATE platform_notices n SET due_at = p.due_at
FROM unnest($1::bigint[], $2::timestamptz[]) AS p (id, due_at) WHERE n.id = p.id
"""
