"""Applying approval decisions to templates, with the events that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import webhooks
from core.foundation.database import db
from core.foundation.database.rows import column
from core.templates.models import TemplateStatus
from core.templates.record import decided

FROM: dict[TemplateStatus, tuple[TemplateStatus, ...]] = {
    TemplateStatus.PENDING: (TemplateStatus.SUBMITTED,),
    TemplateStatus.APPROVED: (
        TemplateStatus.SUBMITTED,
        TemplateStatus.PENDING,
        TemplateStatus.PAUSED,
    ),
    TemplateStatus.REJECTED: (TemplateStatus.SUBMITTED, TemplateStatus.PENDING),
    TemplateStatus.PAUSED: (TemplateStatus.APPROVED,),
    TemplateStatus.DISABLED: (TemplateStatus.APPROVED, TemplateStatus.PAUSED),
}
"""The statuses that a decision finds a template in; in any other it changes nothing."""

MAX_REASON_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """What a template becomes. `due_at`: when to validator at it again; `platform_id`: where it has just
    become known.
    """

    template_id: str
    status: TemplateStatus
    reason: str | None = None
    platform_id: str | None = None
    due_at: datetime | None = None


async def apply_decisions(decisions: Sequence[Decision], *, at: datetime) -> None:
    """Move the templates and tell of those that are approved or rejected; in the caller's
    transaction.

    A version that is approved takes the place of the one before it, which the platform does not
    keep: that one is disabled.
    """
    moved = [
        row
        for decision in decisions
        if (
            row := await db.fetchrow(
                MOVE,
                decision.template_id,
                decision.status,
                decision.reason[:MAX_REASON_LENGTH] if decision.reason else None,
                decision.platform_id,
                decision.due_at,
                at,
                list(FROM[decision.status]),
            )
        )
    ]
    approved = [row for row in moved if row["status"] == TemplateStatus.APPROVED]
    await db.execute_for(approved, REPLACE, column(approved, "id"), at)
    told = [
        row for row in moved if row["status"] in (TemplateStatus.APPROVED, TemplateStatus.REJECTED)
    ]
    await webhooks.publish_many([decided(row) for row in told], at=at)


MOVE = """
UPDATE templates
SET status = $2, rejection_reason = $3, meta_template_id = coalesce($4, meta_template_id), due_at = $5, updated_at = $6
WHERE id = $1 AND status = ANY ($7)
RETURNING *
"""

REPLACE = """
UPDATE templates o SET status = 'disabled', updated_at = $2
FROM templates n
WHERE n.id = ANY ($1) AND o.organization_id = n.organization_id AND o.env = n.env AND o.number_id = n.number_id
  AND o.name = n.name AND o.language = n.language AND o.version < n.version AND o.status IN ('approved', 'paused')
"""
