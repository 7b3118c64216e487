"""A live send: held, handed over, settled by what the provider says; asked about when it said
nothing.
"""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from core import messaging, rcs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import DependencyFailed, ServiceError, ServiceUnavailable
from core.idempotency import concurrent
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    LookupFailed,
    MessageFound,
    Outgoing,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from tests.factories.live import a_live_caller
from tests.factories.rcs import CARD, FALLBACK, an_rcs
from tests.fakes.provider import Crash, ScriptedProvider, accept, crash, reference_of
from tests.support.money import balances_of, keys_of, moved_for, the_message
from tests.support.waiting import eventually

MINUTE = timedelta(minutes=1)


async def events() -> list[tuple[str, Any]]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE type LIKE 'rcs.%' ORDER BY id"
    )
    return [(row["type"], row["data"].get("failureReason")) for row in rows]


async def test_an_accepted_message_is_sent_and_its_price_stays_held(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    sent = await an_rcs(caller, content={"card": CARD}, fallback=FALLBACK)

    assert (sent["status"], sent["env"], "channel" in sent, "sentAt" in sent) == (
        "sent",
        "live",
        False,
        True,
    )
    [outgoing] = provider.asked
    assert (outgoing.id, outgoing.channel, outgoing.to) == (sent["id"], "rcs", "+5511987650001")
    assert (outgoing.content, outgoing.text, outgoing.route) == ({"card": CARD}, None, "easy_rcs")
    assert await moved_for(sent["id"]) == [("reserva", 1_200)]
    row = await the_message(sent["id"])
    assert (row["provider"], row["provider_reference"]) == ("gateway", reference_of(sent["id"]))
    assert await an_rcs(caller, key="other") != sent


async def test_the_same_key_is_answered_again_and_handed_over_once(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    first = await an_rcs(caller, key="k")
    assert await an_rcs(caller, key="k") == first
    assert len(provider.asked) == 1


async def test_without_a_provider_nothing_is_stored(clean_slate: None) -> None:
    caller = await a_live_caller()
    with pytest.raises(messaging.NoProvider):
        await an_rcs(caller, key="k")
    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert await keys_of(caller) == {}


@pytest.mark.parametrize("reason", ["no_rcs", "rejected", "media_error"])
async def test_a_refusal_for_the_recipient_is_a_failed_message_that_costs_nothing(
    clean_slate: None, provider: ScriptedProvider, reason: Any
) -> None:
    caller = await a_live_caller()
    provider.will(Refused(reason))
    sent = await an_rcs(caller, key="k")
    assert (sent["status"], sent["failureReason"]) == ("failed", reason)
    assert await moved_for(sent["id"]) == [("reserva", 1_200), ("liberacao", 1_200)]
    assert await events() == [("rcs.failed", reason)]
    assert await an_rcs(caller, key="k") == sent


@pytest.mark.parametrize(
    ("answer", "kind", "retry_after"),
    [
        (Throttled(7), ServiceUnavailable, 7),
        (OutOfCredit(), ServiceUnavailable, None),
        (Failed(), DependencyFailed, None),
    ],
)
async def test_a_refusal_of_the_provider_frees_key_and_money_and_tells_nothing(
    clean_slate: None,
    provider: ScriptedProvider,
    answer: Answer,
    kind: type[ServiceError],
    retry_after: int | None,
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(answer)
    with pytest.raises(kind) as refused:
        await an_rcs(caller, key="k")
    assert refused.value.retry_after == retry_after
    id = refused.value.meta["messageId"]
    row = await the_message(id)
    assert (row["status"], row["reason"], row["coins"], row["settle_at"]) == (
        "failed",
        None,
        0,
        None,
    )
    assert (await balances_of(caller)).available == 10_000
    assert await keys_of(caller) == {}
    assert await events() == []
    assert (await an_rcs(caller, key="k"))["id"] != id


async def test_an_unknown_outcome_is_a_502_that_keeps_the_key_and_names_the_message(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller, key="k")
    id = refused.value.meta["messageId"]
    assert refused.value.meta["code"] == "RESULTADO_DESCONHECIDO"
    again = await an_rcs(caller, key="k")
    assert (again["id"], again["status"]) == (id, "queued")
    assert len(provider.asked) == 1
    assert await moved_for(id) == [("reserva", 1_200)]


async def test_a_message_that_the_provider_knows_becomes_sent(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller, key="k")
    id = refused.value.meta["messageId"]
    provider.knows[id] = MessageFound("gw_found", "sent")

    await rcs.reconcile(at=now() + MINUTE)

    row = await the_message(id)
    assert (row["status"], row["provider_reference"]) == ("sent", "gw_found")
    assert (await an_rcs(caller, key="k"))["status"] == "sent"
    assert len(provider.asked) == 1


async def test_a_message_found_at_its_end_is_paid_and_told(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller)
    id = refused.value.meta["messageId"]
    provider.knows[id] = MessageFound("gw_found", "delivered", path="rcs")

    await rcs.reconcile(at=now() + MINUTE)

    record = await rcs.get_message(caller, id)
    assert (record["status"], record["channel"]) == ("delivered", "rcs")
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]
    assert await events() == [("rcs.delivered", None)]


async def test_a_message_that_nobody_knows_is_indeterminate_and_its_hold_ends_after_72_hours(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller, key="k")
    id = refused.value.meta["messageId"]

    await rcs.reconcile(at=now() + 5 * MINUTE)
    assert (await the_message(id))["status"] == "queued"
    await rcs.reconcile(at=now() + 11 * MINUTE)
    record = await rcs.get_message(caller, id)
    assert (record["status"], record["failureReason"]) == ("failed", "indeterminate")
    assert await moved_for(id) == [("reserva", 1_200)]
    assert await events() == [("rcs.failed", "indeterminate")]

    await rcs.reconcile(at=now() + timedelta(hours=80))
    assert (await balances_of(caller)).available == 10_000
    assert (await the_message(id))["coins"] == 0
    assert (await an_rcs(caller, key="k"))["id"] == id


async def test_a_provider_that_cannot_be_asked_has_not_said_no(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller)
    id = refused.value.meta["messageId"]
    provider.knows[id] = LookupFailed()
    await rcs.reconcile(at=now() + timedelta(hours=5))
    assert (await the_message(id))["status"] == "queued"


async def test_a_request_that_died_is_settled_by_asking_and_never_sent_again(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(crash)
    with pytest.raises(Crash):
        await an_rcs(caller, key="k")
    [id] = (await keys_of(caller)).values()
    provider.knows[id] = MessageFound("gw_found", "sent")

    await rcs.reconcile(at=now())
    assert provider.looked_up == []  # the request may still be at it
    await rcs.reconcile(at=now() + 2 * MINUTE)

    assert (await the_message(id))["status"] == "sent"
    assert len(provider.asked) == 1


async def test_a_repeat_waits_for_the_first_and_gets_its_answer(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    go = asyncio.Event()

    async def slow(outgoing: Outgoing) -> Answer:
        await go.wait()
        return Accepted("gw_slow")

    provider.will(slow)
    first = asyncio.create_task(an_rcs(caller, key="k"))
    await eventually(lambda: len(provider.asked) == 1, "the first is handed over")
    second = asyncio.create_task(an_rcs(caller, key="k"))
    await eventually(lambda: concurrent._waiters == 1, "the repeat waits")
    go.set()
    assert await first == await second
    assert len(provider.asked) == 1


async def test_a_repeat_that_waited_too_long_is_told_to_come_back(
    real_commits: None, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.15)
    go = asyncio.Event()

    async def slow(outgoing: Outgoing) -> Answer:
        await go.wait()
        return await accept(outgoing)

    provider.will(slow)
    first = asyncio.create_task(an_rcs(caller, key="k"))
    await eventually(lambda: len(provider.asked) == 1, "the first is handed over")
    with pytest.raises(ServiceError) as refused:
        await an_rcs(caller, key="k")
    assert (refused.value.meta["code"], refused.value.retry_after) == (
        "IDEMPOTENCIA_EM_ANDAMENTO",
        1,
    )
    monkeypatch.setattr(concurrent, "MAX_WAITERS", 0)
    with pytest.raises(ServiceError):
        await an_rcs(caller, key="k")
    go.set()
    assert (await first)["status"] == "sent"
