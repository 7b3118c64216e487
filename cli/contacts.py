"""`svc contacts`: settings of an organization's contacts."""

import asyncio
from typing import Annotated

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

contacts = typer.Typer(help="Contacts.", no_args_is_help=True)
words = typer.Typer(help="Words of opt-out.", no_args_is_help=True)

EVERY_PROCESS_KNOWS_SECONDS = 2.5


async def ninth_digit(
    org: Org,
    *,
    on: Annotated[
        bool,
        typer.Option(
            "--on/--off", help="A mobile with and without its ninth digit is one phone, or two."
        ),
    ],
) -> Record:
    """Set whether Brazilian mobiles with and without their ninth digit are the same phone.

    Refused, with nothing changed, when contacts with both forms of one phone exist.
    """
    from core.contacts import unify_ninth_digit

    async with database(lives=org):
        first = await unify_ninth_digit(org, on)
        # Running processes remember the setting for a moment; what they create meanwhile is filed
        # by the second call.
        await asyncio.sleep(EVERY_PROCESS_KNOWS_SECONDS)
        second = await unify_ninth_digit(org, on)
    return {
        "organizationId": org,
        "unifiesNinthDigit": on,
        "contactsRefiled": first.contacts + second.contacts,
    }


async def show_words(*, org: Org, env: Environment) -> Record:
    """The words by which people leave and come back."""
    from core.contacts import get_opt_out_words
    from core.foundation.security.caller import system_caller

    async with database(org):
        return await get_opt_out_words(system_caller(org, env))


async def set_words(
    *,
    org: Org,
    env: Environment,
    leaving: Annotated[
        list[str] | None, typer.Option("--leave", help="A word that closes its channel.")
    ] = None,
    returning: Annotated[
        list[str] | None, typer.Option("--return", help="A word that opens it again.")
    ] = None,
) -> Record:
    """Choose these words, in the place of all before; without any, no word does it."""
    from core.contacts import OptOutWords, set_opt_out_words
    from core.foundation.security.caller import system_caller

    words = given(OptOutWords, saida=leaving or [], volta=returning or [])
    async with database(org):
        return await set_opt_out_words(system_caller(org, env), words)


command(contacts, "ninth-digit")(ninth_digit)
command(words, "show")(show_words)
command(words, "set")(set_words)
contacts.add_typer(words, name="words")
