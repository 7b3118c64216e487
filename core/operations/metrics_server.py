"""Metrics of a process that is no API: its statistics, and a small HTTP server for them if it has a port."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import redis.asyncio as redis
from aiohttp import web

from core.foundation.observability.metrics import MEDIA_TYPE
from core.operations.metrics_page import MetricsPage, may_scrape
from core.operations.process_stats import ProcessStats


@asynccontextmanager
async def metrics_server(
    client: "redis.Redis", *, host: str, port: int | None, token: str | None
) -> AsyncIterator[None]:
    """Measure and answer for as long as the process works. The database is open."""
    process_stats = ProcessStats()
    process_stats.start()
    runner = web.ServerRunner(
        web.Server(_endpoint(MetricsPage(client), token), access_log=None), shutdown_timeout=1
    )
    try:
        if port is not None:
            await runner.setup()
            await web.TCPSite(runner, host, port).start()
        yield
    finally:
        await runner.cleanup()
        await process_stats.stop()


def _endpoint(
    page: MetricsPage, token: str | None
) -> Callable[[web.BaseRequest], Awaitable[web.Response]]:
    async def answer(request: web.BaseRequest) -> web.Response:
        """`/metrics` and `/healthz`; nothing else is here."""
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        match request.path:
            case "/healthz":
                return web.json_response({"status": "ok"})
            case "/metrics" if not may_scrape(request.headers.get("Authorization"), token=token):
                return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
            case "/metrics":
                return web.Response(body=await page.render(), headers={"Content-Type": MEDIA_TYPE})
        return web.Response(status=404)

    return answer
