"""The worker's loop that reads the log groups of SNS: one worker at a time, from where the last one
was.

Lines are read again for ten minutes, since some come late; applying one twice changes nothing.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

import aiohttp
import structlog

from core import messaging
from core.cells import every_cell, use_cell
from core.foundation.batches import Batches
from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.foundation.settings import Settings, current
from core.providers.amazon import SNS
from core.providers.amazon.calls import LOGS_API, AwsApi, AwsError
from core.providers.amazon.log_lines import LoggedOutcome, LogLine, read_line, read_page
from core.providers.amazon.opening import api_for
from core.providers.contracts import DeliveryReport
from core.providers.gateway.session import open_session
from core.sms.amazon.apply import TOLD, owners_here
from core.sms.amazon.costs import KnownCost, write_costs
from core.sms.amazon.models import ProviderCursor

POLL_INTERVAL = timedelta(seconds=15)
OVERLAP_MS = 10 * 60 * 1000
MAX_PAGES = 50
"""Pages of a group in one round; the next one goes on."""
MAX_REST_SECONDS = 300.0
SEEN_BYTES = 10_000_000

log = structlog.get_logger()


class AmazonLogs:
    """Reads the groups of SVC_SNS_LOG_GROUPS until told to stop; rests where none is set."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._applied: BoundedCache[str, bool] = BoundedCache(
            max_bytes=SEEN_BYTES, weigh=lambda line, _: 100 + len(line)
        )

    def wake(self) -> None:
        """Look now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches) -> None:
        """Look every 15 seconds; more seldom while Amazon asks for it."""
        settings = current()
        if settings.sns_region is None or not settings.sns_log_groups:
            await stop.wait()
            return
        rest = POLL_INTERVAL.total_seconds()
        async with open_session() as session:
            api = logs_of(settings, session)
            while not stop.is_set():
                self._woken.clear()
                started = time.perf_counter()
                try:
                    batches.done(await self.read(api, settings.sns_log_groups), started=started)
                    rest = POLL_INTERVAL.total_seconds()
                except AwsError as error:
                    tell_outage("amazon_logs_away", error)
                    rest = min(2 * rest, MAX_REST_SECONDS)
                await pause(rest, until=self._woken)

    async def read(self, api: AwsApi, groups: Sequence[str]) -> int:
        """Read the groups whose turn it is. Answers how many lines were applied. Raises AwsError."""
        applied = 0
        for group in groups:
            position = await claim(group, at=now())
            if position is not None:
                applied += await self._read_group(api, group, position)
        return applied

    async def _read_group(self, api: AwsApi, group: str, position: int) -> int:
        applied, token, reached = 0, None, position
        for _ in range(MAX_PAGES):
            lines, token = await read_page(api, group, since=position - OVERLAP_MS, token=token)
            fresh = [line for line in lines if line.id not in self._applied]
            done = await apply_lines(fresh, at=now())
            for line in done:
                self._applied.put(line.id, True)
            applied += len(done)
            if lines:
                reached = max(reached, *(line.ingested for line in lines))
                await move(group, reached, at=now())
            if token is None:
                break
        return applied


def logs_of(settings: Settings, session: aiohttp.ClientSession) -> AwsApi:
    """CloudWatch Logs in the region of SNS."""
    assert settings.sns_region is not None
    return api_for(LOGS_API, settings.sns_region, session)


async def apply_lines(lines: Sequence[LogLine], *, at: datetime) -> list[LogLine]:
    """Apply what the lines say of messages of ours. Answers these lines; the others may be early."""
    read = [(line, found) for line in lines if (found := read_line(line.text, arrived=at))]
    applied: list[LogLine] = []
    for cell in await every_cell() if read else []:
        with use_cell(cell):
            applied += await _apply_here(read, at)
    return applied


async def _apply_here(read: Sequence[tuple[LogLine, LoggedOutcome]], at: datetime) -> list[LogLine]:
    """Those about messages of the current cell."""
    owners = await owners_here(SNS, {found.reference for _, found in read})
    known = [(line, found) for line, found in read if found.reference in owners]
    if not known:
        return []
    reports: dict[str, list[DeliveryReport]] = defaultdict(list)
    for _, found in known:
        reports[owners[found.reference]].append(found.report)
    async with transaction():
        for organization_id in sorted(reports):
            await messaging.receive_reports(organization_id, SNS, reports[organization_id], at=at)
        await _write_costs([found for _, found in known])
    TOLD.labels("applied").add(len(known))
    return [line for line, _ in known]


async def _write_costs(found: Sequence[LoggedOutcome]) -> None:
    costs = {one.reference: one.cost for one in found if one.cost is not None}
    if costs:
        ids = await messaging.ids_of_references(SNS, costs)
        await write_costs(
            SNS, [KnownCost(ids[ref], cost) for ref, cost in costs.items() if ref in ids]
        )


# How far a group was read -------------------------------------------------------------------------


async def claim(group: str, *, at: datetime) -> int | None:
    """Where to read on, for whoever asks first in a while; None: another worker just has."""
    milliseconds = int(at.timestamp() * 1000)
    position: int | None = await db.fetchval(
        CLAIM, SNS, group, milliseconds, at, at - POLL_INTERVAL + timedelta(seconds=1)
    )
    return position


async def move(group: str, position: int, *, at: datetime) -> None:
    """So far the group was read; it never goes back."""
    cursor = ProviderCursor.filter(provider=SNS, name=group, position__lte=position)
    await cursor.update(position=position, updated_at=at)


# A group that nobody has read begins with now: what was sent before is not ours.
CLAIM = """
INSERT INTO provider_cursors (provider, name, position, updated_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (provider, name) DO UPDATE SET updated_at = excluded.updated_at
WHERE provider_cursors.updated_at <= $5
RETURNING position
"""
