"""Handing messages to a platform: never twice, whatever breaks where, and the money adds up."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import contacts, conversations, privacy, wallet
from core.conversations.queue.claim import claim
from core.conversations.queue.settle import settle, settlement_of
from core.conversations.reasons import TEMPORARY, FailureReason, reason_of
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import LocalBuckets
from core.foundation.settings import Settings
from core.media.models import MediaFile
from core.messaging.queue.claim import Quota
from core.messaging.timeouts import NOT_FOUND_TIMEOUT
from core.numbers import Number
from core.providers.meta.errors import TEMPORARY as TEMPORARY_CODES
from core.providers.platform import (
    OutgoingMessage,
    PlatformAcceptance,
    Rejection,
    SendReply,
    TemporaryFailure,
    UnknownOutcome,
)
from tests.factories.batches import Desk, a_bulk, a_desk, messages_of
from tests.factories.conversations import ANA, a_message, a_window, let_leave, waiting_ids
from tests.factories.live import a_live_caller
from tests.factories.media import PNG, a_file
from tests.fakes.platform import NAME, ScriptedPlatform, conversing_by
from tests.support.money import balances_of, moved_for, the_message
from tests.support.races import outside, somebody_waits
from tests.support.told import events
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")

BUSY = TemporaryFailure("130429", "The platform takes no more for now.")


@pytest.fixture
def platform() -> Iterator[ScriptedPlatform]:
    rate_limit.use_buckets(LocalBuckets())
    platform = ScriptedPlatform()
    with conversing_by(platform):
        yield platform


async def a_template(desk: Desk, to: str = ANA, **fields: Any) -> str:
    """The id of a paid message."""
    sent = await a_message(
        desk.caller,
        desk.number_id,
        to=to,
        **{
            "type": "template",
            "payload": ...,
            "templateId": desk.template_id,
            "templateVars": ["Ana"],
            **fields,
        },
    )
    id: str = sent["id"]
    return id


async def the_desk() -> Desk:
    return await a_desk(await a_live_caller())


async def told(caller: Caller) -> list[str]:
    return [event["type"] for event in await events(caller.organization_id, "message")]


def phones(count: int) -> list[str]:
    return [f"+5511987{place:06d}" for place in range(count)]


async def test_a_message_leaves_as_the_platform_wants_it(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    await let_leave()
    ((line, outgoing),) = platform.sent
    assert (line.id, line.channel) == (desk.number_id, "whatsapp")
    assert (outgoing.id, outgoing.to, outgoing.type, outgoing.reply_to) == (
        id,
        ANA,
        "template",
        None,
    )
    assert set(outgoing.payload) == {"name", "language", "components"}
    row = await the_message(id)
    assert (row["status"], row["provider"], row["provider_reference"]) == (
        "sent",
        NAME,
        f"wamid.{id}",
    )
    assert (row["attempts"], row["settle_at"]) == (1, None)
    assert await moved_for(id) == [("reserva", 400), ("captura", 400)]
    assert await told(desk.caller) == ["message.sent"]
    assert await waiting_ids() == set()


async def test_the_address_that_the_platform_answers_with_is_used_from_then_on(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    first = await a_template(desk)
    platform.replies.append(PlatformAcceptance("wamid.1", "551187650301"))
    await let_leave()
    answer = await a_template(desk, replyTo=first)
    await let_leave(at=now() + timedelta(seconds=10))
    assert [outgoing.to for _, outgoing in platform.sent] == [ANA, "551187650301"]
    assert platform.sent[1][1].reply_to == "wamid.1"
    assert (await the_message(answer))["recipient"] == ANA


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("131026", "not_on_channel"),
        ("131047", "window_closed"),
        ("131050", "opt_out"),
        ("100", "rejected"),
    ],
)
async def test_what_the_platform_declines_fails_and_costs_nothing(
    platform: ScriptedPlatform, code: str, reason: str
) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    platform.replies.append(Rejection(code, "Not this one."))
    await let_leave()
    row = await the_message(id)
    assert (row["status"], row["reason"], row["upstream_code"]) == ("failed", reason, code)
    assert (row["last_error"], row["original_error"], row["coins"]) == (
        "Not this one.",
        "Not this one.",
        0,
    )
    assert await moved_for(id) == [("reserva", 400), ("liberacao", 400)]
    assert await told(desk.caller) == ["message.failed"]
    assert await let_leave(at=now() + timedelta(days=1)) == 0


async def test_what_is_put_off_is_tried_five_times(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    id, at = await a_template(desk), now()
    platform.replies.extend(
        [
            TemporaryFailure("131016", "Broken."),
            BUSY,
            TemporaryFailure("network", "Not reached."),
            BUSY,
            BUSY,
            PlatformAcceptance("too late"),
        ]
    )
    pauses = []
    for attempt in range(1, 6):
        assert await let_leave(at=at) == 1
        row = await the_message(id)
        assert row["attempts"] == attempt
        due_at: datetime | None = await db.fetchval(
            "SELECT due_at FROM waiting_messages WHERE message_id = $1", id
        )
        if due_at is not None:
            assert (row["status"], row["original_error"]) == ("queued", "Broken.")
            pauses.append(round((due_at - row["updated_at"]).total_seconds()))
            at = due_at
    assert pauses == [10, 40, 160, 640]
    assert (row["status"], row["reason"], row["last_error"]) == ("failed", "throttled", BUSY.error)
    assert row["original_error"] == "Broken."
    assert await moved_for(id) == [("reserva", 400), ("liberacao", 400)]
    assert await told(desk.caller) == ["message.failed"]
    assert len(platform.sent) == 5


async def test_the_platforms_own_pause_is_kept(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    platform.replies.append(TemporaryFailure("130429", "Busy.", retry_after=60))
    await let_leave()
    row = await the_message(id)
    due_at = await db.fetchval("SELECT due_at FROM waiting_messages WHERE message_id = $1", id)
    assert due_at == row["updated_at"] + timedelta(seconds=60)


async def test_a_pair_that_is_too_busy_rests(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    first = await a_template(desk)
    platform.replies.append(
        TemporaryFailure("131056", "Too many to one person.", retry_after=30, pair=True)
    )
    at = now()
    await let_leave(at=at)
    second = await a_template(desk)
    assert (await let_leave(at=at + timedelta(seconds=20)), len(platform.sent)) == (1, 1)
    assert await waiting_ids() == {first, second}


async def test_an_unclear_outcome_is_never_sent_again(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    platform.replies.append(UnknownOutcome())
    await let_leave()
    row = await the_message(id)
    assert (row["status"], row["settle_at"]) == ("sending", row["updated_at"] + NOT_FOUND_TIMEOUT)
    at = now()
    assert await conversations.reconcile(at=at) == 0
    assert await conversations.reconcile(at=at + NOT_FOUND_TIMEOUT) == 1
    row = await the_message(id)
    assert (row["status"], row["reason"]) == ("failed", "indeterminate")
    assert await moved_for(id) == [("reserva", 400)]  # in case a report still comes
    assert await told(desk.caller) == ["message.failed"]
    assert await conversations.reconcile(at=at + NOT_FOUND_TIMEOUT + timedelta(hours=71)) == 0
    assert await conversations.reconcile(at=at + NOT_FOUND_TIMEOUT + timedelta(hours=73)) == 1
    assert await moved_for(id) == [("reserva", 400), ("liberacao", 400)]
    assert await let_leave(at=at + timedelta(days=9)) == 0
    assert platform.ids == [id]


async def test_a_fault_of_ours_in_the_hand_over_is_an_unclear_outcome(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    id = await a_template(desk)

    async def broken(_: OutgoingMessage) -> SendReply:
        raise RuntimeError

    platform.replies.append(broken)
    await let_leave()
    assert (await the_message(id))["status"] == "sending"
    assert await let_leave(at=now() + timedelta(hours=1)) == 0


async def test_a_crash_between_claim_and_hand_over_loses_the_message_and_tells(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    id, at = await a_template(desk), now()
    claimed = await claim([Quota(desk.number_id, 1, 10)], at=at)
    assert [ready.row["id"] for ready in claimed.ready] == [id]
    # Here the process dies.
    assert await let_leave(at=at + timedelta(hours=1)) == 0
    assert await conversations.reconcile(at=at + NOT_FOUND_TIMEOUT) == 1
    assert ((await the_message(id))["status"], platform.sent) == ("failed", [])


async def test_a_crash_before_the_claim_commits_loses_nothing(
    platform: ScriptedPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await the_desk()
    id, at = await a_template(desk), now()

    async def dies(*_: Any, **__: Any) -> None:
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr("core.conversations.queue.claim.announce_messages", dies)
        with pytest.raises(ConnectionError):
            await claim([Quota(desk.number_id, 1, 10)], at=at)
    assert ((await the_message(id))["status"], await waiting_ids()) == ("queued", {id})
    assert await let_leave() == 1
    assert platform.ids == [id]


async def test_a_crash_between_hand_over_and_settling_sends_nothing_twice(
    platform: ScriptedPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await the_desk()
    id = await a_template(desk)

    async def dies(*_: Any, **__: Any) -> None:
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr("core.conversations.queue.settle.publish_moves", dies)
        await let_leave()
    assert (await the_message(id))["status"] == "sending"
    assert await moved_for(id) == [("reserva", 400)]
    assert await let_leave(at=now() + timedelta(hours=1)) == 0
    assert platform.ids == [id]


async def test_several_workers_send_each_message_once_and_the_wallet_adds_up(
    platform: ScriptedPlatform,
) -> None:
    desks = [await the_desk() for _ in range(3)]
    ids = [await a_template(desk, to) for desk in desks for to in phones(15)]
    outcomes = {id: place % 5 for place, id in enumerate(ids)}
    tried: Counter[str] = Counter()

    async def answer(outgoing: OutgoingMessage) -> SendReply:
        tried[outgoing.id] += 1
        await asyncio.sleep(0)
        match outcomes[outgoing.id]:
            case 0:
                return Rejection("131026", "Not there.")
            case 1 if tried[outgoing.id] == 1:
                return BUSY
            case 2:
                return UnknownOutcome()
        return PlatformAcceptance(f"wamid.{outgoing.id}")

    platform.replies.extend([answer] * 200)
    at = now()
    workers = [conversations.ConversationDispatcher() for _ in range(4)]
    for step in range(4):
        await asyncio.gather(
            *(worker.round(at=at + timedelta(seconds=10 * step)) for worker in workers)
        )
        await asyncio.gather(*(worker.finish() for worker in workers))
    assert await waiting_ids() == set()
    assert {id: tried[id] for id in ids} == {id: 2 if outcomes[id] == 1 else 1 for id in ids}
    rows = {row["id"]: row["status"] for row in await db.fetch("SELECT id, status FROM messages")}
    assert rows == {id: {0: "failed", 2: "sending"}.get(outcomes[id], "sent") for id in ids}
    for desk in desks:
        balances = await balances_of(desk.caller)
        assert balances == (100_000 - 12 * 400, 3 * 400, 9 * 400, 0)
    await conversations.reconcile(at=at + NOT_FOUND_TIMEOUT + timedelta(minutes=1))
    await conversations.reconcile(at=at + timedelta(days=4))
    assert [(await balances_of(desk.caller)).held for desk in desks] == [0, 0, 0]


async def test_one_pair_is_never_used_by_two_workers_at_once(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    for _ in range(6):
        await a_template(desk)
    at = now()
    workers = [conversations.ConversationDispatcher() for _ in range(3)]
    await asyncio.gather(*(worker.round(at=at) for worker in workers))
    await asyncio.gather(*(worker.finish() for worker in workers))
    assert len(platform.sent) == 1
    assert len(await waiting_ids()) == 5


async def test_a_cancellation_and_a_hand_over_never_both_happen(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    ids = [await a_template(desk, to) for to in phones(20)]

    async def cancel(id: str) -> bool:
        try:
            await conversations.cancel_message(desk.caller, id)
        except conversations.MessageNotCancelable:
            return False
        return True

    worker = conversations.ConversationDispatcher()
    canceled, _ = await asyncio.gather(
        asyncio.gather(*(cancel(id) for id in ids)), worker.round(at=now())
    )
    await worker.finish()
    gone = {id for id, was in zip(ids, canceled, strict=True) if was}
    assert set(platform.ids) == set(ids) - gone
    assert {id for id in ids if (await the_message(id))["status"] == "failed"} == gone


async def test_a_number_that_answers_slowly_holds_up_no_other(platform: ScriptedPlatform) -> None:
    slow, fast = await the_desk(), await the_desk()
    release = asyncio.Event()

    async def hangs(outgoing: OutgoingMessage) -> SendReply:
        await release.wait()
        return PlatformAcceptance(f"wamid.{outgoing.id}")

    platform.replies.extend([hangs] * 4)
    for to in phones(6):
        await a_template(slow, to)
    worker = conversations.ConversationDispatcher(max_in_flight=8, max_per_sender=4)
    await worker.round(at=now())
    quick = [await a_template(fast, to) for to in phones(3)]
    taken, _ = await worker.round(at=now())
    await eventually(lambda: all_sent(quick), "the fast number has sent")
    assert (taken, platform.at_once) == (3, 4)
    release.set()
    await worker.finish()


async def all_sent(ids: list[str]) -> bool:
    return all([(await the_message(id))["status"] == "sent" for id in ids])


async def test_without_a_platform_live_messages_wait(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    with conversing_by(None):
        await let_leave(rounds=2)
    assert ((await the_message(id))["status"], await waiting_ids()) == ("queued", {id})
    await let_leave(at=now() + timedelta(minutes=2))
    assert platform.ids == [id]


async def test_a_file_leaves_under_the_platforms_id(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    await a_window(desk.caller, desk.number_id)
    file = await a_file(desk.caller, PNG, number_id=desk.number_id, name="foto.png")
    said = {"kind": "image", "media": {"id": file.id, "caption": "Veja"}}
    sent = await a_message(desk.caller, desk.number_id, type="media", payload=said)
    await let_leave()
    assert platform.payloads == [
        {"kind": "image", "media": {"id": "platform-1", "caption": "Veja"}}
    ]
    assert (await the_message(sent["id"]))["content"] == said
    assert platform.uploaded == ["foto.png"]


async def test_a_file_that_grew_old_while_its_message_waited_leaves_all_the_same(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    await a_window(desk.caller, desk.number_id)
    file = await a_file(desk.caller, PNG, number_id=desk.number_id, name="foto.png")
    said = {"kind": "image", "media": {"id": file.id}}
    sent = await a_message(desk.caller, desk.number_id, type="media", payload=said)
    await MediaFile.filter(id=file.id).update(created_at=now() - timedelta(days=40))
    await let_leave()
    assert (await the_message(sent["id"]))["status"] == "sent"


async def test_an_id_that_looks_like_one_of_ours_is_left_as_the_customer_chose_it(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    await a_window(desk.caller, desk.number_id)
    said = {"kind": "buttons", "body": "Qual?", "buttons": [{"id": new_id("med"), "title": "Esta"}]}
    await a_message(desk.caller, desk.number_id, type="interactive", payload=said)
    await let_leave()
    assert platform.payloads == [said]


async def test_what_is_erased_while_it_is_handed_over_comes_back_by_no_answer(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    person = await contacts.create_contact(desk.caller, contacts.NewContact(phone=ANA))
    id = await a_template(desk)

    async def erased_meanwhile(_: OutgoingMessage) -> SendReply:
        await privacy.erase_contact(desk.caller, person["id"])
        return PlatformAcceptance(f"wamid.{ANA}", ANA.removeprefix("+"))

    platform.replies.append(erased_meanwhile)
    await let_leave()
    row = await the_message(id)
    assert (row["status"], row["provider_reference"], row["recipient"]) == ("sent", None, ANA[-4:])
    assert await moved_for(id) == [("reserva", 400), ("captura", 400)]
    assert await db.fetchval("SELECT count(*) FROM conversation_pairs") == 0


async def test_what_was_erased_while_it_waited_is_not_handed_over(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    await db.execute("UPDATE messages SET content = '{}', recipient = '0301' WHERE id = $1", id)
    await let_leave()
    row = await the_message(id)
    assert (row["status"], row["reason"], row["last_error"], platform.sent) == (
        "failed",
        "canceled",
        "cancelada",
        [],
    )
    assert await moved_for(id) == [("reserva", 400), ("liberacao", 400)]


async def test_what_a_canceled_batch_left_behind_is_not_handed_over(
    platform: ScriptedPlatform,
) -> None:
    """A cancellation leaves alone what a worker holds at that moment, and the worker may put it
    back.
    """
    desk = await the_desk()
    batch = (await a_bulk(desk, ANA))["batchId"]
    await db.execute("UPDATE message_batches SET canceled_at = now() WHERE id = $1", batch)
    await let_leave()
    (row,) = await messages_of(batch)
    assert (row["status"], row["last_error"], platform.sent) == ("failed", "cancelada", [])
    assert await moved_for(row["id"]) == [("reserva", 400), ("liberacao", 400)]


async def test_a_claim_locks_its_messages_before_their_pairs(platform: ScriptedPlatform) -> None:
    """As reports do, which know only the message at first: the other way round the two could wait
    for each other.
    """
    desk = await the_desk()
    id = await a_template(desk)
    await a_window(desk.caller, desk.number_id)
    async with transaction():
        await db.execute("SELECT FROM messages WHERE id = $1 FOR UPDATE", id)
        claiming = outside(claim([Quota(desk.number_id, 1, 10)], at=now()))
        await somebody_waits()
        assert await db.fetchval("SELECT id FROM conversation_pairs FOR UPDATE NOWAIT") is not None
    assert [ready.row["id"] for ready in (await claiming).ready] == [id]


async def test_what_is_settled_together_keeps_its_own_times(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    ids = [await a_template(desk, to) for to in phones(2)]
    at = now()
    claimed = await claim([Quota(desk.number_id, 1, 10)], at=at)
    times = {
        one.queued.message_id: at + timedelta(seconds=place)
        for place, one in enumerate(claimed.ready)
    }
    await settle(
        [
            settlement_of(one.queued, PlatformAcceptance("x"), times[one.queued.message_id])
            for one in claimed.ready
        ]
    )
    assert {id: (await the_message(id))["sent_at"] for id in ids} == times
    told_of = await db.fetch(
        "SELECT data ->> 'id' AS id, occurred_at FROM webhook_events WHERE type = 'message.sent'"
    )
    assert {row["id"]: row["occurred_at"] for row in told_of} == times


async def test_a_number_with_much_of_everything_has_its_share_and_no_more(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    release = asyncio.Event()

    async def hangs(outgoing: OutgoingMessage) -> SendReply:
        await release.wait()
        return PlatformAcceptance(f"wamid.{outgoing.id}")

    platform.replies.extend([hangs] * 9)
    for place, to in enumerate(phones(9)):
        await a_template(desk, to, priority=("critical", "normal", "bulk")[place % 3])
    worker = conversations.ConversationDispatcher(max_in_flight=8, max_per_sender=2)
    taken, _ = await worker.round(at=now())
    release.set()
    await worker.finish()
    assert taken == 2


async def test_a_number_whose_token_cannot_be_read_sends_nothing(
    platform: ScriptedPlatform,
) -> None:
    desk = await the_desk()
    id = await a_template(desk)
    await Number.filter(id=desk.number_id).update(credentials="unreadable")
    await let_leave()
    row = await the_message(id)
    assert (row["status"], row["reason"], platform.sent) == ("failed", "number_unavailable", [])
    assert await moved_for(id) == [("reserva", 400), ("liberacao", 400)]


async def test_a_text_leaves_in_its_window(platform: ScriptedPlatform) -> None:
    desk = await the_desk()
    await a_window(desk.caller, desk.number_id)
    sent = await a_message(desk.caller, desk.number_id, payload={"text": "Oi", "previewUrl": True})
    await let_leave()
    assert platform.payloads == [{"text": "Oi", "previewUrl": True}]
    assert await moved_for(sent["id"]) == []


async def test_without_billing_nothing_moves(
    platform: ScriptedPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await the_desk()
    await wallet.debit(desk.caller.organization_id, "live", 100_000)
    monkeypatch.setattr(Settings, "charges", property(lambda _: False))
    id = await a_template(desk)
    await let_leave()
    assert ((await the_message(id))["coins"], await moved_for(id)) == (0, [])


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("2534022", FailureReason.WINDOW_CLOSED),
        ("190", FailureReason.NUMBER_UNAVAILABLE),
        ("131037", FailureReason.NUMBER_UNAVAILABLE),
        ("131042", FailureReason.NUMBER_UNAVAILABLE),
        ("429", FailureReason.THROTTLED),
    ],
)
def test_what_another_try_may_mend_is_told_from_what_it_may_not(
    code: str, reason: FailureReason
) -> None:
    assert reason_of(code) is reason


@pytest.mark.parametrize("code", sorted(TEMPORARY_CODES))
def test_what_the_platform_calls_temporary_may_be_sent_again(code: str) -> None:
    assert reason_of(code) in TEMPORARY


def test_codes_of_the_platform_have_reasons() -> None:
    assert [reason_of(code).value for code in ("503", "130429", "999", None)] == [
        "upstream_failed",
        "throttled",
        "rejected",
        "rejected",
    ]
