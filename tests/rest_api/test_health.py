"""Is it alive, and can it work: what a balancer and a person get told."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from core.foundation.database import db
from core.foundation.database.writable import TakesNoWrites, prove_writable
from rest_api import health
from rest_api.app import Service, create_app
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.support.waiting import eventually


class Redis:
    """A Redis that answers, fails, or never answers."""

    def __init__(self, behaviour: str = "answers") -> None:
        self.behaviour = behaviour

    async def ping(self) -> bool:
        if self.behaviour == "fails":
            raise ConnectionError("Error 111 connecting to 10.1.2.3:6379")
        if self.behaviour == "hangs":
            await asyncio.Event().wait()
        return True


@pytest.fixture
def app() -> Service:
    """An application that has started, with a Redis that answers."""
    app = create_app()
    app.state.redis = Redis()
    app.state.database, app.state.files = health.DatabaseProbe(), health.FilesProbe()
    return app


@pytest.fixture
async def client(app: Service, clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls it without a network; what escapes it fails the test."""
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://svc.test"
    ) as client:
        yield client


async def a_database_that_hangs(*_: Any) -> None:
    await asyncio.Event().wait()


async def a_database_that_is_away(*_: Any) -> None:
    raise ConnectionRefusedError("connect to 10.1.2.3:5432 with password hunter2")


async def test_a_process_that_answers_is_alive(client: httpx.AsyncClient) -> None:
    answer = await client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["content-type"] == "application/json"


async def test_it_is_alive_while_the_database_is_away(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "fetchval", a_database_that_is_away)

    assert (await client.get("/healthz")).status_code == 200


async def test_with_database_schema_and_redis_it_is_ready(client: httpx.AsyncClient) -> None:
    first, second = await client.get("/readyz"), await client.get("/readyz")

    assert [(answer.status_code, answer.json()) for answer in (first, second)] == [
        (200, {"status": "ready"})
    ] * 2


@pytest.mark.parametrize("behaviour", ["fails", "hangs"])
async def test_without_redis_it_is_degraded_and_still_ready(
    app: Service, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 0.05)
    app.state.redis = Redis(behaviour)
    app.state.database = health.DatabaseProbe(schema_is_current=True)

    answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "degraded", "degraded": ["redis"]},
    )
    must_not_hold(answer, ["10.1.2.3"])


async def test_without_a_migration_it_is_not_ready_until_it_is_applied(
    client: httpx.AsyncClient,
) -> None:
    last = await db.fetchrow("DELETE FROM tortoise_migrations WHERE id = (SELECT max(id) FROM tortoise_migrations) "
                             "RETURNING *")  # fmt: skip
    assert last is not None

    answer = await client.get("/readyz")

    assert "svc migrate" in the_problem(answer, 503)["detail"]
    assert answer.headers["retry-after"] == "5"

    names = ", ".join(last.keys())
    places = ", ".join(f"${place}" for place, _ in enumerate(last.values(), 1))
    await db.execute(f"INSERT INTO tortoise_migrations ({names}) VALUES ({places})", *last.values())
    assert (await client.get("/readyz")).json() == {"status": "ready"}


@pytest.mark.parametrize("database", [a_database_that_is_away, a_database_that_hangs])
async def test_without_its_database_it_is_not_ready(
    app: Service, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, database: Any
) -> None:
    app.state.database = health.DatabaseProbe(schema_is_current=True)
    with monkeypatch.context() as patched:
        patched.setattr(health, "CHECK_TIMEOUT", 0.05)
        patched.setattr(db, "fetchval", database)
        answer = await client.get("/readyz")

    assert "database" in the_problem(answer, 503)["detail"]
    assert answer.headers["retry-after"] == "5"
    must_not_hold(answer, ["10.1.2.3", "hunter2", "ConnectionRefused"])
    assert (await client.get("/readyz")).status_code == 200, (
        "it is ready again as soon as the database is back"
    )


async def test_a_question_that_takes_long_to_end_keeps_nobody_waiting_and_is_asked_once(
    app: Service, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = 0, asyncio.Event()

    async def never_ending(*_: Any) -> None:
        nonlocal asked
        asked += 1
        while not answers.is_set():
            with suppress(asyncio.CancelledError):
                await answers.wait()

    app.state.database = health.DatabaseProbe(schema_is_current=True)
    with monkeypatch.context() as patched:
        patched.setattr(health, "CHECK_TIMEOUT", 0.05)
        patched.setattr(db, "fetchval", never_ending)
        refused = [(await client.get("/readyz")).status_code for _ in range(3)]
    answers.set()

    assert (refused, asked) == ([503] * 3, 1)
    await eventually(app.state.database._question.done, "the question ends")
    assert (await client.get("/readyz")).status_code == 200


@pytest.mark.parametrize(
    "setting",
    [
        "SET LOCAL temp_file_limit = '32kB'",  # no room: what a full disk says, without one
        "SET LOCAL transaction_read_only = on",
    ],
)
async def test_a_database_that_takes_no_writes_is_not_ready(
    app: Service, client: httpx.AsyncClient, setting: str
) -> None:
    app.state.database = health.DatabaseProbe(schema_is_current=True)
    await db.execute(setting)

    assert await db.fetchval("SELECT 1") == 1
    answer = await client.get("/readyz")

    assert "takes no writes" in the_problem(answer, 503)["detail"]
    assert answer.headers["retry-after"] == "5"


async def test_that_it_takes_writes_is_believed_for_a_moment_and_that_it_takes_none_is_not(
    app: Service, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved = 0

    async def prove() -> None:
        nonlocal proved
        proved += 1
        if proved == 1:
            raise TakesNoWrites("DiskFullError")

    monkeypatch.setattr(health, "prove_writable", prove)
    monkeypatch.setattr(health, "WRITES_SECONDS", 3_600)
    app.state.database = health.DatabaseProbe(schema_is_current=True)

    assert [(await client.get("/readyz")).status_code for _ in range(4)] == [503, 200, 200, 200]
    assert proved == 2


async def test_without_room_for_files_it_is_degraded_and_still_ready(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("core.foundation.files.partial_uploads.PartialUpload._sync", no_room)
        answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "degraded", "degraded": ["files"]},
    )
    assert (await client.get("/readyz")).json() == {"status": "ready"}


async def test_the_proof_leaves_nothing_behind(clean_slate: None) -> None:
    size = "SELECT pg_database_size(current_database())"
    before = await db.fetchval(size)
    for _ in range(20):
        await prove_writable()
    assert await db.fetchval(size) == before
