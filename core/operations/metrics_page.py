"""The metrics page: all metrics with the state of servers and queues, cached for seconds."""

import asyncio
import hmac
import platform
import time
from dataclasses import dataclass, field

import redis.asyncio as redis

from core.foundation.clock import now
from core.foundation.observability import metrics
from core.foundation.observability.metrics import ReadGauge
from core.foundation.version import own_version
from core.operations.cell_states import CellStatus, measure_cells
from core.operations.queues import Backlog, measure_queues

CACHE_TTL = 5.0
"""However often somebody scrapes, the database is asked no more often than this."""
PROBE_TIMEOUT = 2.0

DATABASE_UP = ReadGauge("svc_database_up", "1: PostgreSQL answered within two seconds.")
REDIS_UP = ReadGauge("svc_redis_up", "1: Redis answered within two seconds.")
DUE = ReadGauge("svc_queue_due", "Rows that wait to be done now, counted up to 100000.", ("queue",))
OLDEST = ReadGauge(
    "svc_queue_oldest_seconds", "For how long the oldest of them has been due.", ("queue",)
)
CELL_UP = ReadGauge(
    "svc_cell_up", "1: the database of this cell answered within two seconds.", ("cell",)
)
CELL_DUE = ReadGauge(
    "svc_cell_queue_due", "As svc_queue_due, of a cell besides the home.", ("cell", "queue")
)
CELL_OLDEST = ReadGauge(
    "svc_cell_queue_oldest_seconds",
    "As svc_queue_oldest_seconds, of a cell besides the home.",
    ("cell", "queue"),
)
BUILD = ReadGauge(
    "svc_build_info", "1, with the version of the service and of Python.", ("version", "python")
)


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """What was found. Without a database nothing is known of the queues."""

    database: bool
    redis: bool
    queues: list[Backlog] = field(default_factory=list)
    cells: list[CellStatus] = field(default_factory=list)


class MetricsPage:
    """Looks at most once every few seconds, however many ask."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client
        self._lock = asyncio.Lock()
        self._seen: ServiceStatus | None = None
        self._fresh_until = 0.0

    async def status(self) -> ServiceStatus:
        """What holds now, or did a few seconds ago."""
        async with self._lock:  # several scrapes at once share one look
            if self._seen is None or time.monotonic() >= self._fresh_until:
                queues, alive, cells = await asyncio.gather(
                    _queues(), _answers(self._redis), _cells()
                )
                self._seen = ServiceStatus(queues is not None, alive, queues or [], cells)
                self._fresh_until = time.monotonic() + CACHE_TTL
            return self._seen

    async def render(self) -> bytes:
        """All metrics, in the media type `metrics.MEDIA_TYPE`. Never fails for what is away."""
        status = await self.status()
        # In a thread: a long page would hold up requests for milliseconds.
        return await asyncio.to_thread(metrics.as_page, _readings(status))


async def _queues() -> list[Backlog] | None:
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            return await measure_queues(at=now())
    except Exception:  # the page says so by svc_database_up
        return None


async def _cells() -> list[CellStatus]:
    try:
        async with asyncio.timeout(PROBE_TIMEOUT + 1):
            return await measure_cells(at=now())
    except Exception:  # the home has the list of them
        return []


async def _answers(client: "redis.Redis") -> bool:
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            await client.ping()
    except Exception:
        return False
    return True


def _readings(status: ServiceStatus) -> metrics.Readings:
    return {
        DATABASE_UP: {(): float(status.database)},
        REDIS_UP: {(): float(status.redis)},
        DUE: {(queue.queue,): float(queue.due) for queue in status.queues},
        OLDEST: {(queue.queue,): queue.oldest_seconds for queue in status.queues},
        CELL_UP: {(cell.name,): float(cell.is_up) for cell in status.cells},
        CELL_DUE: {
            (cell.name, queue.queue): float(queue.due)
            for cell in status.cells
            for queue in cell.queues
        },
        CELL_OLDEST: {
            (cell.name, queue.queue): queue.oldest_seconds
            for cell in status.cells
            for queue in cell.queues
        },
        BUILD: {(own_version(), platform.python_version()): 1.0},
    }


def may_scrape(authorization: str | None, *, token: str | None) -> bool:
    """Whether a request with this header may read the page; `token` is SVC_METRICS_TOKEN, and
    without one everybody may.
    """
    if token is None:
        return True
    return hmac.compare_digest((authorization or "").encode(), f"Bearer {token}".encode())
