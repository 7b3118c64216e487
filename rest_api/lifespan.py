"""What an API process opens at its start and closes at its end."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette

from core import operations, organizations
from core.foundation import files, http_client, jobs, pubsub
from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.observability import logs
from core.foundation.observability.outage_log import tell_outage
from core.foundation.redis_address import open_redis
from core.foundation.security import rate_limit
from core.foundation.settings import Settings, current
from core.providers import registry
from rest_api.graphql import keep_operations_in
from rest_api.health import DatabaseProbe, FilesProbe
from rest_api.observed import observed
from rest_api.stopping import Stopping
from rest_api.support.deadlines import deadlines
from rest_api.wake_ups import ArqQueue

TRY_AGAIN_SECONDS = 1.0


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the database and Redis; a Redis that is down does not keep the API from starting."""
    settings = current()
    logs.configure(settings.log_level, settings.log_format)
    deadlines.seconds = settings.request_seconds
    app.state.stopping.listen(notice=settings.drain_notice_seconds)
    await _open_database(settings, app.state.stopping)
    await operations.tell_another_hash_key()
    await registry.open_providers(settings)
    # Sends take their allowance from it: one that hangs must not hold them up.
    client = open_redis(settings.redis_url, seconds=0.5, answer_seconds=0.5)
    app.state.redis = client
    app.state.database, app.state.files = DatabaseProbe(), FilesProbe()
    rate_limit.use_buckets(rate_limit.RedisBuckets(client))
    keep_operations_in(client)
    queue = ArqQueue(settings.redis_url)
    jobs.use_queue(queue)
    publisher, hub = pubsub.Publisher(client), pubsub.Hub(settings.redis_url)
    pubsub.use_publisher(publisher)
    pubsub.use_hub(hub)
    spare_the_collector()
    try:
        async with observed(app, settings, client):
            yield
    finally:
        pubsub.use_publisher(None)
        await publisher.close()
        pubsub.use_hub(None)
        await hub.close()
        jobs.use_queue(None)
        await queue.close()
        await http_client.close_clients()
        await files.close_blob_store()
        keep_operations_in(None)
        await client.aclose()
        await registry.close_providers()
        with suppress(Exception):  # a database that is away keeps nobody from stopping
            await organizations.write_last_uses()
        await db.close_database()


async def _open_database(settings: Settings, stopping: Stopping) -> None:
    """Open it, or wait for it: one of several processes that begins anew during an outage must not
    end the others.
    """
    while True:
        try:
            await db.open_database(settings)
        except Exception as error:
            if stopping.told or not is_outage(error):
                raise
            tell_outage("database_away", error)
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        else:
            return


def spare_the_collector() -> None:
    """Take what start-up made out of the cyclic collector's sight and let it run more rarely.

    Its pauses were the slowest requests of a Python server; requests themselves leave few cycles
    behind. Young objects are looked at two thousand at a time, which takes about 1.5 ms, and those
    that survived almost never: during an import they are hundreds of thousands, without a cycle.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5_000, 10)
