"""A database that goes away while a message is with the platform: what the platform said is not
forgotten.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from core import conversations
from core.conversations.queue import dispatcher as module
from core.conversations.queue import hand_over
from core.conversations.queue.settle import settle
from core.foundation.clock import now
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import LocalBuckets
from core.messaging.queue import dispatcher
from tests.factories.batches import a_desk
from tests.factories.conversations import ANA, a_message, a_window
from tests.factories.live import a_live_caller
from tests.fakes.platform import ScriptedPlatform, conversing_by
from tests.support.money import moved_for, the_message

pytestmark = pytest.mark.usefixtures("real_commits")


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedPlatform]:
    rate_limit.use_buckets(LocalBuckets())
    monkeypatch.setattr(dispatcher, "SAVE_RETRY_SECONDS", 0)
    with conversing_by(platform := ScriptedPlatform()):
        yield platform


async def test_what_the_platform_took_is_written_down_when_the_database_is_back(
    platform: ScriptedPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await a_desk(await a_live_caller())
    sent = await a_message(
        desk.caller,
        desk.number_id,
        to=ANA,
        type="template",
        payload=...,
        templateId=desk.template_id,
        templateVars=["Ana"],
    )
    failures = iter([DatabaseUnreachable(), DatabaseUnreachable()])

    async def away_twice(settlements: Sequence[Any]) -> Sequence[Any]:
        if (failure := next(failures, None)) is not None:
            raise failure
        return await settle(settlements)

    monkeypatch.setattr(module, "settle", away_twice)
    worker = conversations.ConversationDispatcher()
    await worker.round(at=now())
    await worker.finish()

    assert platform.ids == [sent["id"]]
    assert (await the_message(sent["id"]))["status"] == "sent"
    assert await moved_for(sent["id"]) == [("reserva", 400), ("captura", 400)]


async def test_what_could_not_be_prepared_was_not_handed_over_and_is_tried_again(
    platform: ScriptedPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await a_desk(await a_live_caller())
    await a_window(desk.caller, desk.number_id)
    sent = await a_message(desk.caller, desk.number_id, to=ANA)

    async def away(*_: Any) -> dict[str, Any]:
        raise DatabaseUnreachable

    monkeypatch.setattr(hand_over, "_platform_payload", away)
    worker = conversations.ConversationDispatcher()
    await worker.round(at=now())
    await worker.finish()

    row = await the_message(sent["id"])
    assert platform.sent == []
    assert (row["status"], row["attempts"], row["settle_at"]) == ("queued", 1, None)
