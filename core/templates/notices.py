"""Applying the platform's notices about templates."""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.database import db
from core.providers.platform import TemplateNotice
from core.templates.apply_decisions import FROM, Decision, apply_decisions
from core.templates.models import TemplateStatus


async def apply_notices(notices: Sequence[TemplateNotice], at: datetime) -> None:
    """Move the templates that the notices are about, the oldest notice first; in the caller's
    transaction.

    A notice about a template that is not known here, or that tells what no template in that status
    does, changes nothing: until its id is stored, a template that is being submitted is asked
    after.
    """
    for notice in sorted(notices, key=lambda notice: notice.at):
        rows = await db.fetch(OF_NOTICE, notice.template_id, notice.account)
        decision = _decision(notice, rows, at=at)
        if decision is not None:
            await apply_decisions([decision], at=at)


def _decision(notice: TemplateNotice, rows: Sequence[db.Row], *, at: datetime) -> Decision | None:
    """The platform knows all versions under one id: what is under review is meant before what is in
    use.
    """
    status = notice.status
    if status == TemplateStatus.REJECTED and not any(
        row["status"] in FROM[TemplateStatus.REJECTED] for row in rows
    ):
        status = (
            TemplateStatus.PAUSED
        )  # it changed its mind about one in use: nobody may send that any more
    if status not in FROM:
        return None
    wanted = TemplateStatus(status)
    found = next((row for row in rows if row["status"] in FROM[wanted]), None)
    if found is None:
        return None
    due_at = at if wanted is TemplateStatus.PENDING else None
    return Decision(found["id"], wanted, notice.reason, notice.template_id, due_at)


OF_NOTICE = """
SELECT t.* FROM templates t
JOIN numbers n ON n.organization_id = t.organization_id AND n.env = t.env AND n.id = t.number_id
WHERE t.meta_template_id = $1 AND n.waba_id = $2
ORDER BY t.version DESC FOR UPDATE OF t
"""
