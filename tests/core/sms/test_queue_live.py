"""Live SMS that leave later: handed over once, whatever breaks where, and the money adds up."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from core import messaging, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import LocalBuckets
from core.messaging.queue.claim import Quota
from core.messaging.queue.phone_queue import claim, hand_over
from core.providers import registry
from core.providers.contracts import Failed, MessageFound, Refused, Throttled, Unknown
from core.sms.queue.dispatcher import QUEUE
from core.wallet.rates import month_of
from tests.factories.live import a_live_caller
from tests.factories.queue import due_at, let_leave
from tests.factories.sms import a_new_sms, a_send
from tests.fakes.provider import Crash, ScriptedProvider, crash, reference_of
from tests.support.money import balances_of, moved_for, the_message, told, volume_of

pytestmark = pytest.mark.usefixtures("real_commits", "own_buckets")

SECOND, MINUTE, HOUR = (timedelta(**{name: 1}) for name in ("seconds", "minutes", "hours"))
DAY = timedelta(days=1)


async def a_queued(caller: Caller, **fields: Any) -> dict[str, Any]:
    """The answer to a live send with a time: now, unless told."""
    return await a_send(caller, **{"scheduledAt": now(), **fields})


async def test_a_live_one_leaves_as_it_was_taken_in(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time, body="Olá, ação", senderId="Loja", route="otp")

    assert await let_leave(at=time) == 1

    (asked,) = provider.asked
    assert (asked.id, asked.to, asked.text, asked.sender_id, asked.route, asked.segments) == (
        sent["id"],
        "+5511987650005",
        "Ola, acao",
        "Loja",
        "otp",
        1,
    )
    row = await the_message(sent["id"])
    assert (row["status"], row["provider_reference"], row["sealed_text"]) == (
        "sent",
        reference_of(sent["id"]),
        None,
    )
    assert await moved_for(sent["id"]) == [("reserva", 950), ("captura", 950)]
    assert await volume_of(caller, "otp") == 1


async def test_what_it_costs_is_decided_when_it_leaves_and_never_more_than_was_held(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller(10**7)
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)
    await db.execute(
        "INSERT INTO sms_volumes (organization_id, env, month, route, accepted) "
        "VALUES ($1, 'live', $2, 'premium', $3)",
        caller.organization_id,
        month_of(now()),
        10**7,
    )

    await let_leave(at=time)

    (_, held), (kind, paid), *rest = await moved_for(sent["id"])
    assert (held, kind) == (800, "captura")
    assert paid < held
    assert rest == [("liberacao", held - paid)]


async def test_what_a_provider_puts_off_leaves_later(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)
    provider.will(Throttled(7))

    assert await let_leave(at=time, rounds=1) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["settle_at"]) == ("queued", None)
    assert row["sealed_text"] is not None
    again = await due_at(sent["id"])
    assert again is not None
    assert await moved_for(sent["id"]) == [("reserva", 800)]
    assert await let_leave(at=again) == 1
    assert (await the_message(sent["id"]))["status"] == "sent"
    assert len(provider.asked) == 2


async def test_what_nobody_takes_within_its_validity_is_abandoned(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller, scheduledAt=now() - DAY, route="otp")
    provider.will(Failed())
    await let_leave(rounds=1)
    assert (await the_message(sent["id"]))["status"] == "queued"

    assert await let_leave(at=now() + 10 * MINUTE) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["sealed_text"]) == ("failed", "abandoned", None)
    assert len(provider.asked) == 1
    assert await moved_for(sent["id"]) == [("reserva", 950), ("liberacao", 950)]


async def test_a_refusal_of_the_recipient_ends_it(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller, scheduledAt=now())
    provider.will(Refused("invalid_number"))

    await let_leave()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "invalid_number")
    assert [kind for kind, _ in await told(caller)] == ["sms.failed"]
    again = await db.fetchval("SELECT answer ->> 'status' FROM idempotency_keys")
    assert again == "queued"  # what was answered stays answered


async def test_without_a_provider_a_live_one_waits_for_one(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller, scheduledAt=now())
    await registry.close_providers()
    at = now()

    assert await let_leave(at=at, rounds=1) == 1

    assert await due_at(sent["id"]) == at + MINUTE
    registry.register(provider, "sms")
    assert await let_leave(at=at + MINUTE) == 1
    assert (await the_message(sent["id"]))["status"] == "sent"


async def test_who_carries_it_now_is_its_provider(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller, scheduledAt=now())
    await registry.close_providers()
    other = ScriptedProvider()
    other.name = "cloud-eum"
    registry.register(other, "sms")

    await let_leave()

    assert (await the_message(sent["id"]))["provider"] == "cloud-eum"
    assert [one.id for one in other.asked] == [sent["id"]]


# Workers that die --------------------------------------------------------------------------------


async def quotas(caller: Caller, count: int = 100) -> list[Quota]:
    return [Quota(f"sms:live:{caller.organization_id}", 1, count)]


async def settle_what_is_left() -> None:
    """What the sweep does, a minute later and each time that it looks again."""
    for minutes in range(1, 12):
        await sms.reconcile(at=now() + minutes * MINUTE)


async def test_a_worker_that_dies_while_it_claims_leaves_all_as_it_was(
    provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller)

    async def dies(*_: Any, **__: Any) -> None:
        raise Crash

    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr("core.messaging.queue.phone_queue.announce_messages", dies)
        await claim(QUEUE, await quotas(caller), at=now())

    assert (await the_message(sent["id"]))["status"] == "queued"
    assert await let_leave() == 1
    assert [one.id for one in provider.asked] == [sent["id"]]
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]


async def test_a_worker_that_dies_before_it_hands_over_loses_nothing(
    provider: ScriptedProvider,
) -> None:
    provider.is_idempotent = True
    caller = await a_live_caller()
    sent = await a_queued(caller)
    await claim(QUEUE, await quotas(caller), at=now())
    assert (await the_message(sent["id"]))["status"] == "sending"
    assert await let_leave() == 0

    await settle_what_is_left()

    assert [one.id for one in provider.asked] == [sent["id"]]
    assert (await the_message(sent["id"]))["status"] == "sent"
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]


async def test_a_worker_that_dies_after_it_handed_over_doubles_nothing(
    provider: ScriptedProvider,
) -> None:
    provider.is_idempotent = True
    caller = await a_live_caller()
    sent = await a_queued(caller)
    claimed = await claim(QUEUE, await quotas(caller), at=now())
    await hand_over(QUEUE, claimed.ready[0], None)  # and what was answered is never settled
    provider.knows[sent["id"]] = MessageFound(reference_of(sent["id"]), "sent")

    await settle_what_is_left()

    assert [one.id for one in provider.asked] == [sent["id"]]
    row = await the_message(sent["id"])
    assert (row["status"], row["provider_reference"]) == ("sent", reference_of(sent["id"]))
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]


async def test_a_provider_that_takes_an_id_twice_is_handed_it_once(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller)
    provider.will(crash)
    await let_leave()

    await settle_what_is_left()

    assert len(provider.asked) == 1
    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "indeterminate")
    assert (await balances_of(caller)).held == 800
    await sms.reconcile(at=now() + 4 * DAY)
    assert await moved_for(sent["id"]) == [("reserva", 800), ("liberacao", 800)]


async def test_an_answer_that_says_nothing_is_asked_about(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller)
    provider.will(Unknown())
    await let_leave()
    assert (await the_message(sent["id"]))["status"] == "sending"
    provider.knows[sent["id"]] = MessageFound(reference_of(sent["id"]), "delivered")

    await settle_what_is_left()

    assert (await the_message(sent["id"]))["status"] == "delivered"
    assert len(provider.asked) == 1
    assert [kind for kind, _ in await told(caller)] == ["sms.delivered"]


async def test_four_workers_hand_each_message_over_once_while_some_are_called_off(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller(10**6)
    requests = [
        sms.queued_sms(caller, a_new_sms(), key=f"k{place}", later=messaging.SendSchedule(now()))
        for place in range(100)
    ]
    await sms.queue_messages(requests)
    ids = [request.id for request in requests]
    workers = [sms.SmsDispatcher() for _ in range(4)]
    canceled: set[str] = set()

    async def call_off() -> None:
        for id in ids[::7]:
            try:
                await sms.cancel_message(caller, id)
            except messaging.MessageNotCancelable:
                continue
            canceled.add(id)

    async def all_left() -> None:
        while await db.fetchval("SELECT count(*) FROM waiting_messages"):
            rate_limit.use_buckets(LocalBuckets())  # a full second's tokens
            await asyncio.gather(*(worker.round(at=now()) for worker in workers))
        for worker in workers:
            await worker.finish()

    await asyncio.gather(all_left(), call_off())

    handed = Counter(one.id for one in provider.asked)
    assert set(handed.values()) == {1}
    assert handed.keys() | canceled == set(ids)
    assert not handed.keys() & canceled
    rows = await db.fetch("SELECT id, status, reason FROM messages")
    assert {row["id"] for row in rows if row["status"] == "sent"} == handed.keys()
    balances = await balances_of(caller)
    assert (balances.held, balances.revenue) == (0, 800 * len(handed))
    assert await volume_of(caller) == len(handed)


async def test_emptied_buckets_lose_no_message(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    ids = [(await a_queued(caller))["id"] for _ in range(3)]
    rate_limit.use_buckets(LocalBuckets())

    assert await let_leave() == 3
    rate_limit.use_buckets(LocalBuckets())
    assert await let_leave() == 0

    assert sorted(one.id for one in provider.asked) == sorted(ids)
