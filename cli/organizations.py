"""`svc org`: tenants."""

from typing import Annotated, Literal

import typer

from cli.failures import Failure
from cli.inputs import PasswordOption, given, read_password
from cli.output import Record, command, say
from cli.session import database

org = typer.Typer(help="Organizations.", no_args_is_help=True)

Org = Annotated[str, typer.Option("--org", help="Organization id (org_…).")]
Environment = Annotated[Literal["test", "live"], typer.Option("--env", help="Environment.")]


async def create_org(
    name: Annotated[str, typer.Argument(help="Its name.")],
    *,
    email: Annotated[
        str | None, typer.Option(help="E-mail address that its owner logs in with.")
    ] = None,
    password: PasswordOption = None,
    cell: Annotated[
        str | None,
        typer.Option(help="Where it is to live; without it in the home (docs/cells.md)."),
    ] = None,
) -> Record:
    """Create an organization with an active owner and its wallets."""
    from core import cells, operations
    from core.organizations import LogIn, NewOrganization

    if not name.strip():
        raise typer.BadParameter("an organization needs a name", param_hint="name")
    if password is not None and email is None:
        raise typer.BadParameter("a password needs the --email that goes with it")
    new = given(NewOrganization, name=name)
    log_in = None if email is None else given(LogIn, email=email, password=read_password(password))
    async with database():
        where = await cells.cell_for_new(cell) if cell else cells.HOME
        organization, owner = await operations.open_organization(new.name, log_in, cell=where)
    return {"organizationId": organization.id, "name": organization.name, "accountId": owner.id}


Id = Annotated[str, typer.Argument(help="Organization id (org_…).")]


async def list_orgs() -> Record:
    """All organizations, those of each cell in the order in which they came."""
    from core import cells, organizations

    async with database():
        several = await cells.has_cells()
        items = []
        for cell in await cells.every_cell():
            with cells.use_cell(cell):
                found = await organizations.list_organizations()
            told = {"cell": cell.name} if several else {}
            items += [
                {**one, **told}
                for one in found
                if await cells.cell_of(str(one["organizationId"])) == cell
            ]
        return {"items": items}


async def show_org(id: Id) -> Record:
    """One organization, and how many accounts and active keys it has."""
    from core import organizations

    async with database(lives=id):
        return await organizations.get_organization(id)


async def rename_org(id: Id, name: Annotated[str, typer.Argument(help="Its new name.")]) -> Record:
    """Give an organization another name."""
    from core import organizations

    new = given(organizations.NewOrganization, name=name)
    async with database(lives=id):
        return await organizations.rename_organization(id, new)


async def suspend_org(id: Id) -> Record:
    """Refuse all keys and sessions of an organization; its data stays. Every process knows within
    two seconds.

    Workers revoke its webhook subscriptions. What it had sent goes on its way.
    """
    from core import organizations

    async with database(lives=id):
        return await organizations.suspend_organization(id)


async def resume_org(id: Id) -> Record:
    """Let a suspended organization act again, with the keys that it had.

    It activates its webhook subscriptions itself.
    """
    from core import organizations

    async with database(lives=id):
        return await organizations.resume_organization(id)


async def set_org(
    id: Id,
    *,
    demand_second_factor: Annotated[
        bool, typer.Option("--demand-second-factor/--no-demand-second-factor", help="Of everybody.")
    ],
) -> Record:
    """Demand a second factor of everybody who logs in, or no longer.

    Within two seconds a session of who has none does nothing but add it.
    """
    from core import organizations

    async with database(lives=id):
        return await organizations.demand_second_factor(id, demand_second_factor)


async def move_org(
    id: Id,
    cell: Annotated[
        str | None, typer.Argument(help="The cell that it enters; main: the home.")
    ] = None,
    *,
    undo: Annotated[
        bool, typer.Option("--undo", help="Undo a move that is not done; it stays where it is.")
    ] = False,
) -> Record:
    """Move an organization into another cell while it works; its writes wait for some seconds at most.

    A move that was broken off goes on where it ended: repeat it, or undo it.
    """
    from core import moves

    if undo is (cell is not None):
        raise Failure("name the cell that the organization enters, or --undo its move")

    def tell(what: str, rows: int) -> None:
        say(f"{what}: {rows:,} rows" if rows else what)

    async with database(id):
        try:
            moved = (
                await moves.undo_move(id, tell=tell)
                if cell is None
                else await moves.move_organization(id, cell, tell=tell)
            )
        except moves.MoveRefused as refusal:
            raise Failure(str(refusal)) from refusal
    return {
        "organizationId": id,
        "from": moved.source,
        "to": moved.target,
        "step": moved.step.value,
        "rows": moved.rows,
        "writesWaitedMs": moved.writes_waited_ms,
    }


command(org, "create")(create_org)
command(org, "list")(list_orgs)
command(org, "show")(show_org)
command(org, "rename")(rename_org)
command(org, "set")(set_org)
command(org, "move")(move_org)
command(org, "suspend")(suspend_org)
command(org, "resume")(resume_org)
