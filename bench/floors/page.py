"""The least that a page of messages can cost: one statement in which PostgreSQL writes the JSON, on
bare ASGI.
"""

import gc
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import asyncpg

from core.foundation.database.address import credentials_of
from core.foundation.settings import current

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PATH = "/page"
ORGANIZATION = "BENCH_ORGANIZATION"
"""The environment variable that names whose page it is."""

TIME = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"

# The same fields, the same order, the same exact total; phones as they are, since this floor masks
# nothing.
STATEMENT = f"""
SELECT json_build_object(
    'items', json_agg(json_strip_nulls(json_build_object(
        'id', id, 'status', status, 'env', env, 'to', recipient, 'provider', provider,
        'createdAt', {TIME.format("created_at")}, 'reason', reason, 'route', route, 'encoding', encoding,
        'length', length, 'segments', segments, 'contactId', contact_id, 'campaignId', campaign_id,
        'metadata', metadata, 'sentAt', {TIME.format("sent_at")}, 'deliveredAt', {TIME.format("delivered_at")},
        'failedAt', {TIME.format("failed_at")}, 'providerReceipt', provider_receipt))),
    'total', (SELECT sum(delta) FROM message_counts
              WHERE organization_id = $1 AND env = 'test' AND channel = 'sms' AND direction = 'outbound'))::text
FROM (SELECT * FROM messages
      WHERE organization_id = $1 AND env = 'test' AND channel = 'sms' AND direction = 'outbound'
      ORDER BY created_at DESC, id DESC LIMIT 200) AS page
"""


class Floor:
    """A bare ASGI application with a pool."""

    def __init__(self) -> None:
        self._pool: asyncpg.Pool | None = None
        self._organization = os.environ[ORGANIZATION]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        body = (
            b""
            if scope["path"] == "/readyz"
            else (await self.pool.fetchval(STATEMENT, self._organization)).encode()
        )
        await self.answer(body, send)

    @property
    def pool(self) -> asyncpg.Pool:
        """Its connections, while it runs."""
        assert self._pool is not None
        return self._pool

    async def answer(self, body: bytes, send: Send) -> None:
        """Answer this JSON."""
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        settings = current()
        size = settings.database_pool
        self._pool = await asyncpg.create_pool(
            **credentials_of(settings.database_url), min_size=size, max_size=size, reset=_no_reset
        )
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.pool.close()
        await send({"type": "lifespan.shutdown.complete"})


def create_app() -> Floor:
    """A new application; uvicorn calls this."""
    return Floor()


async def _no_reset(connection: "asyncpg.Connection[Any]") -> None:
    """The service's pool does not reset either."""
