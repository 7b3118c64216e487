"""Messages that a provider does not know are handed over again, where it promises to take an id
only once.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import contacts, messaging, privacy, sms
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
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
from core.sms.errors import OutcomeUnknown
from core.sms.reconcile import REPEATABLE
from tests.factories.contacts import a_denial
from tests.factories.live import a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.provider import Crash, ScriptedProvider, accept, crash, reference_of
from tests.support.counted import counted
from tests.support.money import (
    Balances,
    balances_of,
    keys_of,
    moved_for,
    the_message,
    told,
    volume_of,
)
from tests.support.waiting import eventually

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
PHONE = "+5511987650005"


@pytest.fixture(autouse=True)
def promise(provider: ScriptedProvider) -> None:
    """The provider takes an id only once."""
    provider.is_idempotent = True


async def a_crashed(
    caller: Caller, provider: ScriptedProvider, **fields: Any
) -> tuple[str, datetime]:
    """A message whose process died before the provider had it; its id, and when it was taken in."""
    provider.will(crash)
    with pytest.raises(Crash):
        await a_send(caller, **fields)
    id = provider.asked[-1].id
    return id, (await the_message(id))["created_at"]


async def test_a_message_whose_process_died_leaves_as_it_was_and_is_paid_once(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    body = "Ola! https://example.com/pedido?id=7 " + "a" * 140
    id, born = await a_crashed(
        caller, provider, key="k", body=body, senderId="Loja", trackLinks=True
    )

    with counted("svc_messages_handed_over_again") as repeats:
        assert await sms.reconcile(at=born + 60 * SECOND) == 1

    first, second = provider.asked
    assert first == second
    assert "https://example.com" not in str(second.text)
    assert repeats == {("svc_messages_handed_over_again_total", "sms", "taken"): 1}
    row = await the_message(id)
    assert (row["status"], row["provider_reference"], row["settle_at"]) == (
        "sent",
        reference_of(id),
        None,
    )
    assert await moved_for(id) == [("reserva", 1600), ("captura", 1600)]
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)
    assert await volume_of(caller) == 2
    again = await a_send(caller, key="k", body=body, senderId="Loja", trackLinks=True)
    assert (again["id"], again["status"], again["replayed"]) == (id, "sent", True)
    assert await sms.reconcile(at=born + 100 * HOUR) == 0
    assert len(provider.asked) == 2


async def test_its_text_is_kept_encrypted_and_only_while_its_outcome_is_not_known(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider, body="segredo do cliente")
    sealed: str = await db.fetchval("SELECT sealed_text FROM messages WHERE id = $1", id)
    assert keyring().decrypt(sealed, context=f"messages.sealed_text:{id}") == "segredo do cliente"
    assert "segredo" not in await db.fetchval(
        "SELECT to_jsonb(m)::text FROM messages m WHERE id = $1", id
    )

    await sms.reconcile(at=born + MINUTE)
    sent = await a_send(caller)

    assert (await the_message(id))["sealed_text"] is None
    assert (await the_message(sent["id"]))["sealed_text"] is None


async def test_without_the_promise_no_text_is_kept_and_nothing_leaves_twice(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    provider.is_idempotent = False
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider)
    assert (await the_message(id))["sealed_text"] is None
    for minutes in (1, 2, 4, 8, 10):
        await sms.reconcile(at=born + minutes * MINUTE)
    assert len(provider.asked) == 1
    assert (await the_message(id))["reason"] == "indeterminate"


async def test_what_the_provider_has_or_cannot_tell_of_is_not_handed_over_again(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    found, born = await a_crashed(caller, provider)
    silent, _ = await a_crashed(caller, provider)
    provider.knows = {found: MessageFound("gw_found", "sent"), silent: LookupFailed()}
    await sms.reconcile(at=born + 2 * MINUTE)
    assert len(provider.asked) == 2
    assert (await the_message(found))["status"] == "sent"
    assert (await the_message(silent))["status"] == "sending"


@pytest.mark.parametrize("answer", [Unknown(), Failed(), Throttled(1), OutOfCredit()])
async def test_it_is_handed_over_after_one_two_four_and_eight_minutes_and_then_given_up(
    clean_slate: None, provider: ScriptedProvider, answer: Answer
) -> None:
    """Only once it was taken, or refused for its recipient, is it settled: another hand-over may
    still be under way.
    """
    caller = await a_live_caller(10_000)
    id, born = await a_crashed(caller, provider, key="k")
    provider.will(*[answer] * 9)
    handed_over = []
    for seconds in range(60, 600, 10):
        before = len(provider.asked)
        assert await sms.reconcile(at=born + seconds * SECOND) == 1
        if len(provider.asked) > before:
            handed_over.append(seconds)
    assert handed_over == [60, 120, 240, 480]
    assert await moved_for(id) == [("reserva", 800)]
    assert set((await keys_of(caller)).values()) == {id}

    await sms.reconcile(at=born + 10 * MINUTE)

    row = await the_message(id)
    assert (row["status"], row["reason"], row["sealed_text"]) == ("failed", "indeterminate", None)
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)
    assert len(provider.asked) == 5


async def test_a_worker_that_comes_late_hands_it_over_once_and_keeps_to_the_plan(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    _, born = await a_crashed(caller, provider)
    provider.will(Failed())
    for seconds in (300, 310, 470):
        await sms.reconcile(at=born + seconds * SECOND)
    assert len(provider.asked) == 2
    await sms.reconcile(at=born + 480 * SECOND)
    assert len(provider.asked) == 3


async def test_after_ten_minutes_nothing_leaves_any_more(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider)
    await sms.reconcile(at=born + 10 * MINUTE)
    assert len(provider.asked) == 1
    assert (await the_message(id))["reason"] == "indeterminate"


async def test_a_refusal_for_the_recipient_ends_it_and_gives_its_price_back(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, born = await a_crashed(caller, provider)
    provider.will(Refused("blacklisted"))
    await sms.reconcile(at=born + MINUTE)
    assert ((await the_message(id))["status"], (await the_message(id))["reason"]) == (
        "failed",
        "blacklisted",
    )
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert [type for type, _ in await told(caller)] == ["sms.failed"]


# Whom it must not reach any more ------------------------------------------------------------------


@pytest.mark.parametrize("route", ["premium", "otp"])
async def test_who_opted_out_meanwhile_is_not_written_to_but_for_a_transaction(
    clean_slate: None, provider: ScriptedProvider, route: str
) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider, route=route)
    await a_denial(caller, PHONE)
    await sms.reconcile(at=born + MINUTE)
    assert (await the_message(id))["status"] == ("sending" if route == "premium" else "sent")
    assert len(provider.asked) == (1 if route == "premium" else 2)


async def test_a_named_contact_that_opted_out_under_another_phone_is_not_written_to(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    other = "+5511987650114"
    contact = await contacts.create_contact(
        caller, contacts.NewContact.model_validate({"phone": other})
    )
    _, born = await a_crashed(caller, provider, contactId=contact["id"])
    await a_denial(caller, other)
    await sms.reconcile(at=born + MINUTE)
    assert len(provider.asked) == 1


async def test_an_erased_contact_is_not_written_to_and_its_text_is_gone(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    contact = await contacts.create_contact(
        caller, contacts.NewContact.model_validate({"phone": PHONE})
    )
    id, born = await a_crashed(caller, provider, route="otp")
    await privacy.erase_contact(caller, contact["id"])
    assert (await the_message(id))["sealed_text"] is None
    await sms.reconcile(at=born + MINUTE)
    assert len(provider.asked) == 1


async def test_a_text_whose_key_is_gone_is_left_and_stops_no_other(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    lost, born = await a_crashed(caller, provider)
    kept, _ = await a_crashed(caller, provider)
    await db.execute("UPDATE messages SET sealed_text = 'gone.AAAA' WHERE id = $1", lost)
    await sms.reconcile(at=born + 2 * MINUTE)
    assert (await the_message(lost))["status"] == "sending"
    assert (await the_message(kept))["status"] == "sent"


# A process that is slow and not dead --------------------------------------------------------------


@pytest.mark.parametrize(
    "late", [Accepted("gw_late"), Failed(), Throttled(1), OutOfCredit(), Unknown()]
)
@pytest.mark.parametrize("again", [Accepted("gw_again"), Failed(), Unknown()])
async def test_whatever_a_slow_process_and_the_worker_are_told_it_is_paid_as_the_provider_took_it(
    real_commits: None, provider: ScriptedProvider, late: Answer, again: Answer
) -> None:
    """The first hand-over is answered after the second one was begun."""
    caller = await a_live_caller(10_000)
    awake = asyncio.Event()

    async def slow(outgoing: Outgoing) -> Answer:
        await awake.wait()
        return late

    provider.will(slow, again)
    sending = asyncio.create_task(refused_or_sent(caller))
    await eventually(lambda: provider.asked, "the first process hands it over")
    id = provider.asked[0].id
    born = (await the_message(id))["created_at"]
    await sms.reconcile(at=born + MINUTE)
    awake.set()
    answered = await sending

    taken = Accepted in (type(late), type(again))
    assert len(provider.asked) == 2
    assert provider.asked[0] == provider.asked[1]
    row = await the_message(id)
    if taken:
        assert row["status"] == "sent"
        assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
        assert answered["status"] == "sent"
        assert (await a_send(caller, key="k"))["id"] == id
    else:
        # Neither may have been the last word: the key stays with the message, and its price held.
        assert (row["status"], answered["outcome"]) == ("sending", OutcomeUnknown)
        assert await moved_for(id) == [("reserva", 800)]
        assert set((await keys_of(caller)).values()) == {id}


async def refused_or_sent(caller: Caller) -> dict[str, Any]:
    """The record, or the kind of the refusal."""
    try:
        return await a_send(caller, key="k")
    except OutcomeUnknown as unknown:
        return {"outcome": type(unknown)}


ONE = "SELECT * FROM messages WHERE id = $1"


async def test_what_a_slow_process_has_settled_is_not_handed_over_again(
    real_commits: None, provider: ScriptedProvider
) -> None:
    """The refusal came between the look-up and the mark: the key is free, and another message may
    leave under it.
    """
    caller = await a_live_caller(10_000)
    provider.will(Failed())
    id = (await refused_send(caller, key="k")).meta["messageId"]
    [row] = await messaging.fetch_messages(ONE, id)
    assert await messaging.hand_over_again(REPEATABLE, [row], at=row["created_at"] + MINUTE) == {}
    assert len(provider.asked) == 1


async def test_two_workers_hand_it_over_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, born = await a_crashed(caller, provider)
    [row] = await messaging.fetch_messages(ONE, id)
    at = born + MINUTE
    answers = await asyncio.gather(
        *(messaging.hand_over_again(REPEATABLE, [row], at=at) for _ in range(4))
    )
    assert [len(answer) for answer in answers].count(1) == 1
    assert len(provider.asked) == 2


async def test_a_worker_that_dies_after_the_mark_leaves_it_to_the_next_time_of_the_plan(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider)
    provider.will(crash, accept)
    assert await sms.reconcile(at=born + MINUTE) == 1
    assert await sms.reconcile(at=born + 2 * MINUTE) == 1
    assert (await the_message(id))["status"] == "sent"
    assert len(provider.asked) == 3
