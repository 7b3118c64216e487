"""The processes of production: `svc api`, `svc worker`, `svc smpp`, `svc smpp-link`, and the schema they need, `svc migrate`."""

import asyncio
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from cli.address import must_be_free
from cli.failures import Failure, in_one_line
from cli.output import Record, say, show


def api(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
) -> None:
    """Run the API alone. SIGTERM lets open requests finish; a second one ends it at once."""
    import uvicorn

    from core.foundation import open_files, settings
    from core.foundation.observability import logs
    from rest_api import server

    known = settings.load()
    port = must_be_free(host, port)
    logs.configure(known.log_level, known.log_format)
    open_files.raise_open_files()
    asyncio.run(_reach(known.database_url))
    proxies = [str(network) for network in known.trusted_proxies]
    show(
        {"host": host, "port": port, "workers": workers}, text=f"starting the API on {host}:{port}"
    )
    config = uvicorn.Config(
        "rest_api.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop",
        http="rest_api.connections:ServedHttpConnection",
        ws="rest_api.socket_connections:ServedSocketConnection",
        ws_per_message_deflate=False,  # each message of each socket would be compressed anew
        ws_max_size=4_000_000,  # bytes: the longest message of a GraphQL socket is a million characters
        lifespan="on",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=known.keep_alive_seconds,
        timeout_graceful_shutdown=known.drain_seconds,
    )
    raise typer.Exit(server.run(config))


async def _reach(database_url: str) -> None:
    """A wrong address is told in one line, before anything starts; later outages are waited for."""
    from core.foundation.database.db import connected_apart

    async with connected_apart(database_url):
        pass


def worker(
    *,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Answer /metrics and /healthz here (SVC_WORKER_METRICS_PORT)."
        ),
    ] = None,
    cells: Annotated[
        str,
        typer.Option(help="Cells that it drains, separated by commas; without it, all of them."),
    ] = "",
) -> None:
    """Run one worker; any number may run. SIGTERM lets running tasks finish; a second one ends it
    at once.
    """
    if metrics_port is not None:
        os.environ["SVC_WORKER_METRICS_PORT"] = str(metrics_port)
    names = [name.strip() for name in cells.split(",") if name.strip()]
    from core.cells.manage import must_be_names
    from core.foundation import open_files, settings
    from core.foundation.observability import logs
    from workers.main import run

    must_be_names(names)
    known = settings.load()
    logs.configure(known.log_level, known.log_format)
    open_files.raise_open_files()
    show({"pid": os.getpid()}, text="starting a worker")
    run(names)


def smpp(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 2775,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Answer /metrics and /healthz here.")
    ] = None,
) -> None:
    """Run one SMPP server; any number may run. SIGTERM answers what is under way, unbinds and ends; a
    second one ends it at once.
    """
    from core.foundation import open_files, settings
    from core.foundation.observability import logs
    from smpp_api.main import run

    known = settings.load()
    port = must_be_free(host, port)
    logs.configure(known.log_level, known.log_format)
    open_files.raise_open_files()
    show({"pid": os.getpid(), "host": host, "port": port}, text=f"starting SMPP on {host}:{port}")
    run(host, port, metrics_port=metrics_port)


def smpp_link(
    links: Annotated[
        Path, typer.Argument(help="TOML file that names the operators (docs/smpp.md).")
    ],
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 9100,
    service: Annotated[
        str, typer.Option(help="Where the service takes receipts and replies.")
    ] = "http://127.0.0.1:8000",
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Answer /metrics and /healthz here.")
    ] = None,
) -> None:
    """Run a gateway that sends by operators' SMSCs over SMPP. SIGTERM finishes what is under way, unbinds
    and ends; a second one ends it at once.

    It speaks the protocol of docs/gateway.md: SVC_GATEWAY_URL of the service is its address, and both
    have the same SVC_GATEWAY_SECRET.
    """
    from core.foundation import open_files, settings
    from core.foundation.observability import logs
    from smpp_api.link.links_file import read_links
    from smpp_api.link.main import run

    known = settings.load()
    operators = read_links(links)
    port = must_be_free(host, port)
    logs.configure(known.log_level, known.log_format)
    open_files.raise_open_files()
    show(
        {"pid": os.getpid(), "host": host, "port": port, "links": [one.name for one in operators]},
        text=f"starting the SMPP link on {host}:{port}",
    )
    run(operators, at=(host, port), service=service, metrics_port=metrics_port)


async def migrate(
    *,
    wait: Annotated[
        float,
        typer.Option(
            min=0,
            max=10_080,
            help="Minutes that it waits for others in all, such as a long backup.",
        ),
    ] = 120,
) -> Record:
    """Bring the database to the newest schema, beside the traffic; safe to run from several
    machines at once. The cells follow in turn (docs/cells.md); one that fails keeps none from the
    others.

    Standard error tells what it waits for, also that an organization is being moved: rows that are on
    their way into a cell would miss what a migration fills in. What is done when it gives up or dies stays: the next
    one goes on there.
    """
    from core import cells
    from core.foundation import settings

    url, patience = settings.load().database_url, timedelta(minutes=wait)
    await _let_moves_end(url, patience)
    applied = await _migrated(url, patience)
    others: dict[str, list[str]] = {}
    failed: dict[str, str] = {}
    for name, address in (await cells.addresses_at(url)).items():
        say(f"cell {name}")
        try:
            others[name] = await _migrated(address, patience)
        except Exception as error:
            failed[name] = in_one_line(error)
    if failed:
        told = "; ".join(f"{name}: {why}" for name, why in failed.items())
        raise Failure(f"not migrated, repeat it when they are there: {told}")
    return {"applied": applied, **({"cells": others} if others else {})}


MOVE_LOOK_SECONDS = 2.0


async def _let_moves_end(url: str, patience: timedelta) -> None:
    """Raises Failure where a move between cells does not end."""
    from core.cells.move import moves_under_way

    until = time.monotonic() + patience.total_seconds()
    while ids := await moves_under_way(url):
        told = f"{', '.join(ids)} {'are' if len(ids) > 1 else 'is'} being moved to another cell"
        if time.monotonic() > until:
            raise Failure(f"{told}; svc doctor names a move that was broken off, and what ends it")
        say(f"waits: {told}")
        await asyncio.sleep(MOVE_LOOK_SECONDS)


async def _migrated(url: str, patience: timedelta) -> list[str]:
    from core.foundation.database import schema

    applied: list[str] = []
    await schema.migrate(url, progress=applied.append, waiting=say, patience=patience)
    return applied
