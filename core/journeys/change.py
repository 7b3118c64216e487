"""Use cases: change a journey, and make a copy of it."""

from datetime import datetime, timedelta

from core import audit
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.journeys.create import keep_within_limit
from core.journeys.errors import JourneyWasChanged, NewerJourneyVersion, UnknownJourneyLinks
from core.journeys.inputs import Duplication, JourneyChanges
from core.journeys.links import wrong_links
from core.journeys.locks import lock_journey, lock_journey_in_use
from core.journeys.models import Journey, JourneyStatus
from core.journeys.queries import journey_record
from core.journeys.record import JourneyRecord
from core.journeys.stored import changed, draft_of, write_into

MAX_NAME = 120
COPY = " (cópia)"
UNLESS_TOLD = Duplication()


async def change_journey(caller: Caller, id: str, changes: JourneyChanges) -> JourneyRecord:
    """Change what was sent; answers the record that has it.

    A draft is changed in place. Of an active or paused journey a draft of the next version is made,
    which names it in `versaoDe`; it runs on as it is until that one is activated. Raises NotFound,
    JourneyIsArchived, JourneyWasChanged, NewerJourneyVersion, TooManyJourneys, ValidationFailed and
    UnknownJourneyLinks.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    async with transaction():
        found = await lock_journey_in_use(caller, id)
        if newer := await _newer_version(found):
            raise NewerJourneyVersion(newer)
        if changes.unchanged_since and not _is_shown_as(changes.unchanged_since, found.updated_at):
            raise JourneyWasChanged(found.updated_at)
        new = changed(found, changes)
        if wrong := await wrong_links(caller, new):
            raise UnknownJourneyLinks(wrong)
        fields = changes.model_fields_set - {"unchanged_since"}
        if not fields:
            return await journey_record(caller, id)
        draft = found
        if found.status is not JourneyStatus.DRAFT:
            await keep_within_limit(caller)
            draft = draft_of(found, new_id("jor"), at=at)
            draft.lineage_id = found.lineage_id or found.id
            draft.version, draft.version_of = found.version + 1, found.id
        write_into(draft, new)
        draft.updated_at = _after(found.updated_at, at) if draft is found else at
        await draft.save(force_create=draft is not found, force_update=draft is found)
        facts = {
            "version": draft.version,
            "of": draft.version_of,
            "changed": sorted(fields),
        }
        await audit.write_entry(caller, "journey.changed", draft.id, facts, at=at)
    return await journey_record(caller, draft.id)


async def duplicate_journey(
    caller: Caller, id: str, how: Duplication = UNLESS_TOLD
) -> JourneyRecord:
    """A draft with the same trigger and steps, and nobody inside. Raises NotFound and
    TooManyJourneys.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at, copy = now(), new_id("jor")
    async with transaction():
        found = await lock_journey(caller, id)
        await keep_within_limit(caller)
        draft = draft_of(found, copy, at=at)
        draft.name = how.name or found.name[: MAX_NAME - len(COPY)] + COPY
        draft.lineage_id, draft.version, draft.version_of = copy, 1, None
        await draft.save(force_create=True)
        facts = {"of": id, "steps": len(found.steps)}
        await audit.write_entry(caller, "journey.duplicated", copy, facts, at=at)
    return await journey_record(caller, copy)


def _is_shown_as(at: datetime, other: datetime) -> bool:
    return wire_time(at) == wire_time(other)


def _after(before: datetime, at: datetime) -> datetime:
    """`at`, or the next instant that is shown as another one: where a clock stands, or is quick."""
    return before + timedelta(milliseconds=1) if _is_shown_as(at, before) else at


async def _newer_version(journey: Journey) -> str | None:
    """A newer version that is not archived."""
    found: str | None = await db.fetchval(
        NEWER,
        journey.organization_id,
        journey.env,
        journey.lineage_id or journey.id,
        journey.version,
    )
    return found


NEWER = """
SELECT id FROM journeys
WHERE organization_id = $1 AND env = $2 AND coalesce(lineage_id, id) = $3 AND version > $4
  AND status <> 'arquivada'
ORDER BY version DESC LIMIT 1
"""
