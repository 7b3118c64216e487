"""Metrics of a worker: process statistics, and a small HTTP server for them if it has a port."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import redis.asyncio as redis
import structlog
from aiohttp import web

from core.foundation.observability.metrics import MEDIA_TYPE
from core.foundation.settings import Settings
from core.operations import MetricsPage, ProcessStats, may_scrape

log = structlog.get_logger()


@asynccontextmanager
async def metrics_server(settings: Settings, client: "redis.Redis") -> AsyncIterator[None]:
    """Measure and answer for as long as the worker works. The database is open."""
    process_stats = ProcessStats()
    process_stats.start()
    runner = web.ServerRunner(
        web.Server(_endpoint(settings, MetricsPage(client)), access_log=None), shutdown_timeout=1
    )
    try:
        if settings.worker_metrics_port is not None:
            await runner.setup()
            await web.TCPSite(
                runner, settings.worker_metrics_host, settings.worker_metrics_port
            ).start()
        log.info("worker_started", pid=os.getpid(), metrics_port=settings.worker_metrics_port)
        yield
    finally:
        await runner.cleanup()
        await process_stats.stop()


def _endpoint(
    settings: Settings, page: MetricsPage
) -> Callable[[web.BaseRequest], Awaitable[web.Response]]:
    async def answer(request: web.BaseRequest) -> web.Response:
        """`/metrics` and `/healthz`; nothing else is here."""
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        match request.path:
            case "/healthz":
                return web.json_response({"status": "ok"})
            case "/metrics" if not may_scrape(
                request.headers.get("Authorization"), token=settings.metrics_token
            ):
                return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
            case "/metrics":
                return web.Response(body=await page.render(), headers={"Content-Type": MEDIA_TYPE})
        return web.Response(status=404)

    return answer
