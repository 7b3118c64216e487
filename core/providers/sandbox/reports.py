"""The sandbox's scheduled reports: written with the acceptance, taken when they are due."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from typing import Any, Self, TypeVar

from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.rows_beside import RowsBeside
from core.foundation.moved_clocks import is_moving, narrowed
from core.foundation.security.caller import Caller
from core.foundation.settings import current


@dataclass(frozen=True, slots=True)
class ScheduledReport:
    """What the sandbox says about one message."""

    message_id: str
    organization_id: str
    env: str
    channel: str
    status: str
    reason: str | None
    due_at: datetime
    receipt: dict[str, Any]

    @classmethod
    def on(
        cls,
        message: HasColumns,
        status: str,
        reason: str | None,
        receipt: dict[str, Any],
        *,
        at: datetime,
    ) -> Self:
        """What it will say about a message that it has taken, or reported on, at `at`."""
        row: Any = message
        return cls(
            row["id"],
            row["organization_id"],
            row["env"],
            row["channel"],
            status,
            reason,
            next_report_at(at),
            receipt,
        )


def next_report_at(at: datetime) -> datetime:
    """When the sandbox reports on what happened at `at`."""
    return at + timedelta(seconds=current().sandbox_delay_seconds)


REPORTS = RowsBeside(
    "sandbox_reports",
    (
        ("channel", "text"),
        ("status", "text"),
        ("reason", "text"),
        ("due_at", "timestamptz"),
        ("receipt", "jsonb"),
    ),
)
"""The same, written by the statement that accepts the messages."""


async def write_reports(reports: Sequence[ScheduledReport]) -> None:
    """Let the sandbox report on messages, in the transaction of their cause; one report of a
    message at a time.
    """
    await db.execute_for(
        reports,
        "INSERT INTO sandbox_reports (message_id, organization_id, env, channel, "
        "status, reason, due_at, receipt) "
        "SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], "
        "$5::text[], $6::text[], "
        "$7::timestamptz[], $8::jsonb[])",
        *db.columns([astuple(report) for report in reports], 8),
    )


async def are_due(*channels: str, at: datetime) -> bool:
    """Whether reports on these channels are due: one statement instead of a transaction, for
    whoever looks several times a second and mostly finds nothing.
    """
    return bool(await db.fetch_planned(*narrowed(looks_for(channels), at)))


async def take_due_reports(channel: str, *, at: datetime, limit: int) -> list[ScheduledReport]:
    """Take the reports that are due, oldest first, out of the table.

    They are gone only when the transaction that applies them commits; two workers never take the
    same one.
    """
    take = TAKE_IN_ORDER if is_moving() else TAKE
    rows = await db.fetch(*narrowed(take.format(channel=channel), at, limit))
    return sorted(
        (ScheduledReport(*row.values()) for row in rows),
        key=lambda report: (report.due_at, report.message_id),
    )


# In the order of the index by channel and time, where nothing of what is due on other channels is read.
ARE_DUE = """
SELECT FROM (
    SELECT FROM sandbox_reports WHERE channel = '{channel}' AND due_at <= $1 /* whose */ ORDER BY due_at LIMIT 1) AS due
"""
"""In the order of the index: without it a plan for any values reads the table whole."""


def looks_for(channels: Sequence[str]) -> str:
    """The statement that looks whether anything is due on these channels of ours."""
    return "UNION ALL".join(ARE_DUE.format(channel=channel) for channel in channels)


TAKE = """
DELETE FROM sandbox_reports WHERE message_id = ANY (ARRAY(
    SELECT message_id FROM sandbox_reports WHERE channel = '{channel}' AND due_at <= $1 /* whose */
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING message_id, organization_id, env, channel, status, reason, due_at, receipt
"""

TAKE_IN_ORDER = TAKE.replace("ORDER BY due_at", "ORDER BY due_at, message_id")
"""The same where those of one instant are to come in the order of their messages."""

# The index tells whose each report is: those of others that are due before it are passed over in the index alone.
NEXT_REPORT = """
    (SELECT due_at FROM sandbox_reports WHERE organization_id = $1 AND env = 'test' AND channel = '{channel}'
     ORDER BY due_at LIMIT 1)
"""


def next_report(*channels: str) -> str:
    """The SQL of when the next report of a sandbox on some channels of ours is due."""
    of_each = "UNION ALL".join(NEXT_REPORT.format(channel=channel) for channel in channels)
    return f"SELECT min(due_at) FROM ({of_each}) AS first"


Step = TypeVar("Step")


async def tell_on(
    stories: Sequence[tuple[HasColumns, Sequence[Step]]],
    outcome_of: Callable[[Step], tuple[str, str | None]],
    *,
    at: datetime,
) -> None:
    """Write down the next step of each message's story, and what comes after it: a story is told
    one report at a time. `outcome_of`: the status of a step, and its reason.
    """
    await write_reports(
        [
            ScheduledReport.on(row, *outcome_of(story[0]), {"then": story[1:]}, at=at)
            for row, story in stories
            if story
        ]
    )


async def delete_reports(messages: Sequence[str]) -> None:
    """Delete the reports on messages that are gone."""
    await db.execute("DELETE FROM sandbox_reports WHERE message_id = ANY ($1)", list(messages))


async def forget_recipient(caller: Caller, messages: Sequence[str]) -> None:
    """Take a person who is erased out of the reports on these messages."""
    await db.execute(FORGET, caller.organization_id, caller.env, list(messages))


FORGET = """
UPDATE sandbox_reports SET receipt = (receipt - 'message') || jsonb_build_object('to', right(receipt ->> 'to', 4))
WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)
"""
