"""`svc cell place`: where Citus keeps a cell that is a schema."""

from typing import Annotated

import typer

from cli.failures import Failure
from cli.output import Record, say
from cli.session import database


async def place_cell(
    name: Annotated[
        str, typer.Argument(help="The cell; of one that is not listed yet, its schema.")
    ],
    *,
    database_url: Annotated[
        str,
        typer.Option(
            envvar="SVC_CELL_DATABASE_URL",
            help="The coordinator of Citus, as the cell's own role reaches it. Unless given: as svc cell add was told.",
        ),
    ] = "",
    on: Annotated[
        str, typer.Option(help="Move it to this machine of the cluster, as host:port.")
    ] = "",
    rebalance: Annotated[
        bool,
        typer.Option("--rebalance", help="Let Citus spread all cells evenly over its machines."),
    ] = False,
) -> Record:
    """Let Citus place a migrated schema on one of its machines, move it, or spread all of them.

    Without options it is distributed, if it is not yet, and every table gets what it needs there: repeat
    it after svc migrate. Beside traffic a move holds up writes for moments at its end.
    """
    from core import operations
    from core.foundation import settings
    from core.foundation.database.bounded_pool import MIGRATION
    from core.foundation.database.db import connected_apart

    if on and rebalance:
        raise Failure("--on and --rebalance exclude each other")
    machine = _host_and_port(on) if on else None
    url = database_url or await _address_of(name)
    async with connected_apart(url or settings.load().database_url, bounds=MIGRATION) as connection:
        found = await connection.fetchval("SELECT current_schema()")
        if found != name and (database_url or not url):
            raise Failure(
                f"the role's search_path begins with the schema {found}, and not with that of the cell: "
                "connect as the role of the cell"
            )
        place = await operations.distribute(connection)
        if machine and place.machine == on:
            say(f"{name}: lies on {on} already")
        elif machine:
            say(f"{name}: moves from {place.machine} to {on}")
            place = await operations.move(connection, *machine)
        elif rebalance:
            await operations.rebalance(connection)
            place = await operations.place_of(connection)
    return {"name": name, "schema": place.schema, "machine": place.machine, "bytes": place.bytes}


async def _address_of(name: str) -> str:
    """Where a listed cell is; nothing of another one."""
    from core import cells

    async with database():
        listed = (await cells.known_cells()).get(name)
    return "" if listed is None else listed.cell.url or ""


def _host_and_port(machine: str) -> tuple[str, int]:
    host, _, port = machine.rpartition(":")
    if not host or not port.isdigit():
        raise Failure("write the machine as host:port, as SELECT * FROM pg_dist_node lists it")
    return host, int(port)
