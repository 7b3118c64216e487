"""Contacts change while several workers look: each enters once, and who is in the segment is known."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys import Activation
from core.journeys.entry.members import look_at_changed
from core.journeys.runs.audience import Change
from tests.core.journeys.test_entry import STEPS, a_segment
from tests.factories.contacts import changed_contact
from tests.factories.journeys import a_journey
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.support.waiting import eventually

PEOPLE = 40
LATER = 2**45 + 7
"""The number of a transaction of a server that has seen more of them."""


async def work(stop: asyncio.Event) -> None:
    """What a worker does about entries, until it is stopped."""
    audience = journeys.AudienceWatcher()
    while not stop.is_set():
        await look_at_changed(at=now())
        await audience.take(at=now())
        await asyncio.sleep(0.01)


async def come_and_go(caller: Caller, id: str) -> None:
    for tags in (["vip"], [], ["vip"]):
        await changed_contact(caller, id, tags=tags)


async def test_of_several_workers_everybody_who_comes_in_enters_once(real_commits: None) -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * PEOPLE)
    trigger = {"segmentId": await a_segment(caller)}
    journey = await a_journey(caller, gatilho=trigger, **STEPS)
    await journeys.activate_journey(caller, journey["id"], Activation(include_present=False))
    stop = asyncio.Event()
    workers = [asyncio.create_task(work(stop)) for _ in range(3)]
    try:
        await asyncio.gather(*(come_and_go(caller, id) for id in ids))
        await eventually(all_is_done, "not everybody entered")
    finally:
        stop.set()
        await asyncio.gather(*workers)

    entered = await db.fetch("SELECT contact_id FROM journey_runs ORDER BY contact_id")
    members = await db.fetch("SELECT contact_id FROM segment_members ORDER BY contact_id")
    assert [row["contact_id"] for row in entered] == sorted(ids)
    assert [row["contact_id"] for row in members] == sorted(ids)


async def all_is_done() -> bool:
    """Whether everybody is in, and nothing is left to be looked at."""
    found: bool = await db.fetchval(
        "SELECT (SELECT count(*) FROM journey_runs) = $1 AND NOT EXISTS (SELECT FROM dirty_contacts) "
        "AND NOT EXISTS (SELECT FROM audience_changes)",
        PEOPLE,
    )
    return found


async def test_changes_of_a_server_that_the_database_was_moved_from_are_taken(
    real_commits: None,
) -> None:
    taken: list[str] = []

    async def note(changes: Sequence[Change], at: datetime) -> None:
        taken.extend(change.contact_id for change in changes)

    await db.execute(
        "INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at) "
        "VALUES ('org_1', 'live', 'list', 'lst_1', 'ctc_1', true, $1, now())",
        LATER,
    )
    audience = journeys.AudienceWatcher([note])
    audience._seen = f"{LATER}:{LATER}:"

    assert await audience.take(at=now()) == 0  # what was seen is of that server, too
    assert await audience.take(at=now()) == 1
    assert taken == ["ctc_1"]
