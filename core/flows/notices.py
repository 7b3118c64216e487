"""Applying the platform's notices about flows."""

from collections.abc import Sequence
from datetime import datetime

from core.flows.models import MetaStatus
from core.foundation.database import db
from core.providers.platform import FlowNotice


async def apply_notices(notices: Sequence[FlowNotice], at: datetime) -> None:
    """Write down how the platform sees flows, the oldest notice first; in the caller's transaction.

    Only `metaStatus` moves, and with it whether a flow can be sent; but a flow that was deprecated
    there is so here.
    """
    for notice in sorted(notices, key=lambda notice: notice.at):
        if notice.status in set(MetaStatus):
            await db.execute(APPLY, notice.flow_id, notice.account, notice.status, at)


APPLY = """
UPDATE flows f
SET meta_status = $3, updated_at = $4,
    status = CASE WHEN $3 = 'DEPRECATED' AND f.status IN ('active', 'paused') THEN 'deprecated' ELSE f.status END
FROM numbers n
WHERE f.meta_flow_id = $1 AND n.organization_id = f.organization_id AND n.env = f.env AND n.id = f.number_id
  AND n.waba_id = $2 AND f.meta_status IS DISTINCT FROM $3 AND f.meta_status IS DISTINCT FROM 'DEPRECATED'
"""
