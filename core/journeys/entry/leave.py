"""Who leaves journeys early: whoever asked to hear nothing any more, and whoever is erased."""

from collections.abc import Sequence
from datetime import datetime

from core import contacts
from core.contacts.consent_log import ConsentLogEntry
from core.contacts.models import ALL_CHANNELS
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState

OPTED_OUT, ERASED = "opt_out", "contato_apagado"


@contacts.on_opt_out
async def leave_on_opt_out(caller: Caller, denied: Sequence[ConsentLogEntry]) -> None:
    """End the runs of contacts that were denied on all channels; of one channel, messages alone are
    passed over. In the transaction of the denial.
    """
    ids = [one.row["id"] for one in denied if one.channel == ALL_CHANNELS]
    if ids:
        await _take_out(caller, ids, OPTED_OUT, at=now())


async def forget_contact(caller: Caller, id: str, *, at: datetime) -> int:
    """End the runs of a contact that is erased, and take what is known of it out of their trail; the
    counts stay. Answers how many runs there were, ended ones too.
    """
    owner = (caller.organization_id, caller.env)
    await _take_out(caller, [id], ERASED, at=at)
    await db.execute(SCRUB_TRAIL, *owner, id)
    for statement in (FORGET_MEMBER, FORGET_CHANGES, FORGET_DIRTY, FORGET_CAPS):
        await db.execute(statement, *owner, id)
    return await db.execute(FORGET_KEYS, *owner, id)


async def _take_out(caller: Caller, ids: Sequence[str], reason: str, *, at: datetime) -> None:
    await finish_runs(
        caller.organization_id,
        caller.env,
        "r.contact_id = ANY ($7::text[])",
        [list(ids)],
        state=RunState.CANCELED,
        reason=reason,
        at=at,
    )


SCRUB_TRAIL = """
UPDATE journey_trail t SET facts = NULL
FROM journey_runs r
WHERE r.organization_id = $1 AND r.env = $2 AND r.contact_id = $3 AND t.run_id = r.id AND t.facts IS NOT NULL
"""

FORGET_KEYS = """
UPDATE journey_runs SET entry_key = '', woken_by = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

FORGET_MEMBER = """
DELETE FROM segment_members WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

FORGET_CHANGES = """
DELETE FROM audience_changes WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

FORGET_DIRTY = """
DELETE FROM dirty_contacts WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

FORGET_CAPS = """
DELETE FROM contact_caps WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""
