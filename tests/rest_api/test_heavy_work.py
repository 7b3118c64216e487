"""A customer whose lists and dashboards hang holds up nobody else, whichever entry point they came
through.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from tortoise.connection import get_connection

from core.foundation import settings
from core.foundation.database import db
from core.foundation.database.bounded_pool import BoundedClient
from core.foundation.database.pages import CEILING
from rest_api.app import OPERATIONS, create_app
from rest_api.support import answers
from rest_api.support.answers import long_lists_written
from tests.factories.organizations import a_key
from tests.support.races import outside
from tests.support.waiting import eventually

MANY = 12

READS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/v2/lists?q=vip", None),
    ("POST", "/graphql", {"query": "{ lists(first: 5) { nodes { id } } }"}),
)


@pytest.fixture
async def rest(real_commits: None) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


@asynccontextmanager
async def lists_locked() -> AsyncIterator[None]:
    """Nobody can read a list of contacts meanwhile."""
    async with (
        db.connected_apart(settings.current().database_url) as connection,
        connection.transaction(),
    ):
        await connection.execute("LOCK TABLE contact_lists IN ACCESS EXCLUSIVE MODE")
        yield


async def stuck(count: int) -> None:
    async def look() -> bool:
        waiting: int = await outside(db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"))
        return waiting == count

    await eventually(look, f"{count} statements wait for the lock", every=0.005)


@pytest.mark.parametrize(("method", "path", "body"), READS, ids=["a list", "a dashboard"])
async def test_while_one_customers_reads_hang_others_read_and_send(
    rest: httpx.AsyncClient, method: str, path: str, body: Any
) -> None:
    heavy = get_connection(db.HEAVY)
    assert isinstance(heavy, BoundedClient)
    assert heavy.each is not None
    large, small = [{"Authorization": f"Bearer {await a_key()}"} for _ in range(2)]
    assert (await rest.request(method, path, json=body, headers=large)).status_code == 200
    send = {"to": "+5511987650005", "body": "Olá", "route": "premium"}

    async with lists_locked():
        hanging = [
            outside(rest.request(method, path, json=body, headers=large)) for _ in range(MANY)
        ]
        await stuck(heavy.each)

        for headers in (small, large):  # its sends pass as well
            sent = await rest.post(
                "/v2/sms/messages", json=send, headers={**headers, "Idempotency-Key": "k"}
            )
            assert sent.status_code == 201
        assert (await rest.get("/v2/companies?q=padaria", headers=small)).status_code == 200
        question = {"query": "{ companies(first: 5) { nodes { id } } }"}
        assert "errors" not in (await rest.post("/graphql", json=question, headers=small)).json()
        await stuck(heavy.each)

    assert [answer.status_code for answer in await asyncio.gather(*hanging)] == [200] * MANY


@pytest.mark.parametrize(("method", "path", "body"), READS, ids=["a list", "a dashboard"])
async def test_who_waits_too_long_is_told_when_to_come_again(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: Any
) -> None:
    heavy = get_connection(db.HEAVY)
    assert isinstance(heavy, BoundedClient)
    assert heavy.each is not None
    headers = {"Authorization": f"Bearer {await a_key()}"}

    async with lists_locked():
        hanging = [
            outside(rest.request(method, path, json=body, headers=headers))
            for _ in range(heavy.each)
        ]
        await stuck(heavy.each)
        monkeypatch.setattr(heavy, "place_seconds", 0.001)
        refused = await rest.request(method, path, json=body, headers=headers)
    await asyncio.gather(*hanging)

    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "1"
    assert refused.json()["code"] == "SERVICE_UNAVAILABLE"
    assert ("errors" in refused.json()) is (path == "/graphql")


def test_single_sends_and_look_ups_are_not_heavy_and_what_takes_thousands_is() -> None:
    heavy = {f"{one.method} {one.path}" for one in OPERATIONS if one.is_heavy(None)}

    assert not heavy & {
        "POST /v2/sms/messages",
        "POST /messages",
        "POST /v2/email/messages",
        "GET /v2/me",
    }
    assert heavy > {"POST /contacts/import", "POST /v2/companies/import", "POST /messages/bulk"}


def test_a_list_is_heavy_once_it_is_filtered() -> None:
    [listing] = [one for one in OPERATIONS if (one.method, one.path) == ("GET", "/v2/sms/messages")]
    assert listing.query is not None

    assert not listing.is_heavy(listing.query())
    assert not listing.is_heavy(listing.query(limit=5))
    assert listing.is_heavy(listing.query(limit=5, status="sent"))


def test_a_period_that_must_be_asked_for_is_no_filter() -> None:
    [listing] = [one for one in OPERATIONS if (one.method, one.path) == ("GET", "/v2/events")]
    assert listing.query is not None
    period: dict[str, Any] = {"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}

    assert not listing.is_heavy(listing.query(**period, limit=5))
    assert listing.is_heavy(listing.query(**period, name="purchase"))


def test_an_export_is_heavy_where_its_pages_are_longer_than_those_of_lists() -> None:
    [export] = [one for one in OPERATIONS if one.path == "/v2/exports/whatsapp"]
    assert export.query is not None
    period: dict[str, Any] = {"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}

    assert export.is_heavy(export.query(**period))
    assert export.is_heavy(export.query(**period, limit=CEILING + 1))
    assert not export.is_heavy(export.query(**period, limit=CEILING))


@pytest.mark.parametrize("size", [answers.LONG + 1, answers.LONG + answers.SLICE, 1_234])
async def test_long_lists_of_an_answer_are_written_a_slice_at_a_time(size: int) -> None:
    lines = [{"linha": place, "mensagem": "não"} for place in range(size)]
    content = {"criados": 1, "erros": lines, "warnings": [], "more": {"a": [1]}}
    whole = orjson.dumps(content)

    assert await long_lists_written(content) == whole
    assert lines == [], "they are let go of on the way, and not all at the end"


async def test_what_is_short_is_written_with_the_answer() -> None:
    content = {"erros": [1] * answers.LONG}

    assert await long_lists_written(content) is content
