"""An organization is nothing but its rows: docs/scaling.md moves one by a derived list of copies."""

import pytest

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.scaling.flows import proven, sent_by
from tests.scaling.moving import Moves, moves_in
from tests.scaling.page import sql
from tests.scaling.partitioning import partition_everything
from tests.support.money import moved_for

pytestmark = pytest.mark.usefixtures("clean_slate")


COUNTED_ANEW = {"wallet_days", "wallet_sums"}


async def moves_of(organization_id: str) -> Moves:
    """For each table how its rows leave and arrive."""
    return moves_in(await db.fetch(sql("move").replace("ORGANIZATION", organization_id)))


async def test_a_moved_organization_is_whole_and_its_neighbours_are_not_touched() -> None:
    moving, staying = await a_caller("test"), await a_caller("test")
    for caller in (moving, staying):
        await a_subscription(caller)
        await a_send(caller)
    await sms.apply_due_reports(at=now().replace(year=2098))
    id = (await a_send(moving))["id"]
    before, money = await sent_by(moving), await moved_for(id)
    await wallet.sum_days()

    copies, removals = await moves_of(moving.organization_id)
    for copy in copies:
        await db.execute(f"CREATE TEMP TABLE moved_{copy.table} ON COMMIT DROP AS {copy.leaving}")
    await db.execute("SET LOCAL session_replication_role = replica")
    for removal in removals:
        await db.execute(removal)
    assert await sent_by(moving) == []
    for copy in copies:
        await db.execute(
            f"INSERT INTO {copy.table} ({copy.columns}) SELECT {copy.columns} FROM moved_{copy.table}"
        )
    await db.execute("SET LOCAL session_replication_role = DEFAULT")

    assert await sent_by(moving) == before
    assert await moved_for(id) == money
    assert len(await sent_by(staying)) == 1
    for caller in (moving, staying):
        await proven(caller)
        await wallet.sum_days()
        await proven(caller)
        await a_send(caller)


async def test_every_table_with_an_owner_is_moved() -> None:
    owned = await db.fetch(
        "SELECT DISTINCT table_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND column_name = 'organization_id'"
    )

    whole = sorted([*(row["table_name"] for row in owned), "organizations"])
    copies, removals = await moves_of("org_1")
    assert sorted([*(copy.table for copy in copies), *COUNTED_ANEW]) == whole
    assert sorted(removal.split()[2] for removal in removals) == whole


async def test_a_partitioned_table_is_moved_once_and_what_retention_took_out_is_not() -> None:
    whole = [copy.table for copy in (await moves_of("org_1")).copies]
    await partition_everything()
    await db.execute("ALTER TABLE messages DETACH PARTITION messages_unplanned")
    await db.execute(
        "INSERT INTO detached_partitions (name, table_name, until, row_count, detached_at) "
        "VALUES ('messages_unplanned', 'messages', $1, 0, $2)",
        now().date(),
        now(),
    )

    parted = [copy.table for copy in (await moves_of("org_1")).copies]
    assert sorted(parted) == sorted([*whole, "inbound_message_keys"])
