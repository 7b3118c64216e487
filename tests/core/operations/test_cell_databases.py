"""Which database a cell may be."""

import pytest

from core import cells, operations
from core.foundation import settings
from core.foundation.clock import real_now
from core.organizations import Organization
from tests.support.two_cells import second_database, south

__all__ = ["second_database", "south"]

ORG = "org_south"


async def test_a_cell_begins_with_a_database_of_its_own(
    south: cells.Cell, second_database: str
) -> None:
    for taken in (second_database, settings.current().database_url):
        with pytest.raises(operations.CellNotEmpty):
            await operations.refuse_taken_database(taken)
    await cells.place(ORG, south)
    with pytest.raises(operations.CellIsAnother):
        await operations.lead_to("south", second_database)
    with cells.use_cell(south):
        await Organization.create(id=ORG, name="A", created_at=real_now())
    other = f"{second_database}{'&' if '?' in second_database else '?'}application_name=other"
    await operations.lead_to("south", other)
    assert (await cells.cell_of(ORG)).url == other
    with pytest.raises(cells.NoSuchCell):
        await operations.lead_to("north", second_database)
    await cells.place(ORG, cells.HOME)
    await cells.remove_cell("south")
    with pytest.raises(operations.CellNotEmpty):  # somebody lives there whom nobody would find
        await operations.refuse_taken_database(second_database)
    await cells.add_cell("south", second_database, at=real_now())
