"""One `svc smpp-link`: what it opens, its links and its server, and a graceful stop."""

import asyncio
import os
import signal
from collections.abc import Sequence

import structlog
import uvloop
from aiohttp import web

from core.foundation.database import db
from core.foundation.redis_address import open_redis
from core.foundation.settings import Settings, SettingsError, current
from core.operations import metrics_server
from smpp_api.link.asking import Asking
from smpp_api.link.gateway import FINISH_SECONDS, LinkGateway
from smpp_api.link.incoming import Incoming
from smpp_api.link.links_file import LinkSettings
from smpp_api.link.operator_link import OperatorLink
from smpp_api.link.reporting import Reporting

FORCED_EXIT_STATUS = 1

log = structlog.get_logger()


def run(
    links: Sequence[LinkSettings],
    *,
    at: tuple[str, int],
    service: str,
    metrics_port: int | None = None,
) -> None:
    """Serve in this process until SIGTERM or SIGINT; a second one ends it at once."""
    uvloop.run(_main(links, at, service, metrics_port))


async def _main(
    links: Sequence[LinkSettings], at: tuple[str, int], service: str, metrics_port: int | None
) -> None:
    stop = asyncio.Event()

    def end() -> None:
        if stop.is_set():
            os._exit(FORCED_EXIT_STATUS)
        log.info("smpp_link_stopping")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await serve(current(), links, at=at, service=service, stop=stop, metrics_port=metrics_port)


async def serve(
    settings: Settings,
    links: Sequence[LinkSettings],
    *,
    at: tuple[str, int],
    service: str,
    stop: asyncio.Event,
    metrics_port: int | None = None,
) -> None:
    """Serve until `stop` is set, then finish what has begun."""
    if settings.gateway_secret is None:
        raise SettingsError("svc smpp-link needs SVC_GATEWAY_SECRET, as the service has it")
    host, port = at
    await db.open_database(settings)
    redis = open_redis(settings.redis_url, seconds=0.5, answer_seconds=0.5)
    leave = asyncio.Event()
    operators = [OperatorLink(one, Incoming(one).keep) for one in links]
    gateway = LinkGateway(operators, secret=settings.gateway_secret)
    running = [asyncio.ensure_future(one.run(leave)) for one in operators]
    running += [asyncio.ensure_future(Asking(one).run(leave)) for one in operators]
    running.append(asyncio.ensure_future(Reporting(service, settings.gateway_secret).run(leave)))
    runner = web.AppRunner(gateway.app(), access_log=None, shutdown_timeout=FINISH_SECONDS)
    await runner.setup()
    try:
        measured = metrics_server(
            redis,
            host=settings.worker_metrics_host,
            port=metrics_port,
            token=settings.metrics_token,
        )
        async with measured:
            await web.TCPSite(runner, host, port).start()
            log.info("smpp_link_started", pid=os.getpid(), host=host, port=port, links=len(links))
            await stop.wait()
    finally:
        await runner.cleanup()
        await gateway.finish(seconds=settings.drain_seconds)
        leave.set()
        await asyncio.wait(running, timeout=settings.drain_seconds)
        await redis.aclose()
        await db.close_database()
        log.info("smpp_link_stopped")
