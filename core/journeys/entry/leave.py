"""Who leaves journeys early: whoever asked to hear nothing any more, and whoever is erased."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from core import contacts
from core.contacts.consent_log import ConsentLogEntry
from core.contacts.models import ALL_CHANNELS
from core.foundation import jobs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import (
    AudienceChange,
    ContactCap,
    DirtyContact,
    SegmentMember,
    WatchKind,
)

if TYPE_CHECKING:
    from core.journeys.runs.audience import Change

OPTED_OUT, ERASED = "opt_out", "contato_apagado"


@contacts.on_opt_out
async def note_opt_outs(caller: Caller, denied: Sequence[ConsentLogEntry]) -> None:
    """Let the runs of contacts end that were denied on all channels; of one channel, messages alone
    are passed over. In the transaction of the denial, which holds the contacts: runs are locked
    before them elsewhere, so they are ended in a moment, by whoever takes changes up.
    """
    ids = [one.row["id"] for one in denied if one.channel == ALL_CHANNELS]
    if ids:
        owner = (caller.organization_id, caller.env)
        if await db.execute(NOTE_OPT_OUTS, *owner, ids, WatchKind.OPT_OUT.value, now()):
            await jobs.wake(jobs.Job.TAKE_AUDIENCE_CHANGES)


async def end_by_opt_out(changes: Sequence["Change"], at: datetime) -> None:
    """End the runs of whoever asked to hear nothing at all."""
    owners: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        if change.kind is WatchKind.OPT_OUT:
            owners.setdefault((change.organization_id, change.env), []).append(change.contact_id)
    for owner, ids in owners.items():
        await _take_out(*owner, ids, OPTED_OUT, at=at)


async def lock_runs_of(caller: Caller, id: str) -> None:
    """Hold the runs of a contact that is to be erased, before the contact: whoever moves them locks
    them in this order.
    """
    await db.execute(LOCK, caller.organization_id, caller.env, id)


async def forget_contact(caller: Caller, id: str, *, at: datetime) -> int:
    """End the runs of a contact that is erased, and take what is known of it out of their trail;
    the counts stay. Answers how many runs there were, ended ones too.
    """
    owner = (caller.organization_id, caller.env)
    await _take_out(*owner, [id], ERASED, at=at)
    await db.execute(SCRUB_TRAIL, *owner, id)
    await SegmentMember.visible_to(caller).filter(contact_id=id).delete()
    await AudienceChange.visible_to(caller).filter(contact_id=id).delete()
    await DirtyContact.visible_to(caller).filter(contact_id=id).delete()
    await ContactCap.visible_to(caller).filter(contact_id=id).delete()
    return await db.execute(FORGET_KEYS, *owner, id)


async def _take_out(
    organization_id: str, env: str, ids: Sequence[str], reason: str, *, at: datetime
) -> None:
    these = "r.contact_id = ANY ($7::text[])"
    await finish_runs(organization_id, env, these, [list(ids)], reason=reason, at=at)


NOTE_OPT_OUTS = """/* whole */
INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
SELECT DISTINCT r.organization_id, r.env, $4::text, '', r.contact_id, false, pg_current_xact_id()::text::bigint,
       $5::timestamptz
FROM journey_runs r
WHERE r.organization_id = $1 AND r.env = $2 AND r.contact_id = ANY ($3::text[]) AND r.state = 1
"""

LOCK = """
SELECT FROM journey_runs
WHERE organization_id = $1 AND env = $2 AND contact_id = $3 AND state = 1 ORDER BY id FOR UPDATE
"""

SCRUB_TRAIL = """
UPDATE journey_trail t SET facts = NULL
FROM journey_runs r
WHERE r.organization_id = $1 AND r.env = $2 AND r.contact_id = $3 AND t.run_id = r.id AND t.facts IS NOT NULL
"""

FORGET_KEYS = """
UPDATE journey_runs SET entry_key = '', woken_by = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""
