"""`svc cell`: the databases of the installation besides the home."""

from typing import Annotated

import typer

from cli.cells_place import place_cell
from cli.failures import Failure
from cli.output import Record, command, say
from cli.session import database

cell = typer.Typer(help="Databases besides that of DATABASE_URL.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Name of the cell: up to 24 of a-z, 0-9 and -.")]


async def add_cell(
    name: Name,
    *,
    database_url: Annotated[
        str,
        typer.Option(
            envvar="SVC_CELL_DATABASE_URL",
            help="Where it is, as DATABASE_URL is written. Better in the variable than in the shell.",
        ),
    ],
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Give a listed cell another address: of the same database, or of one that took over.",
        ),
    ] = False,
) -> Record:
    """Bring an empty database to the newest schema and list it as a cell; every process serves it
    within seconds.
    """
    from core import cells, moves, operations
    from core.foundation.clock import real_now
    from core.foundation.database import schema

    if replace:
        async with database():
            await operations.lead_to(name, database_url)
        return {"name": name, "applied": 0}
    async with database():
        await cells.refuse_new_cell(name, database_url)
        await operations.refuse_taken_database(database_url)
    applied: list[str] = []
    await schema.migrate(database_url, progress=applied.append, waiting=say)
    async with database():
        await moves.begin_numbers(database_url)
        await cells.add_cell(name, database_url, at=real_now())
    return {"name": name, "applied": len(applied)}


async def list_cells() -> Record:
    """The cells besides the home: whether each takes new organizations, how many live there, whether it
    answers, and which migrations it lacks.
    """
    from core import cells, operations

    async with database():
        found = await operations.look_into_cells(within=operations.PATIENT_SECONDS)
        states = {one.name: one for one in found}
        return {
            "items": [
                {
                    **one,
                    "up": states[one["name"]].is_up,
                    "pendingMigrations": states[one["name"]].pending,
                }
                for one in await cells.list_cells()
            ]
        }


async def drain_cell(
    name: Name,
    *,
    undo: Annotated[
        bool, typer.Option("--undo", help="Let it take new organizations again.")
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take it out of the list; nobody may live there.")
    ] = False,
) -> Record:
    """Let a cell take no new organizations. Those that live there stay until svc org move moves them."""
    from core import cells

    if undo and remove:
        raise Failure("--undo and --remove exclude each other")
    async with database():
        if remove:
            await cells.remove_cell(name)
            return {"name": name, "state": "removed"}
        state = cells.CellState.OPEN if undo else cells.CellState.DRAINING
        await cells.set_cell_state(name, state)
    return {"name": name, "state": state.value}


command(cell, "add")(add_cell)
command(cell, "list")(list_cells)
command(cell, "drain")(drain_cell)
command(cell, "place")(place_cell)
