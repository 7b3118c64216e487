"""The processes of production: `svc api`, `svc worker`, and the schema they need, `svc migrate`."""

import os
import signal
import sys
from typing import Annotated

import typer

from cli.output import Record, show

DRAIN_SECONDS = 10


def api(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
) -> None:
    """Run the API alone. SIGTERM lets open requests finish."""
    import uvicorn

    from core.foundation import logs, settings

    logs.configure(settings.load().log_level)
    # uvicorn raises the signal that stopped it again; a stop that was asked for is a success.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    show({"host": host, "port": port, "workers": workers}, text=f"starting the API on {host}:{port}")
    uvicorn.run(
        "rest_api.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )


def worker() -> None:
    """Run one worker; any number may run. SIGTERM lets running tasks finish."""
    from core.foundation import logs, settings
    from workers.main import run

    logs.configure(settings.load().log_level)
    show({"pid": os.getpid()}, text="starting a worker")
    run()


async def migrate() -> Record:
    """Bring the database to the newest schema; safe to run from several machines at once."""
    from core.foundation import schema, settings

    applied: list[str] = []
    await schema.migrate(settings.load().database_url, progress=applied.append)
    return {"applied": applied}
