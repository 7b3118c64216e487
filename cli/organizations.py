"""`svc org`: tenants."""

from typing import Annotated, Literal

import typer

from cli.inputs import PasswordOption, given, read_password
from cli.output import Record, command
from cli.session import database

org = typer.Typer(help="Organizations.", no_args_is_help=True)

Org = Annotated[str, typer.Option("--org", help="Organization id (org_…).")]
Environment = Annotated[Literal["test", "live"], typer.Option("--env", help="Environment.")]


async def create_org(
    name: Annotated[str, typer.Argument(help="Its name.")],
    *,
    email: Annotated[str | None, typer.Option(help="E-mail address that its owner logs in with.")] = None,
    password: PasswordOption = None,
) -> Record:
    """Create an organization with an active owner and its wallets."""
    from core import onboarding
    from core.organizations import LogIn

    if not name.strip():
        raise typer.BadParameter("an organization needs a name", param_hint="name")
    if password is not None and email is None:
        raise typer.BadParameter("a password needs the --email that goes with it")
    log_in = None if email is None else given(LogIn, email=email, password=read_password(password))
    async with database():
        organization, owner = await onboarding.open_organization(name, log_in)
    return {"organizationId": organization.id, "name": organization.name, "accountId": owner.id}


command(org, "create")(create_org)
