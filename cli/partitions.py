"""`svc partitions`: large tables by month."""

from datetime import timedelta
from typing import Annotated

import typer

from cli.output import Record, command, say
from cli.session import database

partitions = typer.Typer(help="Large tables, partitioned by month.", no_args_is_help=True)


async def enable_partitions(
    *,
    wait: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_440,
            help="Minutes to wait for others, a running backup for instance, in all.",
        ),
    ] = 120,
) -> Record:
    """Partition the large tables by month, beside the traffic. What is partitioned stays; a broken
    run goes on.

    Rows are not copied, and nobody waits for longer than two seconds. It cannot be undone.
    """
    from core import partitions as months
    from core.foundation import settings
    from core.foundation.database import schema

    done = []
    async with schema.runner_on(
        settings.load().database_url, waiting=say, patience=timedelta(minutes=wait)
    ) as (
        runner,
        connection,
    ):
        async for table in months.enable(runner, connection):
            say(f"{table}: partitioned")
            done.append(table)
    return {"partitioned": done}


async def show_partitions() -> Record:
    """Which tables are partitioned, into what, and what is on its way out."""
    from core import partitions as months
    from core.foundation.clock import now

    async with database():
        return await months.partition_status(at=now())


command(partitions, "enable")(enable_partitions)
command(partitions, "status")(show_partitions)
