"""`svc contacts`: settings of an organization's contacts."""

import asyncio
from typing import Annotated

import typer

from cli.organizations import Org
from cli.output import Record, command
from cli.session import database

contacts = typer.Typer(help="Contacts.", no_args_is_help=True)

EVERY_PROCESS_KNOWS_SECONDS = 2.5


async def ninth_digit(
    org: Org,
    *,
    on: Annotated[
        bool, typer.Option("--on/--off", help="A mobile with and without its ninth digit is one phone, or two.")
    ],
) -> Record:
    """Set whether Brazilian mobiles with and without their ninth digit are the same phone.

    Refused, with nothing changed, when contacts with both forms of one phone exist.
    """
    from core.contacts import unify_ninth_digit

    async with database():
        first = await unify_ninth_digit(org, on)
        # Running processes remember the setting for a moment; what they create meanwhile is filed by the second call.
        await asyncio.sleep(EVERY_PROCESS_KNOWS_SECONDS)
        second = await unify_ninth_digit(org, on)
    return {"organizationId": org, "unifiesNinthDigit": on, "contactsRefiled": first.contacts + second.contacts}


command(contacts, "ninth-digit")(ninth_digit)
