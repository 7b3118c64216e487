"""`svc webhooks`: subscriptions of an organization, and what became of their deliveries."""

from typing import Annotated, Literal

import typer

from cli.inputs import Cursor, Limit, asked
from cli.organizations import Environment, Org
from cli.output import Record, command
from cli.session import database

webhooks = typer.Typer(help="Webhooks.", no_args_is_help=True)

Status = Literal["pendente", "falhando", "entregue", "morta", "retida"]
Id = Annotated[str, typer.Argument(help="Subscription id (wbh_…).")]


async def list_webhooks(
    *, org: Org, env: Environment, limit: Limit = 50, cursor: Cursor = None
) -> Record:
    """The subscriptions of an organization in one environment, the newest first."""
    from core import operations
    from core import webhooks as hooks

    filter = asked(hooks.SubscriptionFilter, limit=limit, cursor=cursor)
    async with database(org):
        return await hooks.list_subscriptions(operations.operator_of(org, env), filter)


async def show_webhook(id: Id, *, org: Org, env: Environment) -> Record:
    """One subscription: where it leads, how it stands, since when it fails."""
    from core import operations
    from core import webhooks as hooks

    async with database(org):
        return await hooks.get_subscription(operations.operator_of(org, env), id)


async def list_deliveries(
    id: Id,
    *,
    org: Org,
    env: Environment,
    status: Annotated[Status | None, typer.Option(help="Those that stand so.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> Record:
    """The deliveries of a subscription, the newest first, without what was sent."""
    from core import operations
    from core import webhooks as hooks

    filter = asked(hooks.DeliveryFilter, status=status, limit=limit, cursor=cursor)
    async with database(org):
        return await hooks.list_deliveries(operations.operator_of(org, env), id, filter)


async def show_delivery(
    id: Annotated[str, typer.Argument(help="Delivery id (dlv_…).")], *, org: Org, env: Environment
) -> Record:
    """One delivery: what was sent, with personal data masked, and what each attempt was answered."""
    from core import operations
    from core import webhooks as hooks

    async with database(org):
        return await hooks.get_delivery(operations.operator_of(org, env), id)


command(webhooks, "list")(list_webhooks)
command(webhooks, "show")(show_webhook)
command(webhooks, "deliveries")(list_deliveries)
command(webhooks, "delivery")(show_delivery)
