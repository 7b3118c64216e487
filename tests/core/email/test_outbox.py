"""Live e-mails: what the relay gets, what its replies mean, and what is never done twice."""

from datetime import timedelta

import pytest

from core import email
from core.email.errors import NoRelay
from core.email.retry_policy import next_attempt
from core.foundation.clock import now
from core.foundation.database import db
from core.providers import registry
from tests.factories.emails import a_sender, an_email, carried
from tests.fakes.relay import HANG_UP, Relay
from tests.support.counted import counted
from tests.support.mail import outbox_of, told
from tests.support.money import balances_of, moved_for, the_message


async def test_a_letter_is_queued_with_its_price_held_and_leaves_with_it_captured(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    assert (sent["status"], sent["billing"]) == ("queued", {"coins": 10})
    assert await moved_for(sent["id"]) == [("reserva", 10)]
    assert await outbox_of(caller) == [sent["id"]]

    with counted("svc_receipts") as reports:
        assert await carried() == 1

    assert reports == {("svc_receipts_total", "email", "live", "sent"): 1}
    row = await the_message(sent["id"])
    assert (row["status"], row["settle_at"]) == ("sent", None)
    assert row["sent_at"] is not None
    assert await moved_for(sent["id"]) == [("reserva", 10), ("captura", 10)]
    assert await outbox_of(caller) == []
    (taken,) = relay.taken
    assert (taken.sender, taken.recipients) == ("loja@example.com", ["ana@example.org"])
    assert taken.outgoing["Message-ID"] == f"<{sent['id']}@svc.test>"
    assert taken.options == [f"SIZE={len(taken.content)}"]
    assert await carried() == 0


async def test_what_is_stored_of_a_letter_can_be_read_by_nobody_else(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    sent = await an_email(caller, text="segredo do cliente")
    (sealed,) = [row["letter"] for row in await db.fetch("SELECT letter FROM email_letters")]
    assert "segredo" not in sealed
    row: str = await db.fetchval(
        "SELECT to_jsonb(m)::text FROM messages m WHERE id = $1", sent["id"]
    )
    assert "segredo" not in row


async def test_a_letter_that_no_key_opens_waits_and_holds_up_no_other(
    real_commits: None, relay: Relay
) -> None:
    """Its key may have been taken out too early, and be given back."""
    caller = await a_sender()
    lost, other = await an_email(caller), await an_email(caller)
    await db.execute(
        "UPDATE email_letters SET letter = 'nobodys.' || letter WHERE message_id = $1", lost["id"]
    )

    assert await carried() == 2

    assert (await the_message(lost["id"]))["status"] == "queued"
    assert (await the_message(other["id"]))["status"] == "sent"
    assert await outbox_of(caller) == [lost["id"]]


@pytest.mark.parametrize("step", ["on_sender", "on_recipient", "on_data"])
async def test_a_letter_that_is_put_off_is_tried_again_and_arrives_once(
    clean_slate: None, relay: Relay, step: str
) -> None:
    caller = await a_sender()
    getattr(relay, step).append("451 4.7.1 Try again later")
    sent = await an_email(caller)

    await carried()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["provider_reference"]) == ("queued", None, None)
    assert row["settle_at"] > now()
    assert await moved_for(sent["id"]) == [("reserva", 10)]
    assert await carried() == 0
    assert await email.hand_over_due(at=row["settle_at"]) == 1
    assert (await the_message(sent["id"]))["status"] == "sent"
    assert len(relay.taken) == 1


def test_a_letter_waits_as_long_again_as_it_has_waited() -> None:
    born = now()
    at, pauses = born, []
    while (again := next_attempt(born, at=at)) is not None:
        pauses.append((again - at).total_seconds())
        at = again
    assert pauses[:7] == [30, 30, 60, 120, 240, 480, 960]
    assert set(pauses[8:]) == {3600}
    assert timedelta(hours=24) <= at - born < timedelta(hours=25)


async def test_a_letter_that_is_put_off_for_a_day_fails_and_costs_nothing(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    relay.on_recipient.append("452 4.2.2 Mailbox full")
    sent = await an_email(caller)
    await db.execute(
        "UPDATE messages SET created_at = created_at - interval '24 hours' WHERE id = $1",
        sent["id"],
    )

    await carried()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["coins"]) == ("failed", "mailbox_full", 0)
    assert await moved_for(sent["id"]) == [("reserva", 10), ("liberacao", 10)]
    assert await outbox_of(caller) == []
    assert [(name, data["status"]) for name, data in await told(caller)] == [
        ("email.bounced", "failed")
    ]


@pytest.mark.parametrize(
    ("step", "reply", "reason"),
    [
        ("on_recipient", "550 5.1.1 No such user", "invalid_address"),
        ("on_recipient", "550 No such user", "invalid_address"),
        ("on_recipient", "552 5.2.2 Mailbox full", "mailbox_full"),
        ("on_recipient", "550 5.7.1 Blocked", "content_rejected"),
        ("on_sender", "553 5.1.8 Your domain does not exist", "provider_error"),
        ("on_sender", "550 5.7.1 Not from you", "content_rejected"),
        ("on_data", "554 Looks like spam", "content_rejected"),
        ("on_data", "554 5.3.4 Too large", "provider_error"),
    ],
)
async def test_a_letter_that_is_refused_fails_for_the_reason_given(
    clean_slate: None, relay: Relay, step: str, reply: str, reason: str
) -> None:
    caller = await a_sender()
    getattr(relay, step).append(reply)
    sent = await an_email(caller)
    before = await balances_of(caller)

    await carried()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["coins"]) == ("failed", reason, 0)
    assert row["failed_at"] is not None
    assert (await balances_of(caller)).available == before.available + 10
    ((name, data),) = await told(caller)
    assert (name, data["status"], data["reason"]) == ("email.bounced", "failed", reason)
    assert relay.taken == []
    again = await an_email(caller)
    assert (again["status"] == "failed") == (reason == "invalid_address")


