"""The list of cells, as the people who run the service keep it."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from tortoise.queryset import QuerySet

from core.cells.directory import MOVING, known_cells, learn_cells, sealed_for
from core.cells.models import CellRow, CellState, OrganizationCell
from core.foundation.clock import wire_time
from core.foundation.database import address, db
from core.foundation.database.cell import HOME, Cell, use_cell
from core.foundation.errors import BadRequest, Conflict, NotFound
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt

NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")


class CellNameWrong(BadRequest):
    default_detail = (
        "A cell's name has up to 24 of a-z, 0-9 and -, and begins with a letter; main is the home."
    )


class CellExists(Conflict):
    default_detail = "There is a cell of this name already."


class CellDrains(Conflict):
    default_detail = "This cell takes no new organizations; svc cell drain --undo lets it."


class NoSuchCell(NotFound):
    default_detail = "There is no cell of this name; svc cell list names all of them."


class CellRecord(TypedDict):
    """A cell, as `svc cell list` shows it."""

    name: str
    state: str
    organizations: int
    createdAt: str | None


def must_be_names(names: Iterable[str]) -> None:
    """Raises CellNameWrong for what no cell can be called."""
    if not all(NAME.fullmatch(name) for name in names):
        raise CellNameWrong


async def refuse_new_cell(name: str, url: str) -> None:
    """Raises CellNameWrong, CellExists, InvalidDatabaseUrl: before anything is done with its
    database.
    """
    must_be_names([name])
    if name == HOME.name:
        raise CellNameWrong
    address.read(url, "--database-url")
    with use_cell(HOME):
        if await CellRow.filter(name=name).exists():
            raise CellExists


async def living_in(name: str) -> list[str]:
    """The organizations that the directory places in a listed cell. Raises NoSuchCell."""
    with use_cell(HOME):
        if not await _row_of(name).exists():
            raise NoSuchCell
        return [placed.organization_id for placed in await _living_in(name)]


async def set_address(name: str, url: str) -> None:
    """Let everybody reach a listed cell at another address, within seconds."""
    with use_cell(HOME):
        sealed = keyring().encrypt(url, context=sealed_for(name))
        await _row_of(name).update(url_cipher=sealed)
    await learn_cells()


def _row_of(name: str) -> QuerySet[CellRow]:
    """The cell of this name in the list. Raises NoSuchCell for what none can be called."""
    if not NAME.fullmatch(name):
        raise NoSuchCell
    return CellRow.filter(name=name)


def _living_in(name: str) -> QuerySet[OrganizationCell]:
    """What the directory has of a cell."""
    return OrganizationCell.filter(cell=name)


async def add_cell(name: str, url: str, *, at: datetime) -> None:
    """Write a cell into the list; its schema is the newest by then. Raises as `refuse_new_cell`."""
    await refuse_new_cell(name, url)
    with use_cell(HOME):
        await CellRow.create(
            name=name,
            url_cipher=keyring().encrypt(url, context=sealed_for(name)),
            state=CellState.OPEN,
            created_at=at,
        )
    await learn_cells()


async def cell_for_new(name: str) -> Cell:
    """Where a new organization may be put. Raises NoSuchCell, CellDrains."""
    if name == HOME.name:
        return HOME
    await learn_cells()
    listed = (await known_cells()).get(name)
    if listed is None:
        raise NoSuchCell
    if listed.state == CellState.DRAINING:
        raise CellDrains
    return listed.cell


async def renew_addresses() -> tuple[int, int]:
    """Encrypt anew what an older key made: how many, and how many no key opens."""
    renewed = lost = 0
    with use_cell(HOME):
        for row in await CellRow.all():
            if keyring().is_current(row.url_cipher):
                continue
            try:
                row.url_cipher = keyring().renew(row.url_cipher, context=sealed_for(row.name))
            except CannotDecrypt:
                lost += 1
            else:
                await row.save(update_fields=["url_cipher"])
                renewed += 1
    return renewed, lost


async def addresses_at(database_url: str) -> dict[str, str]:
    """The addresses of the cells that a home lists, by name, without opening its pools."""
    async with db.connected_apart(database_url) as connection:
        rows = await connection.fetch("SELECT name, url_cipher FROM cells ORDER BY name")
    return {
        row["name"]: keyring().decrypt(row["url_cipher"], context=sealed_for(row["name"]))
        for row in rows
    }


async def set_cell_state(name: str, state: CellState) -> None:
    """Let a cell take new organizations, or no more. Raises NoSuchCell."""
    with use_cell(HOME):
        if not await _row_of(name).update(state=state):
            raise NoSuchCell
    await learn_cells()


async def remove_cell(name: str) -> None:
    """Take a cell in which nobody lives, and that nobody enters or leaves, out of the list; its
    database stays. Raises NoSuchCell, CellInUse.
    """
    with use_cell(HOME):
        row, moves = _row_of(name), await db.fetch(MOVING)
        if await _living_in(name).exists() or any(
            name in (move["source"], move["target"]) for move in moves
        ):
            raise CellInUse
        if not await row.delete():
            raise NoSuchCell
    await learn_cells()


class CellInUse(Conflict):
    default_detail = (
        "Organizations live in this cell, or are on their way into it or out of it: svc cell list counts them, "
        "svc org move moves each, and svc doctor names moves that were broken off."
    )


async def list_cells() -> list[CellRecord]:
    """The home and the other cells; how many organizations the directory places in each. Of the
    home it counts none.
    """
    await learn_cells()
    listed = await known_cells()
    with use_cell(HOME):
        rows = {row.name: row for row in await CellRow.all()}
        counted = {name: await _living_in(name).count() for name in listed}
    return [
        {
            "name": name,
            "state": rows[name].state.value,
            "organizations": counted[name],
            "createdAt": wire_time(rows[name].created_at),
        }
        for name in listed
    ]
