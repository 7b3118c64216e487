"""`svc messages` and `svc suppressions`: what became of a message, and the addresses suppressed."""

from typing import Annotated

import typer

from cli.inputs import Cursor, Limit, asked
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

messages = typer.Typer(help="Messages of every channel.", no_args_is_help=True)
suppressions = typer.Typer(help="Addresses that no e-mail is sent to.", no_args_is_help=True)

Unmasked = Annotated[
    bool, typer.Option("--unmasked", help="With the personal data that keys see with pii:full.")
]


async def show_message(
    id: Annotated[
        str, typer.Argument(help="Id of a message (msg_…) or of a push dispatch (psh_…).")
    ],
    *,
    unmasked: Unmasked = False,
) -> Record:
    """A message of any organization and channel, sent or received, as its owner reads it."""
    from core import operations
    from core.foundation.ids import is_id

    async with database(row=("push_dispatches" if is_id("psh", id) else "messages", id)):
        return await operations.show_message(id, unmasked=unmasked)


async def list_suppressions(
    *,
    org: Org,
    env: Environment,
    to: Annotated[str | None, typer.Option(help="A whole address: is it among them?")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    unmasked: Unmasked = False,
) -> Record:
    """The addresses that bounced or complained, the newest first."""
    from core import email, operations

    filter = asked(email.SuppressionFilter, to=to, limit=limit, cursor=cursor)
    async with database(org):
        return await email.list_suppressions(
            operations.operator_of(org, env, unmasked=unmasked), filter
        )


async def remove_suppression(
    address: Annotated[str, typer.Argument(help="The address that is written to again.")],
    *,
    org: Org,
    env: Environment,
) -> Record:
    """Send to an address again; what its owner denied stays denied."""
    from core import email, operations

    suppressed = asked(email.SuppressedAddress, to=address)
    async with database(org):
        return await email.lift_suppression(operations.operator_of(org, env), suppressed)


command(messages, "show")(show_message)
command(suppressions, "list")(list_suppressions)
command(suppressions, "remove")(remove_suppression)
