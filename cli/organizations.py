"""`svc org` and `svc key`: tenants and the keys that act for them."""

from typing import Annotated, Literal

import typer

from cli.output import Record, command
from cli.session import database

org = typer.Typer(help="Organizations.", no_args_is_help=True)
key = typer.Typer(help="API keys.", no_args_is_help=True)

Org = Annotated[str, typer.Option("--org", help="Organization id (org_…).")]
Environment = Annotated[Literal["test", "live"], typer.Option("--env", help="Environment.")]


async def create_org(name: Annotated[str, typer.Argument(help="Its name.")]) -> Record:
    """Create an organization with an active owner and its wallets."""
    from core import onboarding

    async with database():
        organization, owner = await onboarding.open_organization(name)
    return {"organizationId": organization.id, "name": organization.name, "accountId": owner.id}


async def create_key(
    *,
    org: Org,
    env: Environment,
    scopes: Annotated[
        str | None,
        typer.Option(
            help="`all`, or a comma-separated list; default: all but pii:full, messages:force and crm:delete."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "shell",
) -> Record:
    """Issue a key. It is shown here once and stored hashed."""
    from core import organizations

    async with database():
        issued = await organizations.issue_key(org, env, name=name, scopes=organizations.scopes_named(scopes))
    return {"id": issued.id, "key": issued.key, "env": issued.env, "scopes": list(issued.scopes)}


async def list_keys(*, org: Org) -> Record:
    """The keys of an organization, newest first, without the keys themselves."""
    from core import organizations

    async with database():
        return {"items": await organizations.list_keys(org)}


async def revoke_key(id: Annotated[str, typer.Argument(help="Key id (key_…).")]) -> Record:
    """End a key now; every process refuses it within two seconds."""
    from core import organizations

    async with database():
        return await organizations.revoke_key(id)


command(org, "create")(create_org)
command(key, "create")(create_key)
command(key, "list")(list_keys)
command(key, "revoke")(revoke_key)
