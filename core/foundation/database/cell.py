"""The current cell: whose PostgreSQL the statements of this context go to, and the pools of each.

A cell is a database with all tables of the service. The home is that of DATABASE_URL; whoever never
enters another cell works with it, and no pool beside its own exists. Inside `use_cell` every
statement, transaction and model, whoever wrote it, uses the pools of that cell. They open their
first connection when it is needed.
"""

import asyncio
import contextvars
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tortoise.backends.base.client import BaseDBAsyncClient
from tortoise.connection import get_connection, get_connections

if TYPE_CHECKING:
    from core.foundation.database.bounded_pool import BoundedClient

DEFAULT = "default"
"""Tortoise's name for the pool of all work, and for what stands in its place."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A database of the installation. One whose address changed is another one, with new pools."""

    name: str
    url: str | None = field(default=None, repr=False)
    """None: the home's, which is DATABASE_URL."""


HOME = Cell("main")

Maker = Callable[[str], Mapping[str, "BoundedClient"]]
"""Makes the clients of an address, by the name of their pool."""

_current: ContextVar[Cell] = ContextVar("cell", default=HOME)
_make: Maker | None = None
_clients: dict[Cell, Mapping[str, "BoundedClient"]] = {}


class NoCellsYet(RuntimeError):
    """The database is not open."""


def current() -> Cell:
    """The cell that statements go to here."""
    return _current.get()


def make_clients_with(maker: Maker | None) -> None:
    """How the clients of another cell are made, as long as the home is open."""
    global _make
    _make = maker


def is_open() -> bool:
    """Whether the home is open."""
    return _make is not None


def client_of(cell: Cell, pool: str) -> BaseDBAsyncClient:
    """A client of a cell that stands in no transaction."""
    if cell == HOME:
        return contextvars.Context().run(get_connection, pool)
    if cell not in _clients:
        if _make is None or cell.url is None:
            raise NoCellsYet
        _clients[cell] = _make(cell.url)
    return _clients[cell][pool]


def client(pool: str) -> BaseDBAsyncClient:
    """A client of the current cell that stands in no transaction."""
    cell = _current.get()
    return get_connection(pool) if cell is HOME else client_of(cell, pool)


@contextmanager
def use_cell(cell: Cell) -> Iterator[None]:
    """Inside, statements go to this cell; inside the same one, nothing changes.

    A transaction that is open in another cell goes on there: what is written here is not a part of
    it.
    """
    if _is_current(cell):
        yield
        return
    entered = _current.set(cell)
    connections = get_connections()
    usual = connections.set(DEFAULT, client_of(cell, DEFAULT))
    try:
        yield
    finally:
        connections.reset(usual)
        _current.reset(entered)


def enter_cell(cell: Cell) -> None:
    """Let the rest of this context use a cell: of a request whose caller is known from here on."""
    if not _is_current(cell):
        _current.set(cell)
        get_connections().set(DEFAULT, client_of(cell, DEFAULT))


def _is_current(cell: Cell) -> bool:
    now = _current.get()
    return cell is now or cell == now


def context_of_cell() -> contextvars.Context:
    """A fresh context, in which nothing of ours is left but the cell."""
    context, cell = contextvars.Context(), _current.get()
    if cell is not HOME:
        context.run(enter_cell, cell)
    return context


def opened_cells() -> list[Cell]:
    """The home, and the other cells that have clients in this process."""
    return [HOME, *_clients]


async def close_cells(*, but: Collection[Cell] = ()) -> None:
    """Close the pools of all cells but the home and those named, once their connections are given
    back.
    """
    gone = [_clients.pop(cell) for cell in list(_clients) if cell not in but]
    for clients in gone:
        for one in clients.values():
            with suppress(OSError, asyncio.CancelledError):
                await one.close()
