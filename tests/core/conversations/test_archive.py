"""Finished messages are laid aside by hand or by their age; nothing comes back from there."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import conversations
from core.conversations import archive
from core.foundation import settings
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel, Status, may_become
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message, stored_reply

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
OLD = AT - timedelta(days=31)


async def a_chat(
    caller: Caller, at: datetime = OLD, status: Status = Status.DELIVERED, **fields: Any
) -> str:
    return await stored_message(
        caller,
        at,
        **{"status": status, "channel": Channel.WHATSAPP, "type": "text", "content": {}, **fields},
    )


async def status_of(id: str) -> str:
    status: str = await db.fetchval("SELECT status FROM messages WHERE id = $1", id)
    return status


@pytest.fixture
def after_30_days(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = settings.current().model_copy(update={"archive_after_days": 30})
    monkeypatch.setattr(archive, "current", lambda: kept)


@pytest.mark.parametrize("status", [Status.DELIVERED, Status.READ, Status.FAILED])
async def test_a_finished_message_is_archived_once(clean_slate: None, status: Status) -> None:
    caller = await a_caller()
    id = await a_chat(caller, status=status)
    first = await conversations.archive_message(caller, id)
    assert (first["id"], first["status"]) == (id, "archived")
    assert await conversations.archive_message(caller, id) == first
    assert (
        await db.fetchval("SELECT count(*) FROM audit_entries WHERE action = 'message.archived'")
        == 1
    )


@pytest.mark.parametrize("status", [Status.QUEUED, Status.SENDING, Status.SENT])
async def test_a_message_under_way_is_not(clean_slate: None, status: Status) -> None:
    caller = await a_caller()
    id = await a_chat(caller, status=status)
    with pytest.raises(Conflict) as refusal:
        await conversations.archive_message(caller, id)
    assert refusal.value.meta == {"code": "MENSAGEM_EM_ANDAMENTO"}
    assert await status_of(id) == status


def test_nothing_follows_upon_archived() -> None:
    assert not any(may_become(Status.ARCHIVED, None, status) for status in Status)


async def test_messages_of_others_and_of_other_channels_are_not_found(clean_slate: None) -> None:
    caller = await a_caller()
    id, sms = await a_chat(caller), await stored_message(caller, OLD)
    live = await a_caller("live", organization_id=caller.organization_id)
    for who, what in ((await a_caller(), id), (live, id), (caller, sms), (caller, "nonsense")):
        with pytest.raises(NotFound):
            await conversations.archive_message(who, what)
    reader = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    with pytest.raises(Forbidden):
        await conversations.archive_message(reader, id)
    assert await status_of(id) == await status_of(sms) == "delivered"


async def test_the_recipient_is_masked_without_the_scope(clean_slate: None) -> None:
    caller = await a_caller()
    id = await a_chat(caller)
    blind = await a_caller(
        scopes=frozenset({Scope.MESSAGES_SEND}), organization_id=caller.organization_id
    )
    assert "*" in (await conversations.archive_message(blind, id))["to"]


async def test_old_finished_messages_go_by_themselves(
    clean_slate: None, after_30_days: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In batches smaller than their number, of every owner, on the channels of conversations."""
    monkeypatch.setattr(archive, "BATCH_SIZE", 2)
    caller = await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    old = [await a_chat(caller, OLD + timedelta(minutes=place)) for place in range(5)]
    old += [
        await a_chat(live),
        await a_chat(caller, channel=Channel.INSTAGRAM, status=Status.READ),
        await stored_reply(caller, OLD, channel=Channel.WHATSAPP, status=Status.DELIVERED),
    ]
    kept = {
        await a_chat(caller, AT - timedelta(days=29)): "delivered",
        await a_chat(caller, status=Status.SENT): "sent",
        await stored_message(caller, OLD): "delivered",
    }
    assert await conversations.archive_old(at=AT) == len(old)
    assert await conversations.archive_old(at=AT) == 0
    assert {await status_of(id) for id in old} == {"archived"}
    assert {id: await status_of(id) for id in kept} == kept


async def test_without_the_setting_nothing_goes_by_itself(clean_slate: None) -> None:
    caller = await a_caller()
    id = await a_chat(caller)
    assert await conversations.archive_old(at=AT) == 0
    assert await status_of(id) == "delivered"
