"""`svc key`: the keys that act for an organization."""

from functools import partial
from typing import Annotated

import typer

from cli.inputs import given
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database, every_item

key = typer.Typer(help="API keys.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="Key id (key_…).")]


async def create_key(
    *,
    org: Org,
    env: Environment,
    scopes: Annotated[
        str | None,
        typer.Option(
            help="`all`, or a comma-separated list; default: all but pii:full, messages:force "
            "and crm:delete."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "shell",
) -> Record:
    """Issue a key. It is shown here once and stored hashed.

    Scopes: audit:read, campaigns:read, campaigns:write, contacts:read, contacts:write, crm:delete,
    crm:read, crm:write, email:read, email:send, flows:read, flows:write, media:read, media:write,
    messages:force, messages:read, messages:send, numbers:read, pii:full, push:read, push:send,
    push:settings, rcs:read, rcs:send, sms:read, sms:send, templates:read, templates:write,
    wallet:read, webhooks:read, webhooks:write.
    """
    from core import organizations
    from core.foundation.security.caller import system_caller

    new = given(
        organizations.NewKey, nome=name, env=env, scopes=sorted(organizations.scopes_named(scopes))
    )
    async with database(lives=org):
        issued = await organizations.issue_key(system_caller(org, env), new)
    return {field: issued[field] for field in ("id", "key", "env", "scopes")}


async def list_keys(*, org: Org) -> Record:
    """The keys of an organization, newest first, without the keys themselves."""
    from core import organizations
    from core.foundation.security.caller import system_caller

    admin = system_caller(org, "live")
    async with database(org):
        return await every_item(partial(organizations.list_keys, admin), organizations.KeyFilter)


async def rotate_key(
    id: Id,
    *,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=168, help="For how many hours the old key still opens.")
    ] = 24,
) -> Record:
    """Issue a key like this one, which ends after the overlap. The new key is shown here once."""
    from core import organizations

    async with database(row=("api_keys", id)):
        admin = await organizations.owner_of_key(id)
        return await organizations.rotate_key(
            admin, id, organizations.KeyRotation(overlap_hours=overlap_hours)
        )


async def revoke_key(
    id: Id,
    *,
    close_webhooks: Annotated[
        bool,
        typer.Option("--close-webhooks", help="Pause the webhook subscriptions created with it."),
    ] = False,
) -> Record:
    """End a key now; every process refuses it within two seconds. Shows the webhook subscriptions
    created with it.
    """
    from core import organizations

    how = organizations.KeyRevocation(close_webhooks=close_webhooks)
    async with database(row=("api_keys", id)):
        return await organizations.revoke_key(await organizations.owner_of_key(id), id, how)


command(key, "create")(create_key)
command(key, "list")(list_keys)
command(key, "rotate")(rotate_key)
command(key, "revoke")(revoke_key)
