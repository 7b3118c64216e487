"""What a subscriber is told of messages, notice by notice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from core.foundation import pubsub
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.pubsub import subscriber
from core.foundation.security.caller import Caller
from core.read_models.live import messages, messages_changed
from core.read_models.query_compiler import Selection
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message

pytestmark = pytest.mark.usefixtures("clean_slate")


class Telling:
    """A hub whose one listener hears what the test says, burst by burst."""

    def __init__(self) -> None:
        self.listener = pubsub.NoticeListener(lambda _: True, lambda _: None)
        self.streams: list[Any] = []

    @asynccontextmanager
    async def listening(self, *_: str, **__: Any) -> AsyncIterator[pubsub.NoticeListener]:
        yield self.listener

    async def changes(self, caller: Caller) -> AsyncIterator[dict[str, Any]]:
        """What a subscriber is told who asks for ids alone."""
        stream = await messages_changed(caller, {}, Selection({"id": None}), cut_off=lambda _: None)
        self.streams.append(stream)
        return stream

    def notice(self, *ids: str) -> None:
        self.listener.offer([pubsub.ReceivedNotice(pubsub.Topic.MESSAGE, id, {}) for id in ids])


@pytest.fixture
async def telling(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Telling]:
    monkeypatch.setattr(subscriber, "MIN_BURST_INTERVAL_SECONDS", 0)
    telling = Telling()
    before = subscriber._hub
    pubsub.use_hub(telling)  # type: ignore[arg-type]
    yield telling
    for stream in telling.streams:
        await stream.aclose()
    pubsub.use_hub(before)


async def changed(id: str, **columns: Any) -> None:
    names = ", ".join(f"{name} = ${place}" for place, name in enumerate(columns, 2))
    await db.execute(
        f"UPDATE messages SET {names}, updated_at = updated_at + interval '1 ms' WHERE id = $1",
        id,
        *columns.values(),
    )


async def test_two_notices_that_are_read_late_tell_a_message_once(telling: Telling) -> None:
    caller = await a_caller()
    first, second = [await stored_message(caller, now(), status="sent") for _ in range(2)]
    told = await telling.changes(caller)
    telling.notice(first)
    assert (await anext(told))["id"] == first

    telling.notice(first, second)

    assert (await anext(told))["id"] == second


@pytest.mark.parametrize(
    "change", [{"status": "delivered"}, {"replaced_by": "msg_000000000000000000001"}]
)
async def test_whatever_changes_after_a_message_was_told_is_told(
    telling: Telling, change: dict[str, str]
) -> None:
    caller = await a_caller()
    id = await stored_message(caller, now(), status="failed")
    told = await telling.changes(caller)
    telling.notice(id)
    await anext(told)

    await changed(id, **change)
    telling.notice(id)

    assert (await anext(told))["id"] == id


async def test_a_message_that_comes_back_to_a_status_is_told_again(telling: Telling) -> None:
    caller = await a_caller()
    id = await stored_message(caller, now(), status="queued")
    told = await telling.changes(caller)
    for status in ("sending", "queued", "sending"):
        await changed(id, status=status)
        telling.notice(id)
        assert (await anext(told))["status"] == status


async def test_only_so_many_messages_are_remembered(
    telling: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "REMEMBERED", 1)
    caller = await a_caller()
    first, second = [await stored_message(caller, now(), status="sent") for _ in range(2)]
    told = await telling.changes(caller)
    for id in (first, second, first):
        telling.notice(id)
        assert (await anext(told))["id"] == id
