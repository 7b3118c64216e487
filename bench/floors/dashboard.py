"""The least that the dashboard's page can cost: one statement in which PostgreSQL writes the JSON,
on bare ASGI.
"""

import gc
import os
from collections.abc import MutableMapping
from typing import Any

import asyncpg

from bench.floors.page import ORGANIZATION, TIME, Receive, Send
from core.foundation.database.address import credentials_of
from core.foundation.settings import current

PATH = "/page"
PATH_WITH_TOTAL = "/page-with-total"
TAG = "vip"
CONTACTS = 50
MESSAGES = 5

_MATCHING = "FROM contacts WHERE organization_id = $1 AND env = 'test' AND tags @> ARRAY[$2::text]"

# The same leaves under the same names as the gateway's answer; phones as they are, since this floor
# masks nothing. `row_to_json` writes fewer bytes than `json_build_object`; either is twice as fast
# as their jsonb namesakes.
_STATEMENT = f"""
SELECT json_build_object('data', json_build_object('contacts', json_build_object(
    %s'nodes', coalesce(json_agg(row_to_json(contact)), '[]'))))::text
FROM (
    SELECT page.id, page.name, page.phone, page.email, page.tags, {TIME.format("page.created_at")} AS "createdAt",
        json_build_object('status', upper(page.opt_in_status)) AS "optIn",
        (SELECT row_to_json(company) FROM (
            SELECT id, name AS nome, site FROM companies
            WHERE organization_id = $1 AND env = 'test' AND id = page.company_id) AS company) AS company,
        (SELECT json_build_object('nodes', coalesce(json_agg(row_to_json(message)), '[]')) FROM (
            SELECT id, upper(channel) AS channel, upper(status) AS status, recipient AS to,
                {TIME.format("created_at")} AS "createdAt", {TIME.format("delivered_at")} AS "deliveredAt"
            FROM messages WHERE organization_id = $1 AND env = 'test' AND contact_id = page.id
            ORDER BY created_at DESC, id DESC LIMIT {MESSAGES}) AS message) AS messages
    FROM (SELECT id, name, phone, email, tags, created_at, opt_in_status, company_id {_MATCHING}
          ORDER BY created_at DESC, id DESC LIMIT {CONTACTS}) AS page) AS contact
"""
STATEMENTS = {
    PATH: _STATEMENT % "",
    PATH_WITH_TOTAL: _STATEMENT % f"'totalCount', (SELECT count(*) {_MATCHING}), ",
}


class Floor:
    """A bare ASGI application with a pool."""

    def __init__(self) -> None:
        self._pool: asyncpg.Pool | None = None
        self._organization = os.environ[ORGANIZATION]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        assert self._pool is not None
        body = b""
        if statement := STATEMENTS.get(scope["path"]):
            body = (await self._pool.fetchval(statement, self._organization, TAG)).encode()
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
        # Planned anew each time it takes 1.3 ms here; with the generic plan, which knows no tag and
        # sorts all that have one, ten.
        self._pool = await asyncpg.create_pool(
            **credentials_of(settings.database_url),
            min_size=size,
            max_size=size,
            reset=_no_reset,
            server_settings={"plan_cache_mode": "force_custom_plan", "jit": "off"},
        )
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.close()
        await send({"type": "lifespan.shutdown.complete"})


def create_app() -> Floor:
    """A new application; uvicorn calls this."""
    return Floor()


async def _no_reset(connection: "asyncpg.Connection[Any]") -> None:
    """The service's pool does not reset either."""
