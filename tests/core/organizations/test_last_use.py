"""When a credential was last used: to the minute, and beside the requests."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module

import pytest

from core.cells import HOME
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Unauthorized
from core.organizations import ApiKey, authenticate, clear_credential_cache, last_use
from core.organizations.last_use import note_use, write_last_uses
from core.organizations.models import Session
from tests.factories.accounts import a_session
from tests.factories.organizations import a_key
from tests.support.races import outside

authentication = import_module("core.organizations.authenticate")

AT = datetime.fromisoformat("2030-05-04T10:20:42.123456+00:00")
MINUTE = AT.replace(second=0, microsecond=0)

Noted = list[tuple[str, str, datetime]]


class Clock:
    """Wall and monotonic clock of `authenticate`, set by hand."""

    at = AT

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    clear_credential_cache()
    monkeypatch.setattr(authentication, "real_now", clock.now)
    monkeypatch.setattr(authentication, "time", clock)
    yield clock
    clear_credential_cache()


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    """The uses that `authenticate` notes."""
    noted: Noted = []

    def note(kind: str, id: str, *, at: datetime) -> None:
        noted.append((kind, id, at))

    monkeypatch.setattr(authentication, "note_use", note)
    return noted


# What is noted


@pytest.mark.usefixtures("clean_slate")
async def test_a_use_is_noted_once_a_minute(clock: Clock, noted: Noted) -> None:
    key = await a_key()
    [stored] = await ApiKey.all()
    for _ in range(3):
        await authenticate(key, request_id=None)
    assert noted == [("key", stored.id, AT)]

    await ApiKey.all().update(last_used_at=MINUTE)  # as the writer does
    clock.at = MINUTE + timedelta(seconds=59)
    await authenticate(key, request_id=None)
    assert len(noted) == 1

    clock.at = MINUTE + timedelta(seconds=60)
    await authenticate(key, request_id=None)
    assert len(noted) == 1, "it is remembered for two seconds"
    clock.at = MINUTE + timedelta(seconds=61)
    await authenticate(key, request_id=None)
    assert noted[1:] == [("key", stored.id, MINUTE + timedelta(seconds=61))]


@pytest.mark.usefixtures("clean_slate")
async def test_a_use_that_could_not_be_written_is_noted_again(clock: Clock, noted: Noted) -> None:
    key = await a_key()
    await authenticate(key, request_id=None)

    clock.at += timedelta(seconds=2)
    await authenticate(key, request_id=None)

    assert len(noted) == 2


@pytest.mark.usefixtures("clean_slate")
async def test_what_is_refused_is_no_use(clock: Clock, noted: Noted) -> None:
    key = await a_key()
    await ApiKey.all().update(ips=["203.0.113.0/24"])
    with pytest.raises(Unauthorized):
        await authenticate(key, request_id=None, address="198.51.100.1")
    assert noted == []

    await authenticate(key, request_id=None, address="203.0.113.1")

    assert len(noted) == 1


@pytest.mark.usefixtures("clean_slate", "at_once")
async def test_the_use_of_a_session_is_noted_too(clock: Clock, noted: Noted) -> None:
    token = await a_session()
    earlier = AT - timedelta(hours=1)
    await Session.all().update(
        created_at=earlier, last_used_at=earlier, expires_at=AT + timedelta(hours=11)
    )

    await authenticate(token, request_id=None)

    assert noted == [("session", (await Session.get()).id, AT)]


# What is written


@pytest.mark.usefixtures("clean_slate")
async def test_the_minute_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    await a_key()
    [key] = await ApiKey.all()

    note_use("key", key.id, at=AT)
    await write_last_uses()

    await key.refresh_from_db()
    assert key.last_used_at == MINUTE


@pytest.mark.usefixtures("clean_slate", "at_once")
async def test_a_session_moves_its_end_with_its_use() -> None:
    await a_session()
    at = AT - timedelta(hours=3)
    await Session.all().update(created_at=at, last_used_at=at, expires_at=at + timedelta(hours=12))

    note_use("session", (await Session.get()).id, at=AT)
    await write_last_uses()

    session = await Session.get()
    assert (session.last_used_at, session.expires_at) == (MINUTE, AT + timedelta(hours=12))


@pytest.mark.usefixtures("clean_slate")
async def test_an_older_use_does_not_overwrite_a_newer_one() -> None:
    await a_key()
    [key] = await ApiKey.all()
    await ApiKey.all().update(last_used_at=MINUTE)

    note_use("key", key.id, at=AT - timedelta(minutes=5))
    await write_last_uses()

    await key.refresh_from_db()
    assert key.last_used_at == MINUTE


@pytest.mark.usefixtures("clean_slate")
async def test_many_uses_become_one_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        await a_key()
    keys = await ApiKey.all()
    written: list[str] = []
    execute = db.execute

    async def counted(sql: str, *values: object) -> int:
        written.append(sql)
        return await execute(sql, *values)

    monkeypatch.setattr(db, "execute", counted)
    for key in keys * 2:
        note_use("key", key.id, at=AT)
    await write_last_uses()
    await write_last_uses()

    assert len(written) == 1
    assert {key.last_used_at for key in await ApiKey.all()} == {MINUTE}


@pytest.mark.usefixtures("real_commits")
async def test_a_use_is_written_without_anybody_waiting_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(last_use, "GATHER_INTERVAL", 0.0)
    key = await a_key()

    async with transaction():  # of the request: the note must not live or die with it
        await authenticate(key, request_id=None)
        assert last_use._writers
        await last_use._writers[HOME]

    assert (await ApiKey.get()).last_used_at is not None


@pytest.mark.usefixtures("real_commits")
async def test_processes_do_not_wait_for_each_others_notes() -> None:
    await a_key()
    [key] = await ApiKey.all()
    async with transaction():
        await db.execute("UPDATE api_keys SET last_used_at = $1", MINUTE)
        note_use("key", key.id, at=AT + timedelta(minutes=1))

        await asyncio.wait_for(outside(write_last_uses()), 10)

    await key.refresh_from_db()
    assert key.last_used_at == MINUTE


@pytest.mark.usefixtures("clean_slate")
async def test_a_database_that_is_away_loses_a_note_and_no_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def away(*_: object) -> int:
        raise ConnectionError("away")

    key = await a_key()
    monkeypatch.setattr(last_use, "GATHER_INTERVAL", 0.0)
    monkeypatch.setattr(db, "execute", away)

    assert (await authenticate(key, request_id=None)).env == "test"
    assert last_use._writers
    await last_use._writers[HOME]
