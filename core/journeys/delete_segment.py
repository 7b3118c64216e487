"""Use case: delete a segment, and end what hangs on it."""

from core import push, segments
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.journeys.runs.models import SegmentMember
from core.journeys.segment_uses import USES_SEGMENT
from core.journeys.tell import tell_paused


async def delete_segment(caller: Caller, id: str) -> None:
    """Remove a segment for good; journeys that run on it are paused, pushes that wait for it fail.
    Raises NotFound.
    """
    caller.require(Scope.CONTACTS_WRITE)
    async with transaction():
        await segments.remove_segment(caller, id)
        owner, at = (caller.organization_id, caller.env), now()
        paused = await db.fetch(PAUSE, *owner, id, at)
        await tell_paused(*owner, column(paused, "id"), at=at)
        await SegmentMember.visible_to(caller).filter(segment_id=id).delete()
        await push.fail_waiting(caller, id)


PAUSE = f"""
UPDATE journeys j
SET status = 'pausada', updated_at = $4,
    paused_by = jsonb_build_object('motivo', 'segmento_removido', 'passo', j.entry_step_id, 'em', to_char(
        $4 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
WHERE j.organization_id = $1 AND j.env = $2 AND j.status = 'ativa'
  AND {USES_SEGMENT.format(j="j", id="$3::text")}
RETURNING j.id
"""
