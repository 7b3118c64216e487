"""A cell on Citus: what the service does all day, in a schema that Citus has placed; and moved while it works.

They run where the tests have a cluster (`make test-citus`).
"""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import asyncpg
import pytest

from core import journeys, sms, webhooks
from core.foundation.clock import now
from core.foundation.database import db, on_node
from core.foundation.database.bounded_pool import MIGRATION
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import constraint_of
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.journeys.runs.audience import Change
from core.messaging.hours import close_hours, merge_hours
from core.operations import places
from core.webhooks.events.feed_positions import assign_positions
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider
from tests.scaling.flows import a_day_in_the_sandbox, a_day_of_live_sends, proven
from tests.support import citus
from tests.support.receiver import Receiver
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.skipif(citus.home() is None, reason="SVC_TEST_CITUS names no cluster"),
    pytest.mark.usefixtures("real_commits"),
]


async def test_sends_reports_webhooks_and_replies_go_on(
    http: GuardedClient, receiver: Receiver, provider: ScriptedProvider
) -> None:
    await a_day_in_the_sandbox(http, receiver)
    await a_day_of_live_sends()


async def test_a_send_touches_the_machine_of_its_cell_alone() -> None:
    caller = await a_caller("test")
    await a_send(caller)

    async with db.connected_apart(current().database_url) as connection:
        machines = await connection.fetch(
            "SELECT DISTINCT nodename, nodeport FROM citus_shards t JOIN pg_class c ON c.oid = t.table_name "
            "WHERE c.relnamespace = current_schema()::text::regnamespace"
        )

    assert len(machines) == 1


async def test_a_schema_that_is_not_migrated_is_not_placed() -> None:
    cluster = citus.running()
    assert cluster is not None
    address = await asyncio.to_thread(cluster.cell, f"empty{os.getpid()}")

    async with db.connected_apart(address) as connection:
        with pytest.raises(places.NotMigrated, match="run svc migrate"):
            await places.distribute(connection)
        assert not await on_node.is_distributed(connection)


async def test_a_cell_is_moved_while_it_works_and_loses_nothing() -> None:
    caller = await a_caller("test")
    caller = replace(caller, limits=replace(caller.limits, sms_per_second=1_000_000))
    sent: list[str] = []
    ends = asyncio.Event()

    async def keep_sending() -> None:
        while not ends.is_set():
            sent.append((await a_send(caller))["id"])

    sending = asyncio.create_task(keep_sending())
    await moved_to_another_machine()
    await a_send(caller)
    ends.set()
    await sending

    stored = await db.fetch(
        "SELECT id FROM messages WHERE organization_id = $1", caller.organization_id
    )
    counted = await db.fetchval(
        "SELECT sum(delta)::int FROM message_counts WHERE organization_id = $1",
        caller.organization_id,
    )
    assert {row["id"] for row in stored} > set(sent)
    assert len(stored) == len(sent) + 1 == counted
    await proven(caller)


async def moved_to_another_machine() -> None:
    """Let Citus move the schema."""
    async with db.connected_apart(current().database_url, bounds=MIGRATION) as connection:
        before = await places.place_of(connection)
        free = await connection.fetchrow(
            "SELECT nodename, nodeport FROM pg_dist_node "
            "WHERE shouldhaveshards AND nodename || ':' || nodeport <> $1 LIMIT 1",
            before.machine,
        )
        assert free is not None
        after = await places.move(connection, *free)
    assert after.machine == f"{free[0]}:{free[1]}" != before.machine


