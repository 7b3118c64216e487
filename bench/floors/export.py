"""The least that a page of an export can cost: one statement in which PostgreSQL writes the JSON,
and nothing else.
"""

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import asyncpg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.floors.page import ORGANIZATION, TIME
from core.foundation.database.address import credentials_of
from core.foundation.settings import current

PATH = "/page"
BEHIND = "behind"
"""The parameter that says before which instant the page's messages were created."""

_BRANCH = """
(SELECT * FROM messages WHERE organization_id = $1 AND env = 'test' AND channel = '%s' AND created_at < $2
 ORDER BY created_at DESC, id DESC LIMIT 1000)
"""

# The same leaves as the service's answer; phones as they are, since this floor masks nothing.
STATEMENT = f"""
SELECT json_build_object('items', json_agg(json_strip_nulls(json_build_object(
    'id', m.id, 'channel', channel, 'direction', direction, 'to', recipient, 'status', status,
    'createdAt', {TIME.format("m.created_at")}, 'campaignId', campaign_id, 'contactId', contact_id,
    'contactExternalId', c.external_id, 'metadata', metadata, 'sentAt', {TIME.format("sent_at")},
    'deliveredAt', {TIME.format("delivered_at")}, 'readAt', {TIME.format("read_at")},
    'failedAt', {TIME.format("failed_at")}, 'reason', reason))))::text
FROM (SELECT * FROM ({_BRANCH % "whatsapp"} UNION ALL {_BRANCH % "instagram"}) b
      ORDER BY created_at DESC, id DESC LIMIT 1000) m
LEFT JOIN contacts c ON c.id = m.contact_id
"""


def create_app() -> Starlette:
    """A new application; uvicorn calls this."""
    return Starlette(routes=[Route(PATH, page), Route("/readyz", ready)], lifespan=lifespan)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """As many connections as the service has, planned as its are, and the same rest from the
    collector.
    """
    settings = current()
    size = settings.database_pool
    async with asyncpg.create_pool(
        **credentials_of(settings.database_url),
        min_size=size,
        max_size=size,
        reset=_no_reset,
        server_settings={"plan_cache_mode": "force_custom_plan", "jit": "off"},
    ) as pool:
        app.state.pool = pool
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        yield


async def page(request: Request) -> Response:
    """The page behind an instant."""
    behind = datetime.fromisoformat(request.query_params[BEHIND])
    text = await request.app.state.pool.fetchval(STATEMENT, os.environ[ORGANIZATION], behind)
    return Response(text, media_type="application/json")


async def ready(request: Request) -> Response:
    """Started."""
    return Response()


async def _no_reset(connection: "asyncpg.Connection[Any]") -> None:
    """The service's pool does not reset either."""
