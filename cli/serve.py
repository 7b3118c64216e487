"""The processes of production: `svc api`, `svc worker`, and the schema they need, `svc migrate`."""

import asyncio
import os
from typing import Annotated, Any

import typer

from cli.address import must_be_free
from cli.output import Record, show


def api(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
) -> None:
    """Run the API alone. SIGTERM lets open requests finish; a second one ends it at once."""
    import uvicorn

    from core.foundation import logs, open_files, settings
    from rest_api import server

    known = settings.load()
    port = must_be_free(host, port)
    logs.configure(known.log_level)
    open_files.raise_open_files()
    asyncio.run(_reach(known.database_url))
    proxies = [str(network) for network in known.trusted_proxies]
    show({"host": host, "port": port, "workers": workers}, text=f"starting the API on {host}:{port}")
    config = uvicorn.Config(
        "rest_api.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=4_000_000,  # bytes: the longest message of a GraphQL socket is a million characters
        lifespan="on",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=known.drain_seconds,
    )
    raise typer.Exit(server.run(config))


async def _reach(database_url: str) -> None:
    """A wrong address is told in one line, before anything starts; later outages are waited for."""
    import asyncpg

    from core.foundation.db import CONNECT_SECONDS, credentials_of

    connection: asyncpg.Connection[Any] = await asyncpg.connect(**credentials_of(database_url), timeout=CONNECT_SECONDS)
    await connection.close()


def worker(
    *,
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Answer /metrics and /healthz here (SVC_WORKER_METRICS_PORT)."),
    ] = None,
) -> None:
    """Run one worker; any number may run. SIGTERM lets running tasks finish; a second one ends it at once."""
    if metrics_port is not None:
        os.environ["SVC_WORKER_METRICS_PORT"] = str(metrics_port)
    from core.foundation import logs, open_files, settings
    from workers.main import run

    logs.configure(settings.load().log_level)
    open_files.raise_open_files()
    show({"pid": os.getpid()}, text="starting a worker")
    run()


async def migrate() -> Record:
    """Bring the database to the newest schema; safe to run from several machines at once."""
    from core.foundation import schema, settings

    applied: list[str] = []
    await schema.migrate(settings.load().database_url, progress=applied.append)
    return {"applied": applied}
