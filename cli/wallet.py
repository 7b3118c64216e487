"""`svc wallet`: the money of an organization."""

from typing import Annotated

import typer

from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

wallet = typer.Typer(help="Wallets.", no_args_is_help=True)


async def credit(
    *,
    org: Org,
    env: Environment,
    coins: Annotated[int, typer.Option(help="Coins (1 = 0.0001 BRL); negative takes some back.")],
) -> Record:
    """Add coins to a wallet."""
    from core import wallet as wallets

    async with database():
        balance = await wallets.credit(org, env, coins)
    return {"organizationId": org, "env": env, "balanceCoins": balance}


command(wallet, "credit")(credit)
