"""The pools of each cell: whose database a statement goes to, whoever wrote it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core import cells
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.database.combining import Combiner
from core.foundation.database.heavy_work import heavy_work
from core.foundation.database.transactions import outside_transaction, transaction
from core.foundation.security.caller import system_caller
from core.organizations import Organization

WHERE = "SELECT concat_ws(' ', current_database(), current_schema())"


async def where_is(cell: cells.Cell) -> str:
    """What `WHERE` answers there."""
    async with db.connected_apart(cell.url or "") as connection:
        return str(await connection.fetchval(WHERE))


async def test_all_pools_are_those_of_the_cell(south: cells.Cell) -> None:
    home, there = await db.fetchval(WHERE), await where_is(south)
    assert there != home
    with cells.use_cell(south):
        assert await db.fetchval(WHERE) == there
        assert (await db.fetch_planned(WHERE))[0][0] == there
        async with heavy_work(system_caller("org_a", "test")):
            assert await db.fetchval(WHERE) == there
            async with transaction():
                assert (await db.fetch_planned(WHERE))[0][0] == there
        async with transaction():
            assert await db.fetchval(WHERE) == there
            with cells.use_cell(cells.HOME):
                assert await db.fetchval(WHERE) == home
                assert (await db.fetch_planned(WHERE))[0][0] == home
            with cells.use_cell(south):  # the same transaction
                assert await db.fetchval("SELECT now() = statement_timestamp()") is False
    assert await db.fetchval(WHERE) == home
    found = {(pool.cell, pool.name) for pool in db.pools()}
    assert {("south", name) for name in ("default", "planned", "heavy")} <= found


async def test_models_and_transactions_of_two_cells_do_not_meet(south: cells.Cell) -> None:
    with pytest.raises(RuntimeError):
        async with transaction():
            await an_organization("org_home")
            with cells.use_cell(south):
                async with transaction():
                    await an_organization("org_south")
            raise RuntimeError
    assert not await Organization.all()
    with cells.use_cell(south):
        assert [one.id for one in await Organization.all()] == ["org_south"]


async def an_organization(id: str) -> None:
    await Organization.create(id=id, name="A", created_at=real_now())


async def test_a_task_of_its_own_stays_in_the_cell_and_out_of_the_transaction(
    south: cells.Cell,
) -> None:
    async def look() -> tuple[str, bool]:
        return cells.current().name, await Organization.exists()

    with cells.use_cell(south):
        async with transaction():
            await an_organization("org_south")
            told = await asyncio.create_task(look(), context=outside_transaction())
    assert told == ("south", False)


async def test_what_is_combined_is_combined_within_a_cell(south: cells.Cell) -> None:
    async def work(items: Sequence[int]) -> list[tuple[str, int]]:
        database = await db.fetchval(WHERE)
        return [(database, len(items)) for _ in items]

    combiner: Combiner[int, tuple[str, int]] = Combiner(work)

    async def submit(cell: cells.Cell, item: int) -> tuple[str, int]:
        with cells.use_cell(cell):
            return await combiner.submit(item)

    home = await db.fetchval(WHERE)
    found = await asyncio.gather(
        *(submit(cell, item) for item in range(4) for cell in (cells.HOME, south))
    )
    assert set(found) == {(home, 4), (await where_is(south), 4)}


async def test_a_cell_that_is_away_is_away_for_nobody_else(south: cells.Cell) -> None:
    away = replace(south, name="north", url="postgresql://postgres@127.0.0.1:1/none")
    with cells.use_cell(away):
        for _ in range(2):
            with pytest.raises(DatabaseUnreachable):
                await db.fetchval(WHERE)
            with pytest.raises(DatabaseUnreachable):
                async with transaction():
                    pass
    with cells.use_cell(south):
        assert await db.fetchval(WHERE) == await where_is(south)
    await cells.learn_cells()  # closes the pools of whoever is not on the list
    assert {pool.cell for pool in db.pools()} == {"main", "south"}
