"""Floods of requests: some connections, each of which asks again as soon as it is answered."""

import asyncio
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlencode

import orjson

from bench.floods.run import Flood
from bench.kit.http import content_length, request_bytes
from bench.kit.load import UnexpectedAnswer
from bench.kit.organizations import Customer
from bench.kit.sends import recipient
from bench.kit.sends import sends as service_sends
from bench.segment_preview import FILTERS

CONNECTIONS = 16
FEW_CONNECTIONS = 4
"""Of requests that are a second's work each."""
LINES = 10_000
IMPORTS = 4
"""Different ones, again and again."""
RECIPIENTS = 1_000

DASHBOARD = """query ($from: DateTime!, $to: DateTime!) {
  messageStats(from: $from, to: $to, bucket: DAY, groupBy: [CHANNEL]) { totals { sent delivered } points { at sent } }
  contacts(first: 50) { totalCount nodes { id name messages(first: 5) { nodes { id status } } } }
}"""


async def sends(flood: Flood) -> None:
    """Single SMS."""
    await _flood(flood, sends_of(flood), CONNECTIONS)


async def bulk(flood: Flood) -> None:
    """Batches of 1,000 messages."""
    await _flood(
        flood, (_post(flood, "/messages/bulk", _batch(flood, n)) for n in count()), FEW_CONNECTIONS
    )


async def imports(flood: Flood) -> None:
    """Imports of 10,000 contacts: new ones at first, then those that are there already."""
    await _import(flood, "loja")


async def refused_imports(flood: Flood) -> None:
    """Imports of 10,000 contacts whose externalIds are those of others: each line is refused."""
    await _import(flood, "crm")


async def _import(flood: Flood, system: str) -> None:
    bodies = [
        orjson.dumps({"contatos": [_line(turn * LINES + n, system) for n in range(LINES)]})
        for turn in range(IMPORTS)
    ]
    requests = (_request(flood, "/contacts/import", bodies[n % len(bodies)]) for n in count())
    await _flood(flood, requests, FEW_CONNECTIONS)


async def dashboards(flood: Flood) -> None:
    """Heavy questions over GraphQL."""
    to = datetime.now(UTC)
    variables = {"from": (to - timedelta(days=90)).isoformat(), "to": to.isoformat()}
    page = _post(flood, "/graphql", {"query": DASHBOARD, "variables": variables})
    await _flood(flood, (page for _ in count()), CONNECTIONS)


async def exports(flood: Flood) -> None:
    """Pages of 1,000 exported messages."""
    period = urlencode(
        {"from": "2026-01-01T00:00:00Z", "to": "2026-01-31T00:00:00Z", "limit": 1_000}
    )
    page = _request(flood, f"/v2/exports/whatsapp?{period}", b"", method="GET")
    await _flood(flood, (page for _ in count()), CONNECTIONS)


async def previews(flood: Flood) -> None:
    """Segments that have to look at every contact."""
    page = _post(
        flood, "/v2/segments/preview", {"filters": FILTERS["part of a text, range, any tag"]}
    )
    await _flood(flood, (page for _ in count()), CONNECTIONS)


def sends_of(flood: Flood) -> Iterator[bytes]:
    """Endless single sends of the large customer."""
    return service_sends([Customer("", flood.key)], run=f"flood {os.getpid()}")


async def _flood(flood: Flood, requests: Iterator[bytes], connections: int) -> None:
    async with asyncio.TaskGroup() as all_connections:
        for _ in range(connections):
            all_connections.create_task(_ask(flood, requests))


async def _ask(flood: Flood, requests: Iterator[bytes]) -> None:
    """One connection. A refusal (429, 503) is an answer: it is what an overloaded service says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", flood.port)
    try:
        while True:
            writer.write(next(requests))
            flood.begun.set()
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(content_length(head))
            status = int(head[9:12])
            if status < 300:
                flood.done += 1
            elif status in (429, 503):
                await asyncio.sleep(0.05)
            else:
                raise UnexpectedAnswer(body.decode("utf-8", "replace")[:600])
    finally:
        writer.close()


def _post(flood: Flood, path: str, body: dict[str, Any]) -> bytes:
    return _request(flood, path, orjson.dumps(body))


def _request(flood: Flood, path: str, body: bytes, *, method: str = "POST") -> bytes:
    headers = {"Authorization": f"Bearer {flood.key}", "Content-Type": "application/json"}
    return request_bytes(method, path, headers, body)


def _batch(flood: Flood, number: int) -> dict[str, Any]:
    first = number * RECIPIENTS
    return {
        "numberId": flood.number_id,
        "templateId": flood.template_id,
        "recipients": [
            {"to": recipient(first + n), "templateVars": ["Ana"]} for n in range(RECIPIENTS)
        ],
    }


def _line(number: int, system: str) -> dict[str, Any]:
    return {
        "phone": recipient(number),
        "name": f"Cliente {number}",
        "tags": ["cliente"],
        "externalId": f"{system}-{number}",
    }
