"""`svc email-sender`: from which addresses an organization may write e-mail."""

from typing import Annotated

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

email_sender = typer.Typer(help="Verified senders of e-mail.", no_args_is_help=True)


async def verify_sender(
    address: Annotated[str, typer.Argument(help="An address, or all of a domain (@example.com).")],
    *,
    org: Org,
    env: Environment,
) -> Record:
    """Note that an address or a domain is the organization's own. Find that out before: by an e-mail
    to it, or its DNS.

    The relay must be allowed to send for it too (SPF, DKIM).
    """
    from core import email
    from core.foundation.security.caller import system_caller

    async with database():
        return await email.verify_sender(
            system_caller(org, env), given(email.NewSender, address=address)
        )


async def list_senders(*, org: Org, env: Environment) -> Record:
    """The verified senders of an organization in one environment, the oldest first."""
    from core import email
    from core.foundation.security.caller import system_caller

    async with database():
        return await email.list_senders(system_caller(org, env))


command(email_sender, "verify")(verify_sender)
command(email_sender, "list")(list_senders)
