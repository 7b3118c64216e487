"""`svc limits`: ceilings of an organization."""

from typing import Annotated

import typer

from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

limits = typer.Typer(help="Ceilings of an organization.", no_args_is_help=True)


async def set_limits(
    *,
    org: Org,
    env: Environment,
    sms_per_second: Annotated[int, typer.Option(min=1, max=100_000, help="SMS per second.")],
) -> Record:
    """Change a ceiling; running processes notice within two seconds."""
    from core import organizations

    async with database():
        stored = await organizations.set_limits(org, env, sms_per_second=sms_per_second)
    return {"organizationId": org, "env": env, "smsPerSecond": stored.sms_per_second}


async def show_limits(*, org: Org) -> Record:
    """The ceilings of an organization in both environments."""
    from core import organizations
    from core.foundation.caller import Limits

    async with database():
        found = await organizations.get_limits(org)
    return {
        "organizationId": org,
        "limits": [
            {"env": env, "smsPerSecond": held.sms_per_second, "isDefault": held == Limits()}
            for env, held in found.items()
        ],
    }


command(limits, "set")(set_limits)
command(limits, "show")(show_limits)
