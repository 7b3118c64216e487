"""Whoever takes a waiting message away decides what becomes of it: nobody else, and only once."""

import asyncio

from core import conversations
from core.foundation.database import db
from tests.factories.batches import a_bulk, a_desk, messages_of
from tests.factories.contacts import a_contact, a_denial
from tests.factories.conversations import let_leave
from tests.factories.organizations import a_caller
from tests.support.money import balances_of, moved_for

HELD, BACK, PAID = ("reserva", 400), ("liberacao", 400), ("captura", 400)


async def test_a_message_is_canceled_or_sent_and_never_both(real_commits: None) -> None:
    desk = await a_desk(await a_caller())
    before = await balances_of(desk.caller)
    sent = await a_bulk(
        desk, *(f"+5511987651{place:03d}" for place in range(30)), priority="critical"
    )

    await asyncio.gather(
        let_leave(), conversations.cancel_batch(desk.caller, sent["batchId"]), let_leave()
    )

    ends = {"failed": [HELD, BACK], "sent": [HELD, PAID]}
    rows = await messages_of(sent["batchId"])
    for row in rows:
        assert await moved_for(row["id"]) == ends[row["status"]]
        assert (row["last_error"] == "cancelada") == (row["status"] == "failed")
    after = await balances_of(desk.caller)
    assert after.held == 0
    assert before.available - after.available == 400 * sum(row["status"] == "sent" for row in rows)
    assert await db.fetchval("SELECT count(*) FROM waiting_messages") == 0


async def test_cancels_and_denials_that_meet_give_the_price_back_once(real_commits: None) -> None:
    caller = await a_caller()
    desk = await a_desk(caller)
    phones = [f"+5511987652{place:03d}" for place in range(8)]
    for phone in phones:
        await a_contact(caller, phone=phone)
    before = await balances_of(caller)
    sent = await a_bulk(desk, *phones)

    await asyncio.gather(
        conversations.cancel_batch(caller, sent["batchId"]),
        *(a_denial(caller, phone) for phone in phones[::-1]),
        conversations.cancel_batch(caller, sent["batchId"]),
    )

    assert await balances_of(caller) == before
    told = await db.fetch(
        "SELECT data ->> 'id' AS id FROM webhook_events WHERE type = 'message.failed'"
    )
    assert sorted(row["id"] for row in told) == sorted(
        row["id"] for row in await messages_of(sent["batchId"])
    )
