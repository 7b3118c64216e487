"""`svc instagram`: the Instagram accounts that take part in conversations."""

from typing import Annotated

import typer

from cli.inputs import TokenOption, given, read_secret
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

instagram = typer.Typer(
    help="Instagram accounts that take part in conversations.", no_args_is_help=True
)


async def create_account(
    *,
    org: Org,
    env: Environment,
    username: Annotated[str, typer.Option(help="Its name on Instagram, without @.")],
    instagram_id: Annotated[
        str | None, typer.Option(help="The platform's id of it; a live one needs it.")
    ] = None,
    token: TokenOption = None,
) -> Record:
    """Register an account. Without --token the installation's own is used."""
    from core import numbers
    from core.foundation.security.caller import system_caller

    secret = read_secret(token, "token")
    new = given(
        numbers.NewInstagramAccount, username=username, instagramId=instagram_id, token=secret
    )
    async with database(org):
        made = await numbers.create_instagram_account(system_caller(org, env), new)
    return {"instagramAccountId": made["id"]}


async def list_accounts(*, org: Org, env: Environment) -> Record:
    """The accounts of an organization in one environment, the oldest first; access tokens are never
    shown.
    """
    from core import numbers
    from core.foundation.security.caller import system_caller

    async with database(org):
        return await numbers.list_instagram_accounts(system_caller(org, env))


command(instagram, "create")(create_account)
command(instagram, "list")(list_accounts)
