"""`svc number`: the numbers that conversations leave from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import typer

from cli.inputs import TokenOption, given, read_secret
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

number = typer.Typer(help="Numbers that conversations leave from.", no_args_is_help=True)

IN_SHORT = ("id", "displayPhone", "status", "qualityRating", "messagingTier")

NumberId = Annotated[str, typer.Argument(help="Number id (num_…).")]
PhoneNumberId = Annotated[
    str | None, typer.Option(help="The platform's id of the number; live only.")
]
WabaId = Annotated[
    str | None, typer.Option(help="The platform's id of the account it is under; live only.")
]


async def create_number(
    *,
    org: Org,
    env: Environment,
    phone: Annotated[str, typer.Option(help="The phone, such as +5511987654321.")],
    name: Annotated[str | None, typer.Option(help="The name that people see.")] = None,
    phone_number_id: PhoneNumberId = None,
    waba_id: WabaId = None,
    token: TokenOption = None,
) -> Record:
    """Register a number. One of the sandbox is connected at once.

    A live one is connected when the platform confirms it: at once, where its ids are given and the
    platform is configured (SVC_META_…), later by `svc number connect`. Without --token the
    installation's own is used.
    """
    from core import numbers
    from core.foundation.security.caller import system_caller

    platform = _platform(env, phone_number_id, waba_id, token)
    new = given(numbers.NewNumber, phone=phone, name=name, platform=platform)
    async with service(org):
        made = await numbers.create_number(system_caller(org, env), new)
    return {"numberId": made["id"], "status": made["status"]}


async def connect_number(
    number_id: NumberId,
    *,
    org: Org,
    phone_number_id: Annotated[str, typer.Option(help="The platform's id of the number.")],
    waba_id: Annotated[str, typer.Option(help="The platform's id of the account it is under.")],
    token: TokenOption = None,
) -> Record:
    """Tell where on the platform a live number is; the platform is asked, where it is configured."""
    from core import numbers
    from core.foundation.security.caller import system_caller

    place = given(
        numbers.PlatformIds,
        phoneNumberId=phone_number_id,
        wabaId=waba_id,
        token=read_secret(token, "token"),
    )
    async with service(org):
        made = await numbers.connect_number(system_caller(org, "live"), number_id, place)
    return {"numberId": made["id"], "status": made["status"]}


async def list_numbers(*, org: Org, env: Environment) -> Record:
    """The newest 200 numbers of an organization in one environment, in short; `svc number show`
    tells all of one.
    """
    from core import numbers
    from core.foundation.security.caller import system_caller

    async with database(org):
        page = await numbers.list_numbers(system_caller(org, env), numbers.NumberFilter(limit=200))
    return {
        "items": [{name: one[name] for name in IN_SHORT} for one in page["items"]],
        "total": page["total"],
    }


async def show_number(number_id: NumberId, *, org: Org, env: Environment) -> Record:
    """One number, and how it fares: the platform is asked where it is configured."""
    from core import numbers
    from core.foundation.security.caller import system_caller

    caller = system_caller(org, env)
    async with service(org):
        health = await numbers.get_health(caller, number_id)
        return {**await numbers.get_number(caller, number_id), "health": health}


@asynccontextmanager
async def service(org: str) -> AsyncIterator[None]:
    """The database, and the platform where one is configured."""
    from core.foundation.settings import current
    from core.providers import registry

    async with database(org):
        await registry.open_providers(current())
        try:
            yield
        finally:
            await registry.close_providers()


def _platform(
    env: str, phone_number_id: str | None, waba_id: str | None, token: str | None
) -> dict[str, Any] | None:
    if phone_number_id is None and waba_id is None and token is None:
        return None
    if env == "test":
        raise typer.BadParameter(
            "a number of the sandbox is on no platform: leave its ids and --token out"
        )
    if phone_number_id is None or waba_id is None:
        raise typer.BadParameter("a place on the platform is both --phone-number-id and --waba-id")
    place = {
        "phoneNumberId": phone_number_id,
        "wabaId": waba_id,
        "token": read_secret(token, "token"),
    }
    return {name: value for name, value in place.items() if value is not None}


command(number, "create")(create_number)
command(number, "connect")(connect_number)
command(number, "list")(list_numbers)
command(number, "show")(show_number)
