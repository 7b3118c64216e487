"""The directory: who lives where, and when nobody is asked."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from core import cells
from core.cells import KeyKind, directory
from core.cells.manage import must_be_names
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.dry_run import taken_back

KEY = bytes(32)
ORG = "org_south"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of the directory."""
    run: list[str] = []

    def noting(usual: Callable[..., Any], sql: str, *values: object) -> Any:
        run.append(sql)
        return usual(sql, *values)

    for name in ("fetch", "fetchval", "execute"):
        monkeypatch.setattr(db, name, partial(noting, getattr(db, name)))
    return run


async def test_without_cells_nothing_is_asked(real_commits: None, asked: list[str]) -> None:
    await cells.learn_cells()
    asked.clear()
    assert await cells.cell_of(ORG) is cells.HOME
    assert await cells.cell_of_key(KeyKind.API_KEY, KEY) is None
    assert await cells.cells_of_key(KeyKind.EMAIL, KEY) == [cells.HOME]
    assert await cells.cell_with("SELECT 1", "x") is cells.HOME
    await cells.note_key(KeyKind.API_KEY, KEY, ORG)
    await cells.forget_keys(KeyKind.API_KEY, [KEY])
    assert asked == []


async def test_who_lives_where(south: cells.Cell) -> None:
    assert await cells.cell_of(ORG) is cells.HOME
    await cells.place(ORG, south)
    assert await cells.cell_of(ORG) == south
    with cells.use_cell(south):
        await cells.note_key(KeyKind.SESSION, KEY, ORG)
        await cells.note_key(KeyKind.SESSION, KEY, ORG)
        with taken_back():
            await cells.note_key(KeyKind.API_KEY, KEY, ORG)
        assert not await db.fetchval("SELECT count(*) FROM directory_entries")
    await cells.note_key(KeyKind.EMAIL, KEY, ORG)  # of the home's nothing is noted
    assert await db.fetchval("SELECT count(*) FROM directory_entries") == 1
    assert await cells.cell_of_key(KeyKind.SESSION, KEY) == south
    assert await cells.cells_of_key(KeyKind.SESSION, KEY) == [cells.HOME, south]
    await cells.place(ORG, cells.HOME)
    assert await cells.cell_of_key(KeyKind.SESSION, KEY) == cells.HOME
    assert await cells.cell_of(ORG) == cells.HOME
    await cells.forget_keys(KeyKind.SESSION, [KEY])
    assert await cells.cell_of_key(KeyKind.SESSION, KEY) is None


async def test_a_place_is_asked_for_once_in_a_while(
    south: cells.Cell, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await cells.place(ORG, south)
    asked.clear()
    for _ in range(3):
        assert await cells.cell_of(ORG) == south
    assert len(asked) == 1
    monkeypatch.setattr(directory, "PLACE_SECONDS", 0.0)
    for _ in range(2):
        assert await cells.cell_of("org_a") is cells.HOME
    assert len(asked) == 3


async def test_the_list_is_read_again_beside_the_work(
    south: cells.Cell, second_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await db.execute("UPDATE cells SET state = 'draining'")
    assert (await cells.known_cells())["south"].state == "open"
    monkeypatch.setattr(directory, "CELLS_SECONDS", 0.0)
    assert (await cells.known_cells())["south"].state == "open"
    assert directory._reading is not None
    await directory._reading
    assert cells.as_known()["south"].state == "draining"


async def test_an_organization_of_a_cell_that_nobody_knows(south: cells.Cell) -> None:
    await db.execute("INSERT INTO organization_cells VALUES ('org_lost', 'lost', $1)", real_now())
    with pytest.raises(cells.CellUnknown):
        await cells.cell_of("org_lost")


async def test_the_list_is_kept(south: cells.Cell, second_database: str) -> None:
    for name in ("main", "With Space", "", "x" * 25):
        with pytest.raises(cells.CellNameWrong):
            await cells.add_cell(name, second_database, at=real_now())
    with pytest.raises(cells.CellExists):
        await cells.add_cell("south", second_database, at=real_now())
    stored = await db.fetchval("SELECT url_cipher FROM cells")
    assert second_database not in stored
    await cells.set_cell_state("south", cells.CellState.DRAINING)
    await cells.place(ORG, south)
    (told,) = await cells.list_cells()
    assert (told["name"], told["state"], told["organizations"]) == ("south", "draining", 1)
    with pytest.raises(cells.CellInUse):
        await cells.remove_cell("south")
    for nobody in ("north", "x" * 10_000, "south'; DROP TABLE cells --"):
        with pytest.raises(cells.NoSuchCell):
            await cells.set_cell_state(nobody, cells.CellState.OPEN)
        with pytest.raises(cells.NoSuchCell):
            await cells.remove_cell(nobody)
    await cells.place(ORG, cells.HOME)
    begun = "INSERT INTO organization_moves (organization_id, source, target, step, began_at, changed_at)"
    await db.execute(f"{begun} VALUES ($1, 'south', 'main', 'switched', $2, $2)", ORG, real_now())
    with pytest.raises(cells.CellInUse):
        await cells.remove_cell("south")
    await db.execute("DELETE FROM organization_moves WHERE organization_id = $1", ORG)
    await cells.remove_cell("south")
    assert not await cells.has_cells()


@pytest.mark.parametrize(
    "name", ["x" * 10_000, "a'; DROP TABLE cells --", "south\n", "süd", "-a", "A", "a b", "1a"]
)
def test_what_no_cell_is_called(name: str) -> None:
    with pytest.raises(cells.CellNameWrong):
        must_be_names(["south", name])
