"""Use case: put contacts into a journey by hand."""

from typing import Annotated, TypedDict

from core import audit
from core.foundation import jobs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError
from core.foundation.records import Doc, Id
from core.foundation.security.caller import Caller, Scope
from core.journeys.entry.limit import keep_within_runs
from core.journeys.entry.sources import MAY_ENTER
from core.journeys.errors import EntriesEnded, JourneyStatusConflict, UnknownJourneyLinks
from core.journeys.inputs import NewEntries
from core.journeys.locks import lock_journey_in_use
from core.journeys.models import JourneyStatus
from core.journeys.runs.enrol import enrol
from core.journeys.runs.program import load_program

NOT_ACTIVE = "Contacts enter an active journey only; activate it, or let it go on."


class EnteredContacts(TypedDict):
    """What became of contacts that were put into a journey."""

    journeyId: Annotated[Id, Doc("The journey")]
    entraram: Annotated[int, Doc("How many came in")]
    naoEntraram: Annotated[
        int,
        Doc(
            "How many did not: they are inside, have been through, or asked to hear nothing at all"
        ),
    ]


async def enter_journey(caller: Caller, id: str, new: NewEntries) -> EnteredContacts:
    """Put contacts at the start, as `reentrada` lets them. All of them must be there.

    Raises NotFound, JourneyIsArchived, JourneyStatusConflict, EntriesEnded, TooManyRuns, and
    UnknownJourneyLinks with the place of each contact that is not there.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    contacts = list(dict.fromkeys(new.contact_ids))
    async with transaction():
        journey = await lock_journey_in_use(caller, id)
        if journey.status is not JourneyStatus.ACTIVE:
            raise JourneyStatusConflict(journey.status, NOT_ACTIVE)
        if journey.entries_ended:
            raise EntriesEnded
        await _refuse_unknown(caller, new.contact_ids)
        await keep_within_runs(caller, len(contacts), pointer="/contactIds")
        entered = await enrol(await load_program(id), THESE, [contacts], at=at)
        facts = {"asked": len(contacts), "entered": entered}
        await audit.write_entry(caller, "journey.entered_by_hand", id, facts, at=at)
        await jobs.wake(jobs.Job.MOVE_RUNS)
    return {"journeyId": id, "entraram": entered, "naoEntraram": len(contacts) - entered}


async def _refuse_unknown(caller: Caller, contacts: list[str]) -> None:
    rows = await db.fetch(KNOWN, caller.organization_id, caller.env, contacts)
    known = set(column(rows, "id"))
    wrong = [
        FieldError("pointer", f"/contactIds/{place}", "VINCULO_INVALIDO", "No contact has this id")
        for place, id in enumerate(contacts)
        if id not in known
    ]
    if wrong:
        raise UnknownJourneyLinks(wrong)


# Whoever is erased at the same time waits, and is taken out again.
KNOWN = """
SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
ORDER BY id FOR KEY SHARE
"""

THESE = f"SELECT c.id AS contact_id FROM contacts c WHERE c.id = ANY ($1::text[]) AND {MAY_ENTER}"
