"""The least that taking an SMS in can cost: one row, one commit, one JSON answer, on the same
server and driver.
"""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import asyncpg
import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.database.address import credentials_of
from core.foundation.settings import current

PATH = "/messages"

# The columns that a send fills in `messages`, with no index but the key.
TABLE = """
CREATE TABLE IF NOT EXISTS floor_messages (
    id text PRIMARY KEY, organization_id text, env text, channel text, direction text, status text, route text,
    recipient text, region text, provider text, provider_reference text, encoding text, length int, segments int,
    coins bigint, metadata jsonb, request_id text, created_at timestamptz, sent_at timestamptz, updated_at timestamptz)
"""
INSERT = f"INSERT INTO floor_messages VALUES ({', '.join(f'${place}' for place in range(1, 21))})"


def create_app() -> Starlette:
    """A new application; uvicorn calls this."""
    return Starlette(
        routes=[Route(PATH, insert, methods=["POST"]), Route("/readyz", ready)], lifespan=lifespan
    )


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """As many connections as the service has, as little ado about them, and the same rest from the
    collector.
    """
    settings = current()
    size = settings.database_pool
    async with asyncpg.create_pool(
        **credentials_of(settings.database_url), min_size=size, max_size=size, reset=_no_reset
    ) as pool:
        await pool.execute(TABLE)
        app.state.pool = pool
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        yield


async def insert(request: Request) -> Response:
    """Read JSON, write one row in its own commit, answer JSON."""
    new = orjson.loads(await request.body())
    id, at = f"msg_{token_hex(10)}", datetime.now(UTC)
    await request.app.state.pool.execute(
        INSERT,
        *(
            id,
            "org_of_the_floor",
            "test",
            "sms",
            "outbound",
            "sent",
            new["route"],
            new["to"],
            "BR",
            "svc-sandbox",
        ),
        *(
            f"sbx_{id}",
            "GSM-7",
            len(new["body"]),
            1,
            800,
            orjson.dumps(new["metadata"]).decode(),
            None,
            at,
            at,
            at,
        ),
    )
    answer = {
        "id": id,
        "status": "sent",
        "env": "test",
        "route": new["route"],
        "to": new["to"],
        "provider": "svc-sandbox",
        "encoding": "GSM-7",
        "length": len(new["body"]),
        "segments": 1,
        "createdAt": at,
        "sentAt": at,
        "billing": {"coins": 800},
        "metadata": new["metadata"],
        "replayed": False,
    }
    return Response(orjson.dumps(answer), 201, media_type="application/json")


async def ready(request: Request) -> Response:
    """The lifespan has begun, so the pool is open."""
    return Response()


async def _no_reset(connection: "asyncpg.Connection[Any]") -> None:
    """The service's pool does not reset either."""
