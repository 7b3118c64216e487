"""Batches are read with the states of their messages, and called off as far as nothing has left."""

from typing import Any

import pytest

from core import conversations
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from tests.factories.batches import ANA, BIA, CAIO, a_bulk, a_desk, messages_of
from tests.factories.organizations import a_caller
from tests.support.money import balances_of, moved_for

NONE = {"queued": 0, "sending": 0, "sent": 0, "delivered": 0, "read": 0, "failed": 0, "archived": 0}


async def told(caller: Caller) -> list[tuple[str, dict[str, Any]]]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE organization_id = $1 AND type LIKE 'message.%' ORDER BY id",
        caller.organization_id,
    )
    return [(row["type"], row["data"]) for row in rows]


async def begun(id: str) -> None:
    """Let a message be on its way to the platform."""
    await db.execute("DELETE FROM waiting_messages WHERE message_id = $1", id)
    await db.execute("UPDATE messages SET status = 'sending' WHERE id = $1", id)


async def test_a_batch_counts_its_messages_by_their_status(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, ANA, BIA, CAIO, "not a phone", campaignId="natal")
    first, second, _ = await messages_of(sent["batchId"])
    await db.execute("UPDATE messages SET status = 'read' WHERE id = $1", first["id"])
    await db.execute("UPDATE messages SET status = 'archived' WHERE id = $1", second["id"])
    batch = await conversations.get_batch(desk.caller, sent["batchId"])
    assert batch == {
        "id": sent["batchId"],
        "organizationId": desk.caller.organization_id,
        "env": "test",
        "kind": "bulk",
        "numberId": desk.number_id,
        "templateId": desk.template_id,
        "campaignId": "natal",
        "aceitas": 3,
        "recusadas": 1,
        "coinsEstimados": 1200,
        "porStatus": {**NONE, "queued": 1, "read": 1, "archived": 1},
        "createdAt": batch["createdAt"],
    }


async def test_canceling_ends_what_waits_and_leaves_what_has_begun(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, ANA, BIA, CAIO)
    under_way, *waiting = await messages_of(sent["batchId"])
    await begun(under_way["id"])

    batch = await conversations.cancel_batch(desk.caller, sent["batchId"])

    assert batch["porStatus"] == {**NONE, "sending": 1, "failed": 2}
    assert (await balances_of(desk.caller)).held == 400
    for row in waiting:
        assert await moved_for(row["id"]) == [("reserva", 400), ("liberacao", 400)]
        now = await db.fetchrow("SELECT * FROM messages WHERE id = $1", row["id"])
        assert now is not None
        assert (now["status"], now["reason"], now["last_error"], now["coins"]) == (
            "failed",
            "canceled",
            "cancelada",
            0,
        )
        assert now["failed_at"] is not None
    assert {(name, data["id"], data["lastError"]) for name, data in await told(desk.caller)} == {
        ("message.failed", row["id"], "cancelada") for row in waiting
    }
    assert await db.fetchval("SELECT count(*) FROM waiting_messages") == 0


async def test_canceling_twice_changes_nothing_more(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, ANA)
    first = await conversations.cancel_batch(desk.caller, sent["batchId"])
    assert await conversations.cancel_batch(desk.caller, sent["batchId"]) == first
    assert len(await told(desk.caller)) == 1
    assert (
        await db.fetchval(
            "SELECT count(*) FROM audit_entries WHERE action = 'message_batch.canceled'"
        )
        == 1
    )


async def test_a_batch_of_others_is_not_found(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, ANA)
    live = await a_caller("live", organization_id=desk.caller.organization_id)
    for caller in (await a_caller(), live):
        for use_case in (conversations.get_batch, conversations.cancel_batch):
            with pytest.raises(NotFound):
                await use_case(caller, sent["batchId"])
    for id in ("btc_000000000000000000000", "nonsense"):
        with pytest.raises(NotFound):
            await conversations.get_batch(desk.caller, id)
    assert (await conversations.get_batch(desk.caller, sent["batchId"]))["porStatus"]["queued"] == 1


async def test_reading_and_canceling_need_their_scopes(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, ANA)
    organization_id = desk.caller.organization_id
    reader = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=organization_id
    )
    sender = await a_caller(
        scopes=frozenset({Scope.MESSAGES_SEND}), organization_id=organization_id
    )
    with pytest.raises(Forbidden):
        await conversations.cancel_batch(reader, sent["batchId"])
    with pytest.raises(Forbidden):
        await conversations.get_batch(sender, sent["batchId"])
    assert (await conversations.get_batch(reader, sent["batchId"]))["porStatus"]["queued"] == 1
