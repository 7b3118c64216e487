"""Workers killed and Redis emptied while queued SMS leave: none is lost, and none leaves twice."""

import asyncio
import json
from random import Random
from typing import Any

from tests.fakes.gateway import Behaviour, FakeGateway, accepts, drops, throttles
from tests.support.live_service import LiveService, live, live_credential
from tests.support.waiting import eventually

__all__ = ["live", "live_credential"]

CHANCE = Random(1)
MESSAGES = 300


def moody() -> Behaviour:
    """Mostly taken; sometimes put off, and sometimes nobody hears what became of it."""

    async def behave(gateway: FakeGateway, request: Any, message: dict[str, Any]) -> Any:
        await asyncio.sleep(0.2)  # so that there is something to kill
        mood = CHANCE.choices(
            (accepts(), throttles("1"), drops(accepted=True), drops(accepted=False)),
            (7, 1, 1, 1),
        )[0]
        return await mood(gateway, request, message)

    return behave


async def test_whatever_moment_a_worker_is_killed_at_each_queued_message_leaves_once(
    live: LiveService,
) -> None:
    live.gateway.always(moody())
    await live.api()
    answers = await asyncio.gather(*(queue_one(live, number) for number in range(MESSAGES)))
    assert {(answer.status, answer.body["status"]) for answer in answers} == {(201, "queued")}

    workers = list(await asyncio.gather(live.worker(), live.worker()))
    deaths = 0
    while await waiting(live):
        before = len(live.gateway.sends)

        async def something_happens() -> bool:
            return len(live.gateway.sends) > before or not await waiting(live)  # noqa: B023

        await eventually(something_happens, "something is handed over")
        await workers.pop(0).kill()
        if deaths % 2:
            await live.service.redis.flushall()
        deaths += 1
        workers.append(await live.worker())

    await live.everything_is_settled()
    assert deaths
    handed_over = {json.loads(seen.body)["id"] for seen in live.gateway.sends}
    assert len(handed_over) == MESSAGES, "each was handed over, if only once"
    # How many of the dropped ones are handed over again depends on when workers die.
    assert len(live.gateway.taken) > MESSAGES / 2
    await live.check_books()


async def waiting(live: LiveService) -> int:
    """How many wait."""
    count: int = await live.books.fetchval("SELECT count(*) FROM waiting_messages")
    return count


async def queue_one(live: LiveService, number: int) -> Any:
    """Queue an SMS that is due at once."""
    body = {
        "to": "+5511987650005",
        "body": "Olá! Seu pedido saiu.",
        "route": "premium",
        "scheduledAt": "2026-01-01T00:00:00Z",
        "metadata": {"number": number},
    }
    headers = {"Idempotency-Key": f"queued-{number}"}
    return await live.customer.call("POST", "/v2/sms/messages", body, headers=headers)
