"""An API process under its operator's eyes: it counts, writes a line per request, and hears when it
is to stop.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import redis.asyncio as redis
import structlog
from starlette.applications import Starlette

from core.foundation.observability import metrics
from core.foundation.settings import Settings
from core.operations import MetricsPage, ProcessStats
from rest_api.server import folder_of_counts
from rest_api.support import access_log

log = structlog.get_logger()


@asynccontextmanager
async def observed(
    app: Starlette, settings: Settings, client: "redis.Redis"
) -> AsyncIterator[None]:
    """For as long as the application serves. The database is open."""
    folder = folder_of_counts()
    if folder is not None:
        metrics.share(Path(folder))
    access_log.start(level=settings.log_level, slow_seconds=settings.slow_request_seconds)
    app.state.metrics_page = MetricsPage(client)
    process_stats = ProcessStats()
    process_stats.start()
    log.info("api_started", pid=os.getpid())
    try:
        yield
    finally:
        await process_stats.stop()
        metrics.stop_sharing()
        access_log.stop()
        log.info("api_stopped", pid=os.getpid())