async def test_a_letter_whose_answer_never_came_is_not_sent_twice(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    relay.on_data.append(HANG_UP)
    sent = await an_email(caller)

    await carried()
    await email.hand_over_due(at=now() + timedelta(hours=2))

    assert (await the_message(sent["id"]))["status"] == "sent"
    assert len(relay.taken) == 1
    assert await moved_for(sent["id"]) == [("reserva", 10), ("captura", 10)]


async def test_a_worker_that_died_while_transmitting_makes_no_second_letter(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await db.execute("UPDATE messages SET provider_reference = id WHERE id = $1", sent["id"])

    await carried()

    assert (await the_message(sent["id"]))["status"] == "sent"
    assert relay.taken == []


async def test_a_worker_that_died_before_transmitting_loses_nothing(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await db.execute(
        "UPDATE messages SET settle_at = now() + interval '5 minutes' WHERE id = $1", sent["id"]
    )

    assert await carried() == 0
    assert await email.hand_over_due(at=now() + timedelta(minutes=6)) == 1

    assert len(relay.taken) == 1


async def test_whoever_lost_the_lease_of_a_letter_leaves_it(
    clean_slate: None, relay: Relay
) -> None:
    from core.messaging import mark_begun as begin

    caller = await a_sender()
    sent = await an_email(caller)
    lease = (await the_message(sent["id"]))["settle_at"]
    assert await begin([(sent["id"], lease - timedelta(seconds=1))]) == [False]
    assert await begin([(sent["id"], lease)]) == [True]
    assert await begin([(sent["id"], lease)]) == [False]


async def test_without_a_relay_nothing_is_stored_and_what_waits_waits(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    waiting = await an_email(caller)
    registry.carry_mail_by(None)
    before = await balances_of(caller)

    with pytest.raises(NoRelay):
        await an_email(caller)
    await carried()

    assert await balances_of(caller) == before
    assert (await the_message(waiting["id"]))["status"] == "queued"
    assert await outbox_of(caller) == [waiting["id"]]


async def test_a_relay_that_is_away_loses_nothing(clean_slate: None, relay: Relay) -> None:
    from core.providers.smtp import RelaySettings, Smtp

    caller = await a_sender()
    sent = await an_email(caller)
    registry.carry_mail_by(
        Smtp(
            RelaySettings("127.0.0.1", 1, False, False, None, None, None, "svc.test", 2.0),
            connections=2,
        )
    )

    await carried()

    assert (await the_message(sent["id"]))["status"] == "queued"
    assert await outbox_of(caller) == [sent["id"]]


async def test_many_letters_share_few_connections(real_commits: None, relay: Relay) -> None:
    caller = await a_sender()
    sent = {(await an_email(caller, to=f"ana{n}@example.org"))["id"] for n in range(60)}

    while await carried():
        pass

    assert len(relay.taken) == 60
    assert {taken.outgoing["Message-ID"][1:26] for taken in relay.taken} == sent
    assert relay.sessions <= 4
    assert (await balances_of(caller)).held == 0


async def test_marketing_that_was_denied_meanwhile_stays_here(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    marketing = await an_email(caller, categoria="marketing")
    transactional = await an_email(caller)
    await email.unsubscribe(
        _token_of(relay, await _first_letter(marketing["id"])), request_id="r", at=now()
    )

    await carried()

    assert (await the_message(marketing["id"]))["reason"] == "suppressed"
    assert (await the_message(transactional["id"]))["status"] == "sent"
    assert await moved_for(marketing["id"]) == [("reserva", 10), ("liberacao", 10)]


async def _first_letter(id: str) -> bytes:
    from core.email.outgoing import unseal

    return unseal(
        id, await db.fetchval("SELECT letter FROM email_letters WHERE message_id = $1", id)
    )


def _token_of(relay: Relay, outgoing: bytes) -> str:
    return outgoing.partition(b"/u/")[2].partition(b">")[0].decode()
