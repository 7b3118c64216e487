"""The log of delivery reports: each as the provider sent it, whether it changed something or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.foundation.database import db


@dataclass(frozen=True, slots=True)
class LoggedReport:
    """A delivery report on a known message, and whether it changed its status."""

    organization_id: str
    env: str
    message_id: str
    status: str | None
    reason: str | None
    body: Mapping[str, Any]
    applied: bool


async def log_reports(reports: Sequence[LoggedReport], *, at: datetime) -> None:
    """Log delivery reports, those too that changed nothing."""
    await db.execute_for(
        reports,
        """
        INSERT INTO message_receipts
            (organization_id, env, message_id, status, reason, body, applied, received_at)
        SELECT r.*, $8 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[],
                                   $7::bool[]) AS r
        """,
        *db.columns([_row_of(report) for report in reports], 7),
        at,
    )


def _row_of(report: LoggedReport) -> tuple[object, ...]:
    return (
        report.organization_id,
        report.env,
        report.message_id,
        report.status,
        report.reason,
        report.body,
        report.applied,
    )
