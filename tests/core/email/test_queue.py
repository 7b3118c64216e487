"""E-mails that leave later: accepted with their price held, put into the outbox when they are due."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import contacts, email, idempotency, messaging, privacy
from core.email.errors import NoRelay, NoVerifiedSender
from core.email.outgoing import unseal
from core.email.queue import release
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from core.messaging import (
    AcceptedSend,
    MessageNotCancelable,
    MessagePriority,
    RecipientOptedOut,
    SendSchedule,
)
from tests.factories.contacts import a_denial_of_email
from tests.factories.emails import SENDER, a_new_email, a_sender, an_email, carried
from tests.factories.organizations import a_caller
from tests.factories.queue import due_at
from tests.factories.stored_contacts import stored_contact
from tests.fakes.provider import Crash
from tests.fakes.relay import Relay
from tests.support.mail import outbox_of, told
from tests.support.money import balances_of, moved_for, the_message
from tests.support.stored import nothing_stored
from tests.support.told import audited

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
HELD, PAID, FREED = [("reserva", 10)], ("captura", 10), ("liberacao", 10)


async def a_queued(caller: Caller, **fields: Any) -> dict[str, Any]:
    """The answer to a send with a time: in an hour, unless told."""
    return await an_email(caller, **{"scheduledAt": now() + HOUR, **fields})


async def released(*, at: datetime | None = None) -> int:
    """What is put into the outbox at this moment."""
    return await email.QueueRelease().release_due(at=at or now())


async def test_it_is_answered_as_queued_with_its_price_held(clean_slate: None) -> None:
    caller = await a_caller()
    time = now() + HOUR

    sent = await a_queued(caller, scheduledAt=time)

    shown = await email.get_message(caller, sent["id"])
    assert shown["origem"] == {"tipo": "api"}
    assert {**sent, **shown} == {**sent, "origem": shown["origem"]}
    assert (sent["status"], sent["scheduledAt"], sent["billing"]) == (
        "queued",
        wire_time(time),
        {"coins": 10},
    )
    assert await moved_for(sent["id"]) == HELD
    row = await the_message(sent["id"])
    assert (row["priority"], row["settle_at"]) == ("normal", None)
    assert await due_at(sent["id"]) == time
    assert await outbox_of(caller) == [sent["id"]]
    assert await email.hand_over_due(at=time + DAY) == 0


async def test_its_key_answers_again_until_a_day_after_its_time(clean_slate: None) -> None:
    caller = await a_caller()
    time = now() + 3 * DAY
    first = await a_queued(caller, key="k", scheduledAt=time)

    again = await a_queued(caller, key="k", scheduledAt=time)

    assert again == {**first, "replayed": True}
    assert await db.fetchval("SELECT expires_at FROM idempotency_keys") == time + DAY
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_queued(caller, key="k", scheduledAt=time + SECOND)


async def test_what_is_refused_leaves_nothing_behind(clean_slate: None) -> None:
    caller, live = await a_caller(), await a_sender()
    await a_denial_of_email(caller, "ana@example.org", "email")

    async with nothing_stored():
        with pytest.raises(RecipientOptedOut):
            await a_queued(caller, categoria="marketing")
        with pytest.raises(NoVerifiedSender):
            await a_queued(caller, **{"from": "eu@unverified.test"})
        with pytest.raises(NoRelay):
            await a_queued(live)


async def test_a_suppressed_address_fails_at_once_and_costs_nothing(clean_slate: None) -> None:
    caller = await a_caller()
    await suppressed(caller)

    sent = await a_queued(caller)

    assert (sent["status"], sent["reason"], sent["billing"]) == (
        "failed",
        "suppressed",
        {"coins": 0},
    )
    assert await due_at(sent["id"]) is None
    assert await outbox_of(caller) == []


async def suppressed(caller: Caller) -> None:
    await suppress(
        [NewSuppression(caller.organization_id, caller.env, "ana@example.org", "complaint", None)],
        at=now(),
    )


async def test_many_are_queued_at_once_each_with_its_own_outcome(clean_slate: None) -> None:
    caller = await a_caller()
    await a_denial_of_email(caller, "bia@example.org", "email")
    time = now() + HOUR

    def one(key: str, **fields: Any) -> email.QueuedEmail:
        new = a_new_email(categoria="marketing", **fields)
        return email.queued_email(
            caller,
            new,
            key=key,
            key_route="journeys",
            later=SendSchedule(time, priority=MessagePriority.BULK),
        )

    outcomes = await email.queue_messages(
        [
            one("run 1"),
            one("run 2", to="bia@example.org"),
            one("run 3", **{"from": "a@unverified.test"}),
        ]
    )

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [AcceptedSend, RecipientOptedOut, NoVerifiedSender]
    assert await email.queue_messages([one("run 1")]) == [replace(outcomes[0], replayed=True)]  # type: ignore[type-var]
    rows = await db.fetch("SELECT urgency, due_at, expires_at, sender_id FROM waiting_messages")
    assert [tuple(row.values()) for row in rows] == [
        (2, time, time + DAY, f"email:test:{caller.organization_id}")
    ]


# Leaving ------------------------------------------------------------------------------------------


async def test_the_sandbox_takes_it_at_its_time(clean_slate: None) -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)
    assert await released(at=time - SECOND) == 0

    assert await released(at=time) == 1
    assert await email.hand_over_due(at=time) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["sent_at"]) == ("sent", time)
    assert await moved_for(sent["id"]) == [*HELD, PAID]
    assert await outbox_of(caller) == []


async def test_a_live_one_leaves_with_the_date_of_its_time(clean_slate: None, relay: Relay) -> None:
    caller = await a_sender()
    sent = await a_queued(caller, scheduledAt=now() - SECOND)

    await released()
    assert await carried() == 1

    (taken,) = relay.taken
    assert taken.outgoing["Message-ID"] == f"<{sent['id']}@svc.test>"
    assert await moved_for(sent["id"]) == [*HELD, PAID]
    assert (await the_message(sent["id"]))["status"] == "sent"


async def test_the_letter_bears_the_date_of_its_time(clean_slate: None) -> None:
    caller = await a_caller()
    time = datetime(now().year + 1, 1, 2, 3, 4, 5, tzinfo=now().tzinfo) - 30 * DAY
    sent = await a_queued(caller, scheduledAt=time)

    letter = await db.fetchval("SELECT letter FROM email_letters")

    assert f"Date: {time:%a, %d %b %Y %H:%M:%S} +0000".encode() in unseal(sent["id"], letter)


async def test_a_relay_that_defers_is_tried_for_a_day_from_its_time_on(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    sent = await a_queued(caller, scheduledAt=now())
    await db.execute("UPDATE messages SET created_at = $1", now() - 30 * DAY)
    relay.on_data.append("451 4.7.1 Try again later")
    await released()

    await carried()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("queued", None)
    assert await email.hand_over_due(at=row["settle_at"]) == 1
    assert (await the_message(sent["id"]))["status"] == "sent"


@pytest.mark.parametrize("how", ["denied", "suppressed"])
async def test_who_must_not_get_it_any_more_gets_none(clean_slate: None, how: str) -> None:
    caller = await a_caller()
    sent = await a_queued(caller, scheduledAt=now(), categoria="marketing")
    if how == "denied":
        await a_denial_of_email(caller, "ana@example.org", "email")
    else:
        await suppressed(caller)

    await released()
    await email.hand_over_due(at=now())

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "suppressed")
    assert await moved_for(sent["id"]) == [*HELD, FREED]
    assert await outbox_of(caller) == []


async def test_a_contact_that_closes_email_calls_off_what_waits_for_it(clean_slate: None) -> None:
    caller = await a_caller()
    contact = await stored_contact(caller, email="ana@example.org")
    marketing = await a_queued(caller, categoria="marketing")
    notice = await a_queued(caller)

    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"contactIds": [contact], "canal": "email"})
    )

    row = await the_message(marketing["id"])
    assert (row["status"], row["reason"]) == ("failed", "suppressed")
    assert [kind for kind, _ in await told(caller)] == ["email.bounced"]
    assert await outbox_of(caller) == [notice["id"]]


async def test_an_erased_recipient_gets_nothing(clean_slate: None) -> None:
    caller = await a_caller()
    contact = await stored_contact(caller, email="ana@example.org")
    sent = await a_queued(caller, scheduledAt=now())

    await privacy.erase_contact(caller, contact)

    assert await released() == 0
    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "canceled")
    assert await moved_for(sent["id"]) == [*HELD, FREED]


@pytest.mark.parametrize("by", ["sweep", "release"])
async def test_whose_validity_is_over_fails(clean_slate: None, by: str) -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)

    if by == "sweep":
        assert await messaging.end_expired(at=time + DAY) == 1
    else:
        assert await released(at=time + DAY) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "provider_error")
    assert await moved_for(sent["id"]) == [*HELD, FREED]
    assert await outbox_of(caller) == []
    assert [kind for kind, _ in await told(caller)] == ["email.bounced"]


async def test_what_requests_send_is_never_behind_a_campaign(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "MAX_IN_OUTBOX", 3)
    caller = await a_caller()
    campaign = [
        email.queued_email(
            caller,
            a_new_email(),
            key=f"k{place}",
            later=SendSchedule(now(), priority=MessagePriority.BULK),
        )
        for place in range(5)
    ]
    await email.queue_messages(campaign)
    timed = [await a_queued(caller, scheduledAt=now()) for _ in range(2)]
    at_once = await an_email(caller)

    assert await released() == 2
    assert await released() == 0

    rows = await db.fetch("SELECT id FROM messages WHERE settle_at IS NOT NULL ORDER BY settle_at")
    assert rows[0]["id"] == at_once["id"]
    assert {row["id"] for row in rows[1:]} == {sent["id"] for sent in timed}
    assert await email.hand_over_due(at=now()) == 3
    assert await released() == 3


# Workers that die --------------------------------------------------------------------------------


async def test_a_worker_that_dies_while_it_releases_leaves_all_as_it_was(
    real_commits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    sent = await a_queued(caller, scheduledAt=now())

    async def dies(*_: Any, **__: Any) -> None:
        raise Crash

    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr(release, "settle", dies)
        await released()

    row = await the_message(sent["id"])
    assert (row["status"], row["settle_at"], row["handed_over_at"]) == ("queued", None, None)
    assert await released() == 1
    assert await email.hand_over_due(at=now()) == 1
    assert (await the_message(sent["id"]))["status"] == "sent"


async def test_three_workers_transmit_each_letter_once_while_some_are_called_off(
    real_commits: None, relay: Relay
) -> None:
    caller = await a_sender()
    new = a_new_email(**{"from": SENDER})
    await email.queue_messages(
        [
            email.queued_email(caller, new, key=f"k{place}", later=SendSchedule(now()))
            for place in range(60)
        ]
    )
    ids = [row["id"] for row in await db.fetch("SELECT id FROM messages ORDER BY id")]
    releases = [email.QueueRelease() for _ in range(3)]
    canceled: set[str] = set()

    async def call_off() -> None:
        for id in ids[::7]:
            try:
                await email.cancel_message(caller, id)
            except MessageNotCancelable:
                continue
            canceled.add(id)

    async def all_left() -> None:
        while await db.fetchval("SELECT count(*) FROM waiting_messages"):
            await asyncio.gather(*(one.release_due(at=now()) for one in releases))
        while any(await asyncio.gather(*(email.hand_over_due(at=now()) for _ in range(3)))):
            pass

    await asyncio.gather(all_left(), call_off())

    taken = Counter(str(one.outgoing["Message-ID"])[1:].partition("@")[0] for one in relay.taken)
    assert set(taken.values()) == {1}
    assert taken.keys() | canceled == set(ids)
    assert not taken.keys() & canceled
    balances = await balances_of(caller)
    assert (balances.held, balances.revenue) == (0, 10 * len(taken))


# Canceling ----------------------------------------------------------------------------------------


async def test_what_waits_is_canceled_and_costs_nothing(clean_slate: None) -> None:
    caller = await a_caller()
    sent = await a_queued(caller)

    canceled = await email.cancel_message(caller, sent["id"])

    assert (canceled["status"], canceled["reason"]) == ("failed", "canceled")
    assert canceled == await email.get_message(caller, sent["id"])
    assert await moved_for(sent["id"]) == [*HELD, FREED]
    assert await outbox_of(caller) == []
    (entry,) = await audited(caller.organization_id, "message.canceled")
    assert entry["subject_id"] == sent["id"]


async def test_only_what_waits_is_canceled_and_only_by_its_owner(clean_slate: None) -> None:
    caller, other = await a_caller(), await a_caller()
    reader = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.EMAIL_READ})
    )
    in_outbox = await an_email(caller)
    waits = await a_queued(caller)

    with pytest.raises(MessageNotCancelable):
        await email.cancel_message(caller, in_outbox["id"])
    with pytest.raises(NotFound):
        await email.cancel_message(other, waits["id"])
    with pytest.raises(Forbidden):
        await email.cancel_message(reader, waits["id"])

    assert (await the_message(waits["id"]))["status"] == "queued"
