"""A cell on Citus: what the service does all day, in a schema that Citus has placed; and moved while it works.

They run where the tests have a cluster (`make test-citus`).
"""

import asyncio
from dataclasses import replace

import pytest

from core.foundation.database import db, on_node
from core.foundation.database.bounded_pool import MIGRATION
from core.foundation.http_client import GuardedClient
from core.foundation.settings import current
from core.operations import places
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider
from tests.scaling.flows import a_day_in_the_sandbox, a_day_of_live_sends, proven
from tests.support import citus
from tests.support.receiver import Receiver

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


async def test_a_cell_is_moved_while_it_works_and_loses_nothing() -> None:
    caller = await a_caller("test")
    caller = replace(caller, limits=replace(caller.limits, sms_per_second=1_000_000))
    sent: list[str] = []
    ends = asyncio.Event()

    async def keep_sending() -> None:
        while not ends.is_set():
            sent.append((await a_send(caller))["id"])

    async with db.connected_apart(current().database_url, bounds=MIGRATION) as connection:
        before = await places.place_of(connection)
        sending = asyncio.create_task(keep_sending())
        free = await connection.fetchrow(
            "SELECT nodename, nodeport FROM pg_dist_node "
            "WHERE shouldhaveshards AND nodename || ':' || nodeport <> $1 LIMIT 1",
            before.machine,
        )
        assert free is not None
        after = await places.move(connection, *free)
        await a_send(caller)
        ends.set()
        await sending

    assert after.machine == f"{free[0]}:{free[1]}" != before.machine
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
