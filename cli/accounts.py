"""`svc account`: the people of an organization."""

from typing import Annotated, Literal

import typer

from cli.inputs import PasswordOption, given, read_password
from cli.organizations import Org
from cli.output import Record, command
from cli.session import database

account = typer.Typer(help="Accounts of people.", no_args_is_help=True)

Status = Literal["active", "invited", "suspended"]
Role = Literal["owner", "admin", "operator"]


async def create_account(
    *,
    org: Org,
    email: Annotated[str, typer.Option(help="E-mail address, one account per organization.")],
    name: Annotated[str, typer.Option(help="The person's name.")],
    status: Annotated[Status, typer.Option(help="Only active ones log in.")] = "active",
    role: Annotated[Role, typer.Option(help="What its sessions may do.")] = "operator",
    password: PasswordOption = None,
) -> Record:
    """Add a person to an organization. Without a password the account cannot log in."""
    from core import organizations

    secret = read_password(password)
    new = given(
        organizations.NewAccount, email=email, name=name, status=status, role=role, password=secret
    )
    async with database(lives=org):
        created = await organizations.create_account(org, new)
    return {"accountId": created["id"], "status": created["status"]}


async def change_account(
    *,
    account: Annotated[str, typer.Option(help="Account id (acc_…).")],
    status: Annotated[
        Status | None,
        typer.Option(help="active accepts an invitation; the others end its sessions."),
    ] = None,
    role: Annotated[Role | None, typer.Option(help="What its sessions may do.")] = None,
    password: PasswordOption = None,
    suspend_keys: Annotated[
        bool,
        typer.Option(
            "--suspend-keys", help="With --status suspended: the keys it has issued end too."
        ),
    ] = False,
    remove_second_factor: Annotated[
        bool,
        typer.Option(
            "--remove-second-factor",
            help="The password alone opens again: for who has lost app and recovery codes.",
        ),
    ] = False,
) -> Record:
    """Change an account. Running processes notice within two seconds.

    What a suspended account has subscribed to events is told no personal data any more; its keys go
    on unless told.
    """
    from core import organizations

    if not (status or role or password or remove_second_factor):
        raise typer.BadParameter("give --status, --role, --password - or --remove-second-factor")
    if suspend_keys and status != "suspended":
        raise typer.BadParameter("--suspend-keys goes with --status suspended")
    secret = read_password(password)
    changes = given(
        organizations.AccountChanges,
        status=status,
        role=role,
        password=secret,
        suspenderChaves=suspend_keys,
        removerSegundoFator=remove_second_factor,
    )
    async with database(row=("accounts", account)):
        return await organizations.change_account(account, changes)


async def list_accounts(*, org: Org) -> Record:
    """The accounts of an organization, in the order in which they came."""
    from core import organizations

    async with database(org):
        return {"items": await organizations.accounts_of(org)}


command(account, "create")(create_account)
command(account, "set")(change_account)
command(account, "list")(list_accounts)
