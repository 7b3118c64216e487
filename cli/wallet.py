"""`svc wallet` and `svc prices`: the money of an organization."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.failures import in_one_line
from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

wallet = typer.Typer(help="Wallets.", no_args_is_help=True)
prices = typer.Typer(help="Price tables.", no_args_is_help=True)

MAX_COINS = 10**15
"""Far above every wallet, and far below what the ledger can count."""


Coins = Annotated[int, typer.Option(min=1, max=MAX_COINS, help="Whole coins (1 = 0.0001 BRL).")]


async def credit(
    *,
    org: Org,
    env: Environment,
    coins: Coins,
    payment: Annotated[
        str | None,
        typer.Option(help="The id of the payment: said again, it credits nothing more."),
    ] = None,
) -> Record:
    """Add coins to a wallet; what is owed is paid first."""
    from core import wallet as wallets
    from core.foundation.clock import now
    from core.foundation.security.caller import system_caller

    if payment is None:
        async with database(org):
            balance = await wallets.credit(org, env, coins)
        return {"organizationId": org, "env": env, "balanceCoins": balance}
    new = given(wallets.NewPayment, paymentId=payment, coins=coins)
    async with database(org):
        credited = await wallets.record_payment(org, new, env=env, at=now())
        balances = await wallets.get_wallet(system_caller(org, env))
    return {
        "organizationId": org,
        "env": env,
        "balanceCoins": balances["disponivelCoins"],
        "paymentId": payment,
        "replayed": credited is None,
    }


async def debit(*, org: Org, env: Environment, coins: Coins) -> Record:
    """Take coins back from a wallet, never below zero."""
    from core import wallet as wallets

    async with database(org):
        balance = await wallets.debit(org, env, coins)
    return {"organizationId": org, "env": env, "balanceCoins": balance}


async def show(*, org: Org, env: Environment) -> Record:
    """The balances of a wallet and its last movements."""
    from core import wallet as wallets
    from core.foundation.security.caller import system_caller

    caller = system_caller(org, env)
    async with database(org):
        balances = await wallets.get_wallet(caller)
        page = await wallets.list_transfers(caller, wallets.TransferFilter(limit=10))
    return {
        "organizationId": org,
        "env": env,
        "balanceCoins": balances["disponivelCoins"],
        **balances,
        "entries": page["items"],
    }


async def threshold(
    *,
    org: Org,
    env: Environment,
    coins: Annotated[
        int, typer.Option(min=0, max=MAX_COINS, help="wallet.low_balance is published below this.")
    ],
) -> Record:
    """Set the balance below which the organization is warned."""
    from core import wallet as wallets

    async with database(org):
        await wallets.warn_below(org, env, coins)
    return {"organizationId": org, "env": env, "limiteAvisoCoins": coins}


async def show_prices(*, org: Org) -> Record:
    """The prices that hold for an organization."""
    from core import wallet as wallets

    async with database(org):
        return await wallets.prices_of(org)


async def set_prices(
    *,
    org: Org,
    file: Annotated[
        str | None,
        typer.Option(help="JSON in the shape that `svc prices show --json` prints; - reads stdin."),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Back to the published prices.")
    ] = False,
) -> Record:
    """Give an organization its own price table.

    A section that is left out keeps the published prices; a route that is left out of one has no
    price any more.
    """
    from core import wallet as wallets
    from core.foundation.errors import ValidationFailed

    if (file is None) == (not published):
        raise typer.BadParameter("give either --file or --published")
    table = None if file is None else _read(file)
    async with database(org):
        try:
            return await wallets.set_prices(org, table)
        except ValidationFailed as refused:
            raise _unusable(in_one_line(refused)) from None


def _read(file: str) -> Any:
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    try:
        table = json.loads(text)
    except ValueError:
        raise _unusable("the price table is not JSON") from None
    if not isinstance(table, dict):
        raise _unusable("the price table is not a JSON object")
    return table


def _unusable(reason: str) -> typer.BadParameter:
    return typer.BadParameter(reason, param_hint="--file")


command(wallet, "credit")(credit)
command(wallet, "debit")(debit)
command(wallet, "show")(show)
command(wallet, "threshold")(threshold)
command(prices, "show")(show_prices)
command(prices, "set")(set_prices)
