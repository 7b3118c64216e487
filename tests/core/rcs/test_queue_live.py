"""Live RCS messages that leave later: handed over once, though `queued` is said of them before and
while they are handed over.
"""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from core import messaging, rcs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging import Settlement
from core.messaging.queue.claim import Quota
from core.messaging.queue.phone_queue import claim, hand_over
from core.providers.contracts import MessageFound, Refused, Throttled, Unknown
from core.rcs.queue.dispatcher import QUEUE
from core.rcs.settle import settle
from tests.factories.live import a_live_caller
from tests.factories.queue import due_at, let_leave
from tests.factories.rcs import FALLBACK, a_new_rcs, an_rcs
from tests.fakes.provider import ScriptedProvider, reference_of
from tests.support.money import balances_of, moved_for, the_message

pytestmark = pytest.mark.usefixtures("real_commits")

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def a_queued(caller: Caller, **fields: Any) -> str:
    """The id of a live message with a time: now, unless told."""
    id: str = (await an_rcs(caller, **{"scheduledAt": now(), **fields}))["id"]
    return id


async def leave(*, at: Any = None, rounds: int = 20) -> int:
    return await let_leave(at=at, rounds=rounds, by=rcs.RcsDispatcher())


async def settle_what_is_left() -> None:
    """What the sweep does, a minute later and each time that it looks again."""
    for minutes in range(1, 12):
        await rcs.reconcile(at=now() + minutes * MINUTE)


async def test_it_leaves_as_it_was_taken_in(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id = await a_queued(caller, fallback=FALLBACK)

    assert await leave() == 1

    (asked,) = provider.asked
    assert (asked.id, asked.content, asked.route) == (id, {"text": "Hello"}, "easy_rcs")
    row = await the_message(id)
    assert (row["status"], row["provider_reference"]) == ("sent", reference_of(id))
    assert await moved_for(id) == [("reserva", 1200)]


async def test_what_a_provider_puts_off_leaves_later(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id = await a_queued(caller)
    provider.will(Throttled(7))

    await leave(rounds=1)

    row = await the_message(id)
    assert (row["status"], row["settle_at"], row["handed_over_at"]) == ("queued", None, None)
    again = await due_at(id)
    assert again is not None
    assert await leave(at=again) == 1
    assert (await the_message(id))["status"] == "sent"


async def test_what_is_said_late_of_a_message_that_waits_again_changes_nothing(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = await a_queued(caller)
    provider.will(Throttled(7))
    await leave(rounds=1)

    await settle([Settlement(id, Unknown(), now()), Settlement(id, Refused("rejected"), now())])

    assert (await the_message(id))["settle_at"] is None
    assert await leave(at=now() + MINUTE) == 1
    assert (await the_message(id))["status"] == "sent"


async def test_a_worker_that_dies_before_it_hands_over_loses_nothing(
    provider: ScriptedProvider,
) -> None:
    provider.is_idempotent = True
    caller = await a_live_caller()
    id = await a_queued(caller)
    await claim(QUEUE, [Quota(f"rcs:live:{caller.organization_id}", 1, 9)], at=now())
    assert await leave() == 0

    await settle_what_is_left()

    assert [one.id for one in provider.asked] == [id]
    assert (await the_message(id))["status"] == "sent"


async def test_a_worker_that_dies_after_it_handed_over_doubles_nothing(
    provider: ScriptedProvider,
) -> None:
    provider.is_idempotent = True
    caller = await a_live_caller()
    id = await a_queued(caller)
    claimed = await claim(QUEUE, [Quota(f"rcs:live:{caller.organization_id}", 1, 9)], at=now())
    await hand_over(QUEUE, claimed.ready[0], None)  # and what was answered is never settled
    provider.knows[id] = MessageFound(reference_of(id), "sent")

    await settle_what_is_left()

    assert [one.id for one in provider.asked] == [id]
    assert (await the_message(id))["provider_reference"] == reference_of(id)


async def test_an_sms_stands_in_for_one_that_waited_longer_than_an_sms_is_tried(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = await a_queued(caller, fallback=FALLBACK)
    await db.execute("UPDATE messages SET created_at = $1", now() - DAY)
    provider.will(Refused("no_rcs"), Throttled(1))
    await leave()

    await rcs.reconcile(at=now())
    await rcs.reconcile(at=now() + MINUTE)

    row = await the_message(id)
    assert (row["status"], row["path"], len(provider.asked)) == ("sent", "sms", 3)


async def test_three_workers_hand_each_message_over_once_while_some_are_called_off(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller(10**6)
    await rcs.queue_messages(
        [
            rcs.queued_rcs(
                caller, a_new_rcs(), key=f"k{place}", later=messaging.SendSchedule(now())
            )
            for place in range(100)
        ]
    )
    ids = [row["id"] for row in await db.fetch("SELECT id FROM messages ORDER BY id")]
    workers = [rcs.RcsDispatcher() for _ in range(3)]
    canceled: set[str] = set()

    async def call_off() -> None:
        for id in ids[::7]:
            try:
                await rcs.cancel_message(caller, id)
            except messaging.MessageNotCancelable:
                continue
            canceled.add(id)

    async def all_left() -> None:
        while await db.fetchval("SELECT count(*) FROM waiting_messages"):
            await asyncio.gather(*(worker.round(at=now()) for worker in workers))
        for worker in workers:
            await worker.finish()

    await asyncio.gather(all_left(), call_off())

    handed = Counter(one.id for one in provider.asked)
    assert set(handed.values()) == {1}
    assert handed.keys() | canceled == set(ids)
    assert not handed.keys() & canceled
    assert (await balances_of(caller)).held == 1200 * len(handed)
