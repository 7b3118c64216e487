"""`svc limits`: ceilings of an organization."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

if TYPE_CHECKING:
    from core.foundation.security.caller import Limits

limits = typer.Typer(help="Ceilings of an organization.", no_args_is_help=True)


async def set_limits(
    *,
    org: Org,
    env: Environment,
    sms_per_second: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="SMS per second.")
    ] = None,
    graphql_cost: Annotated[
        int | None,
        typer.Option(
            "--graphql-cost",
            min=1_000,
            max=1_000_000_000,
            help="Points for GraphQL; a quarter of them comes back per second, a fifth to one "
            "credential.",
        ),
    ] = None,
) -> Record:
    """Change ceilings; running processes notice within two seconds."""
    from core import organizations

    if sms_per_second is None and graphql_cost is None:
        raise typer.BadParameter("Name a ceiling: --sms-per-second or --graphql-cost.")
    async with database(lives=org):
        stored = await organizations.set_limits(
            org, env, sms_per_second=sms_per_second, graphql_cost=graphql_cost
        )
    return {"organizationId": org, "env": env, **_spelt(stored)}


async def show_limits(*, org: Org) -> Record:
    """The ceilings of an organization in both environments."""
    from core import organizations
    from core.foundation.security.caller import Limits

    async with database(lives=org):
        found = await organizations.get_limits(org)
    return {
        "organizationId": org,
        "limits": [
            {"env": env, **_spelt(held), "isDefault": held == Limits()}
            for env, held in found.items()
        ],
    }


def _spelt(held: "Limits") -> Record:
    return {"smsPerSecond": held.sms_per_second, "graphqlCost": held.graphql_cost}


command(limits, "set")(set_limits)
command(limits, "show")(show_limits)