async def test_feed_hours_and_audience_go_on_over_a_move_and_back() -> None:
    caller = await a_caller("test")
    taken: list[str] = []

    async def note(changes: Sequence[Change], at: datetime) -> None:
        taken.extend(change.contact_id for change in changes)

    audience = journeys.AudienceWatcher([note])
    cursor: str | None = None
    told: list[str] = []
    for part in range(3):  # on one machine, on the other, and on the first again
        await a_send(caller)
        await sms.apply_due_reports(at=now().replace(year=2098))
        await numbered()
        ids, cursor = await told_behind(caller, cursor)
        assert ids
        told += ids
        await a_send(caller)  # what is not numbered yet goes along
        await sms.apply_due_reports(at=now().replace(year=2098))
        await db.execute("UPDATE messages SET created_at = created_at - interval '3 hours'")
        await close_hours()  # the fence, by the number of a transaction of this machine
        await db.execute(NOTE, caller.organization_id, f"ctc_{part}")
        await eventually(lambda: audience.take(at=now()), "changes are taken")
        await db.execute(NOTE, caller.organization_id, f"ctc_{part}_moves")
        if part < 2:
            await moved_to_another_machine()

    await numbered()
    ids, _ = await told_behind(caller, cursor)
    told += ids
    assert len(told) == len(set(told)) == await db.fetchval("SELECT count(*) FROM webhook_events")
    assert (await told_behind(caller, None))[0] == told
    await eventually(lambda: audience.take(at=now()), "the last changes are taken")
    assert sorted(taken) == [f"ctc_{part}{more}" for part in range(3) for more in ("", "_moves")]
    await eventually(hours_are_closed, "the hours are closed")
    assert await db.fetchval("SELECT sum(messages)::int FROM message_hours") == 6
    await proven(caller)


NOTE = """/* whole */
INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
SELECT $1::text, 'test', 'list', 'lst_1', $2::text, true, pg_current_xact_id()::text::bigint, now()
"""


async def numbered() -> None:
    """Let every event have its position in the feed."""
    while await assign_positions(at=now()):
        pass


async def told_behind(caller: Caller, cursor: str | None) -> tuple[list[str], str]:
    """What the feed tells behind a cursor, and the next one."""
    answer = await webhooks.read_feed(caller, webhooks.FeedPage(cursor=cursor, limit=200))
    return [item["id"] for item in answer["items"]], answer["nextCursor"]


async def hours_are_closed() -> bool:
    """Whether the hours are closed in which the messages were sent."""
    await close_hours()
    await merge_hours()
    found: bool = await db.fetchval(
        "SELECT closed_until > (SELECT max(created_at) FROM messages) FROM closed_hours"
    )
    return found


async def test_what_is_placed_already_stays() -> None:
    async with db.connected_apart(current().database_url, bounds=MIGRATION) as connection:
        assert await places.distribute(connection) == await places.place_of(connection)


async def test_a_statement_that_citus_refuses_runs_whole_and_tells_what_it_touched() -> None:
    caller = await a_caller("test")
    later = "UPDATE organizations SET created_at = created_at + interval '1 second' WHERE id = $1"

    assert await db.execute(later, caller.organization_id) == 1
    assert on_node.runs_whole(later)
    assert (
        await db.fetchval(f"{later} RETURNING id", caller.organization_id) == caller.organization_id
    )


async def test_a_violation_has_its_name_also_where_citus_copies_the_rows() -> None:
    caller = await a_caller("test")
    twice = "INSERT INTO organizations SELECT o.* FROM organizations o WHERE id = $1"
    copied = "INSERT INTO organizations SELECT o.* FROM unnest($2::int[]) JOIN organizations o ON id = $1"
    for sql, values in ((twice, []), (copied, [[1, 2]])):
        with pytest.raises(asyncpg.UniqueViolationError) as violation:
            await db.execute(sql, caller.organization_id, *values)
        assert constraint_of(violation.value) == "organizations_pkey"


async def test_what_citus_refuses_in_a_transaction_takes_nothing_of_it_away() -> None:
    caller = await a_caller("test")
    dated = "SELECT created_at FROM organizations WHERE id = $1"
    later = "UPDATE organizations SET created_at = created_at + interval '2 seconds' WHERE id = $1"
    before = await db.fetchval(dated, caller.organization_id)

    async with transaction():
        assert await db.execute(later, caller.organization_id) == 1
        assert on_node.runs_whole(later)
        assert await db.execute(later, caller.organization_id) == 1

    assert await db.fetchval(dated, caller.organization_id) == before + timedelta(seconds=4)
