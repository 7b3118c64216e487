"""An organization is nothing but its rows: docs/scaling.md moves one by a derived list of copies."""

import re

import pytest

from core import sms
from core.foundation import db
from core.foundation.clock import now
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.scaling.flows import proven, sent_by
from tests.scaling.page import sql
from tests.support.money import moved_for

pytestmark = pytest.mark.usefixtures("clean_slate")


async def copies_of(organization_id: str) -> list[tuple[str, str, str]]:
    """For each table the rows that leave, and the table with its columns where they arrive."""
    found = []
    for row in await db.fetch(sql("move").replace("ORGANIZATION", organization_id)):
        leaving = re.fullmatch(r"COPY \((.*)\) TO STDOUT", row["from_the_old"])
        arriving = re.fullmatch(r"COPY (\w+) \((.*)\) FROM STDIN", row["into_the_new"])
        assert leaving
        assert arriving
        found.append((leaving[1], arriving[1], arriving[2]))
    return found


async def test_a_moved_organization_is_whole_and_its_neighbours_are_not_touched() -> None:
    moving, staying = await a_caller("test"), await a_caller("test")
    for caller in (moving, staying):
        await a_subscription(caller)
        await a_send(caller)
    await sms.apply_due_reports(at=now().replace(year=2098))
    id = (await a_send(moving))["id"]
    before, money = await sent_by(moving), await moved_for(id)

    copies = await copies_of(moving.organization_id)
    for leaving, table, _ in copies:
        await db.execute(f"CREATE TEMP TABLE moved_{table} ON COMMIT DROP AS {leaving}")
    await db.execute("SET LOCAL session_replication_role = replica")
    for _, table, _ in copies:
        owner = "id" if table == "organizations" else "organization_id"
        await db.execute(f"DELETE FROM {table} WHERE {owner} = '{moving.organization_id}'")
    assert await sent_by(moving) == []
    for _, table, columns in copies:
        await db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM moved_{table}")
    await db.execute("SET LOCAL session_replication_role = DEFAULT")

    assert await sent_by(moving) == before
    assert await moved_for(id) == money
    assert len(await sent_by(staying)) == 1
    for caller in (moving, staying):
        await proven(caller)
        await a_send(caller)


async def test_every_table_with_an_owner_is_moved() -> None:
    owned = await db.fetch(
        "SELECT DISTINCT table_name FROM information_schema.columns "
        "WHERE table_schema = 'public' AND column_name = 'organization_id'"
    )

    moved = [table for _, table, _ in await copies_of("org_1")]
    assert sorted(moved) == sorted([*(row["table_name"] for row in owned), "organizations"])
