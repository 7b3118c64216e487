"""`svc email-sender`: from which addresses an organization may write e-mail."""

from functools import partial
from typing import Annotated

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database, every_item

email_sender = typer.Typer(help="Verified senders of e-mail.", no_args_is_help=True)


async def verify_sender(
    address: Annotated[str, typer.Argument(help="An address, or all of a domain (@example.com).")],
    *,
    org: Org,
    env: Environment,
) -> Record:
    """Note that an address or a domain is the organization's own, which it can also show by itself,
    over the API. Find that out before.

    The relay must be allowed to send for it too (SPF, DKIM).
    """
    from core import email
    from core.foundation.security.caller import system_caller

    async with database(org):
        return await email.verify_sender(
            system_caller(org, env), given(email.NewSender, address=address)
        )


async def list_senders(*, org: Org, env: Environment) -> Record:
    """The senders of an organization in one environment, verified or not, the newest first."""
    from core import email
    from core.foundation.security.caller import system_caller

    caller = system_caller(org, env)
    async with database(org):
        return await every_item(partial(email.list_senders, caller), email.SenderFilter)


command(email_sender, "verify")(verify_sender)
command(email_sender, "list")(list_senders)
