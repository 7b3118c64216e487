"""Received files are fetched once, again after a failure, and not for ever."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from core import media, messaging
from core.conversations import inbound, reconcile
from core.foundation import pubsub
from core.foundation.clock import now
from core.foundation.database import db
from tests.factories.conversations_inbound import an_inbound
from tests.factories.organizations import a_caller

FILE: dict[str, Any] = {"type": "media", "payload": {"kind": "image", "media": {"id": "1042"}}}


@pytest.fixture
async def message(clean_slate: None) -> str:
    """A received message with a file."""
    id: str = (await an_inbound(await a_caller(), **FILE))["id"]
    return id


class Store:
    """Whoever fetches: it fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.asked: list[str] = []
        self._failures = failures

    async def store_inbound(self, id: str) -> None:
        self.asked.append(id)
        if len(self.asked) <= self._failures:
            raise OSError("away")


def fetching(monkeypatch: pytest.MonkeyPatch, failures: int = 0) -> Store:
    store = Store(failures)
    monkeypatch.setattr(media, "store_inbound", store.store_inbound)
    return store


async def due() -> Any:
    return await db.fetchval("SELECT settle_at FROM messages")


async def test_a_file_is_fetched_once(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = fetching(monkeypatch)
    assert await inbound.fetch_received(at=now()) == 1
    assert await inbound.fetch_received(at=now() + timedelta(days=2)) == 0
    assert store.asked == [message]
    assert await due() is None


def notices(monkeypatch: pytest.MonkeyPatch) -> list[pubsub.Notice]:
    """What those who look on are told from now on."""
    told: list[pubsub.Notice] = []

    async def publish(notices: Iterable[pubsub.Notice]) -> None:
        told.extend(notices)

    monkeypatch.setattr(pubsub, "publish", publish)
    return told


async def test_who_looks_on_is_told_once_the_copy_is_kept(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    id: str = (await an_inbound(caller, **FILE))["id"]
    told = notices(monkeypatch)
    copy = {"key": "a", "mimeType": "image/png", "size": 1, "storedAt": "2026-11-27T12:00:00.000Z"}

    kept = [await messaging.keep_copy(caller, id, copy, error=None, at=now()) for _ in range(2)]

    assert kept == [True, False]
    assert [(one.topic, one.organization_id, one.id) for one in told] == [
        (pubsub.Topic.MESSAGE, caller.organization_id, id)
    ]


async def test_a_failure_is_tried_again(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, at = fetching(monkeypatch, failures=1), now()
    await inbound.fetch_received(at=at)
    assert await inbound.fetch_received(at=at) == 0
    assert await inbound.fetch_received(at=at + timedelta(minutes=1)) == 1
    assert store.asked == [message, message]
    assert await due() is None


async def test_after_a_day_nobody_looks_any_more_and_who_looks_on_is_told(
    message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, at, told = fetching(monkeypatch, failures=1_000), now(), notices(monkeypatch)
    for minutes in range(0, 3 * 24 * 60, 10):
        await inbound.fetch_received(at=at + timedelta(minutes=minutes))
    assert 8 <= len(store.asked) <= 16
    assert await due() is None
    assert (
        await db.fetchval("SELECT last_error FROM messages")
        == "The file could not be fetched within 24 hours."
    )
    assert [(one.topic, one.id) for one in told] == [(pubsub.Topic.MESSAGE, message)]


@pytest.mark.usefixtures("message")
async def test_the_sweep_of_sent_messages_leaves_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    store = fetching(monkeypatch)
    await reconcile(at=now() + timedelta(hours=1))
    assert await due() is not None
    await inbound.fetch_received(at=now())
    assert len(store.asked) == 1
