"""Retention: whole months leave their table when they are older than the settings say."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

import structlog

from core import messaging
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.settings import Settings, current
from core.partitions.layout import Partition, partitioned_tables, partitions_of
from core.partitions.locks import brief_locks
from core.partitions.models import DetachedPartition
from core.partitions.months import month_of, months_later, start_of
from core.partitions.tables import ATTEMPTS, AUDIT, DELIVERIES, EVENTS, MESSAGES, RECEIPTS

log = structlog.get_logger()

EMPTIED = (EVENTS, DELIVERIES, ATTEMPTS)
"""Their rows are deleted one by one when their days are over; a partition goes once nothing is left
in it.
"""
EMPTY_AFTER = timedelta(days=30)
"""Since the end of its month: nothing is looked for in a partition that is younger."""


async def detach_old_months(*, at: datetime) -> list[str]:
    """Take every partition out of its table whose time is over; answers their names.

    From then on nobody reads it. What becomes of it is up to `finish_detached`. A month of messages
    stays while one of them still waits for its end. Raises LockNotAvailableError where somebody
    holds a table; call it again.
    """
    parts = await partitions_of(await partitioned_tables())
    return [part.name for part in parts if await _is_over(part, at=at) and await _detach(part)]


def keep_months_of(settings: Settings) -> Mapping[str, int | None]:
    """How many whole months behind the current one each table keeps; None: for ever."""
    return {
        MESSAGES.name: settings.keep_messages_months,
        RECEIPTS.name: settings.keep_messages_months,
        AUDIT.name: settings.keep_audit_months,
    }


async def _is_over(part: Partition, *, at: datetime) -> bool:
    if part.until is None:  # the default partition
        return False
    if part.table in {table.name for table in EMPTIED}:
        return start_of(part.until) + EMPTY_AFTER <= at and await _is_empty(part)
    months = keep_months_of(current())[part.table]
    return months is not None and part.until <= oldest_kept(months, at=at)


def oldest_kept(months: int, *, at: datetime) -> date:
    """The first month that is kept."""
    return months_later(month_of(at.astimezone(UTC)), -months)


async def _is_empty(part: Partition) -> bool:
    return not await db.fetchval(f"SELECT EXISTS (SELECT FROM {part.name})")


async def _detach(part: Partition) -> bool:
    """Detach it, and take what it counts for off the totals, in one transaction; whether it did.

    Its rows are counted under a lock that stops writers to this month and no reader, nor anybody
    else.
    """
    async with brief_locks():
        await db.execute(f"LOCK TABLE {part.name} IN SHARE MODE")
        if part.table == MESSAGES.name:
            if await db.fetchval(UNSETTLED.format(part=part.name)):
                log.warning(
                    "month_kept",
                    partition=part.name,
                    reason="some of its messages wait for their end",
                )
                return False
            if not await db.fetchval(COUNTED, part.until):
                log.warning(
                    "month_kept", partition=part.name, reason="its hours are not closed yet"
                )
                return False
            await messaging.take_off_counts(part.name)
        rows = await db.fetchval(f"SELECT count(*) FROM {part.name}")
        if part.table in {table.name for table in EMPTIED} and rows:
            return False
        await db.execute(f"ALTER TABLE {part.table} DETACH PARTITION {part.name}")
        await DetachedPartition.create(
            name=part.name,
            table_name=part.table,
            since=part.since,
            until=part.until,
            row_count=rows,
            detached_at=now(),
        )
    log.info("month_detached", partition=part.name, rows=rows)
    return True


UNSETTLED = """
SELECT EXISTS (SELECT FROM {part} WHERE settle_at IS NOT NULL)
    OR EXISTS (SELECT FROM {part} WHERE status IN ('queued', 'sending'))
"""

# Statistics of months that are gone come from the hours that were closed before.
COUNTED = (
    "SELECT EXISTS (SELECT FROM closed_hours WHERE closed_until >= "
    "$1::date::timestamp AT TIME ZONE 'UTC')"
)
