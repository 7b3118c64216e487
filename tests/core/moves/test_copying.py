"""Copying an organization's rows between two cells that work: whole, then what has changed."""

import pytest
from tortoise import Tortoise

from core.cells import OF_THE_HOME
from core.cells.move.copying import (
    Copied,
    Pair,
    arriving,
    catch_up,
    catch_up_at_last,
    copy_whole,
    moment,
)
from core.cells.move.errors import NotTheSame, UnlikeTables
from core.cells.move.numbers import begin_block
from core.cells.move.tables import MovedTable
from core.cells.move.verify import rows_of as rows_in
from core.cells.move.verify import verify
from core.foundation import settings
from core.foundation.database.db import APP
from core.moves import tables
from tests.core.moves.conftest import Both, connected
from tests.core.moves.rows import fill, rows_of

MOVING, STAYING, THERE = "org_moving", "org_staying", "org_there"


async def test_every_table_is_moved_or_says_why_it_stays(both: Both) -> None:
    moved = {table.name: table for table in await tables.moved_tables(both.source)}
    models = {model._meta.db_table: model for model in Tortoise.apps[APP].values()}

    assert not moved.keys() & tables.STAYS.keys()
    assert models.keys() <= moved.keys() | tables.STAYS.keys()
    owned = {name for name, model in models.items() if "organization_id" in model._meta.fields_map}
    assert (
        owned - moved.keys() == {*OF_THE_HOME, "organization_moves", "organization_gates"} & owned
    )
    assert tables.STAYS.keys() >= set(OF_THE_HOME)
    assert all(table.key for table in moved.values())
    assert tables.THROUGH.keys() <= moved.keys()
    assert {
        "webhook_feed",
        "webhook_feed_heads",
        "webhook_feed_queue",
        "wallet_sums",
    } <= moved.keys()


async def test_what_nobody_has_placed_and_what_the_other_cell_lacks(both: Both) -> None:
    leaving = await tables.moved_tables(both.source)
    target = both.entered.schema
    transaction = target.transaction()
    await transaction.start()
    await target.execute("CREATE TABLE strangers (id bigint PRIMARY KEY)")
    with pytest.raises(UnlikeTables, match="strangers"):
        await tables.moved_tables(target)
    await target.execute("DROP TABLE strangers, quotes")
    await target.execute("ALTER TABLE wallets DROP COLUMN warn_below")
    with pytest.raises(UnlikeTables, match=r"lacks quotes, wallets\.warn_below; migrate"):
        tables.must_be_alike(leaving, await tables.moved_tables(target))
    await transaction.rollback()


async def test_a_month_that_has_left_its_table_stays(both: Both) -> None:
    target = both.entered.schema
    transaction = target.transaction()
    await transaction.start()
    await target.execute(
        "CREATE TABLE messages_2020_01 (id text PRIMARY KEY, organization_id text)"
    )
    assert "messages_2020_01" in [one.name for one in await tables.moved_tables(target)]
    await target.execute(
        "INSERT INTO detached_partitions (name, table_name, until, row_count, detached_at) "
        "VALUES ('messages_2020_01', 'messages', '2020-02-01', 0, now())"
    )
    assert "messages_2020_01" not in [one.name for one in await tables.moved_tables(target)]
    await transaction.rollback()


async def test_an_organization_that_goes_on_working_is_copied_as_it_is_in_the_end(
    both: Both,
) -> None:
    moved = await tables.moved_tables(both.source)
    tables.must_be_alike(moved, await tables.moved_tables(both.target))
    for whose in (MOVING, STAYING):
        await fill(both.source, moved, whose, rows=6)
    await begin_block(both.entered.schema, moved, 1)
    await fill(both.target, moved, THERE, rows=2)
    neighbours = await rows_of(both.target, moved, THERE)
    pair = Pair(both.source, both.target, MOVING)

    async with connected(settings.current().database_url) as slow:
        late = slow.transaction()
        await late.start()
        savepoint = slow.transaction()
        await savepoint.start()
        await slow.execute("UPDATE messages SET coins = 7 WHERE organization_id = $1", MOVING)
        await savepoint.commit()
        async with moment(both.source) as since:
            for table in moved[: len(moved) // 2]:
                async with arriving(both.target):
                    await copy_whole(pair, table)
        await late.commit()  # which began before, and is told by no snapshot: it is a savepoint's
    async with moment(both.source):  # it was broken off, and goes on in another moment
        for table in moved[len(moved) // 2 :]:
            async with arriving(both.target):
                await copy_whole(pair, table)
    await change(both, moved)

    async with moment(both.source) as later, arriving(both.target):
        with pytest.raises(NotTheSame):
            await verify(pair, moved)
        there = await rows_in(both.target, moved, MOVING)
        untried = both.target.transaction()
        await untried.start()
        assert await catch_up_at_last(pair, moved, since=since, there=there) == await verify(
            pair, moved
        )
        await untried.rollback()
        copied = await catch_up(pair, moved, since=since)
        await verify(pair, moved)
    assert copied.written > copied.removed > 0
    async with moment(both.source), arriving(both.target):
        assert await catch_up(pair, moved, since=later) == Copied()

    assert await rows_of(both.target, moved, MOVING) == await rows_of(both.source, moved, MOVING)
    assert await rows_of(both.target, moved, THERE) == neighbours
    assert not any((await rows_of(both.target, moved, STAYING)).values())
    sevens = "SELECT count(*) FROM messages WHERE organization_id = $1 AND coins = 7"
    assert await both.target.fetchval(sevens, MOVING) >= 5


async def change(both: Both, moved: list[MovedTable]) -> None:
    """Add rows to every table, and touch and remove some of those that were copied."""
    await fill(both.source, [table for table in moved if table.name not in ONCE], MOVING, rows=2)
    async with both.source.transaction():
        await both.source.execute("SET LOCAL session_replication_role = replica")
        for table in moved:
            own = f"{table.key_text} IN (SELECT {table.key_text} FROM {table.name} WHERE {table.owner} "
            names = ", ".join(f'"{one.name}"' for one in table.key)
            first = f"{own} ORDER BY {names} LIMIT 1)"
            if table.name not in ONCE:
                await both.source.execute(
                    f"DELETE FROM {table.name} WHERE {table.owner} AND {first}", MOVING
                )
            await both.source.execute(
                f'UPDATE {table.name} SET "{table.names[0]}" = "{table.names[0]}" WHERE {table.owner} AND {first}',
                MOVING,
            )


ONCE = ("organizations", "price_tables")
"""Tables of which an organization has one row."""
