"""What comes back about live e-mails, and what recipients say."""

from typing import Any

import pytest

from core import contacts, email, privacy
from core.foundation.clock import now
from core.foundation.database import db
from core.providers.email import Feedback
from tests.factories.contacts import a_contact
from tests.factories.emails import a_sender, an_email, carried
from tests.factories.organizations import a_caller
from tests.fakes.relay import Relay
from tests.support.mail import outbox_of, told
from tests.support.money import balances_of, the_message

NO_SENDER: dict[str, Any] = {"from": ...}


async def report(organization_id: str, id: str, status: Any, reason: str | None = None) -> None:
    await email.receive_feedback(
        organization_id, [Feedback(id, status, reason, now(), "test")], at=now()
    )


async def test_a_hard_bounce_and_a_complaint_end_all_sends_to_the_address(
    clean_slate: None, relay: Relay
) -> None:
    caller = await a_sender()
    for address, status, reason in (
        ("ana@example.org", "bounced", "invalid_address"),
        ("bia@example.org", "complained", "complaint"),
    ):
        sent = await an_email(caller, to=address)
        await carried()
        await report(caller.organization_id, sent["id"], status, reason)
        before = await balances_of(caller)
        again = await an_email(caller, to=address.upper().replace("EXAMPLE.ORG", "example.org"))
        assert (again["status"], again["reason"], again["billing"]["coins"]) == (
            "failed",
            "suppressed",
            0,
        )
        assert await balances_of(caller) == before
        assert again["id"] not in await outbox_of(caller)


async def test_a_full_mailbox_may_be_written_to_again(clean_slate: None, relay: Relay) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await carried()
    await report(caller.organization_id, sent["id"], "bounced", "mailbox_full")
    assert (await an_email(caller))["status"] == "queued"


async def test_a_suppressed_send_is_replayed_under_its_key(clean_slate: None, relay: Relay) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await carried()
    await report(caller.organization_id, sent["id"], "bounced", "invalid_address")
    first = await an_email(caller, key="again")
    assert await an_email(caller, key="again") == {**first, "replayed": True}


async def test_nobody_reports_on_the_letters_of_others(clean_slate: None, relay: Relay) -> None:
    caller, stranger, tester = await a_sender(), await a_sender(), await a_caller()
    sent = await an_email(caller)
    sandboxed = await an_email(tester)
    await carried()
    await report(stranger.organization_id, sent["id"], "bounced", "invalid_address")
    await report(tester.organization_id, sandboxed["id"], "complained", "complaint")
    assert (await the_message(sent["id"]))["status"] == "sent"
    assert (await the_message(sandboxed["id"]))["status"] == "sent"
    assert await told(caller) == []


async def test_the_same_report_twice_is_told_once(clean_slate: None, relay: Relay) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await carried()
    twice = [Feedback(sent["id"], "delivered", None, now(), "test")] * 2
    await email.receive_feedback(caller.organization_id, twice, at=now())
    await email.receive_feedback(caller.organization_id, twice, at=now())
    assert [name for name, _ in await told(caller)] == ["email.delivered"]


@pytest.mark.parametrize(
    "by", ["the address", "the contact of the address", "the contact that is named"]
)
async def test_marketing_minds_denials_of_every_kind_and_transactional_letters_none(
    clean_slate: None, relay: Relay, by: str
) -> None:
    from core.messaging import RecipientOptedOut

    caller = await a_sender()
    contact = await a_contact(caller, email="Ana@example.org")
    other = await a_contact(caller, phone="+5511987650077", email="outra@example.org")
    wish = {
        "the address": {"emails": ["ana@example.org"]},
        "the contact of the address": {"contactIds": [contact["id"]]},
        "the contact that is named": {"contactIds": [other["id"]]},
    }[by]
    await contacts.opt_out(caller, contacts.OptOut.model_validate({**wish, "canal": "email"}))
    before = await balances_of(caller)
    named = {"contactId": other["id"]} if by == "the contact that is named" else {}
    with pytest.raises(RecipientOptedOut):
        await an_email(caller, categoria="marketing", **named)
    assert await balances_of(caller) == before
    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert (await an_email(caller, **named))["status"] == "queued"


async def test_an_erased_person_gets_no_letter_and_can_still_unsubscribe(
    clean_slate: None, relay: Relay
) -> None:
    from core.email.outgoing import unseal

    caller = await a_sender()
    contact = await a_contact(caller, email="ana@example.org")
    sent = await an_email(caller, categoria="marketing", subject="Oi, Ana", contactId=contact["id"])
    outgoing = unseal(
        sent["id"],
        await db.fetchval("SELECT letter FROM email_letters WHERE message_id = $1", sent["id"]),
    )
    token = outgoing.partition(b"/u/")[2].partition(b">")[0].decode()

    await privacy.erase_contact(caller, contact["id"])
    row = await the_message(sent["id"])
    assert (row["recipient"], row["subject"], row["contact_id"]) == ("***", "", None)
    assert await outbox_of(caller) == []
    await carried()

    assert (await the_message(sent["id"]))["status"] == "failed"
    assert relay.taken == []
    assert (await balances_of(caller)).held == 0
    await email.unsubscribe(token, request_id="req", at=now())
    identity = contacts.identity_of_email(caller.organization_id, "ana@example.org")
    assert (
        await db.fetchval("SELECT channel FROM contact_denials WHERE identity = $1", identity)
        == "email"
    )


async def test_live_letters_come_from_verified_senders_only(
    clean_slate: None, relay: Relay
) -> None:
    from core.email.errors import NoVerifiedSender

    caller = await a_sender()
    await email.verify_sender(caller, email.NewSender(address="@Shop.example.com"))
    for sender in ("Loja <LOJA@example.com>", "qualquer@shop.example.com"):
        assert (await an_email(caller, **{"from": sender}))["status"] == "queued"
    assert (await an_email(caller, **NO_SENDER))["from"] == "loja@example.com"
    for sender in ("outra@example.com", "x@sub.shop.example.com", "loja@unverified.test"):
        with pytest.raises(NoVerifiedSender):
            await an_email(caller, **{"from": sender})
    stranger = await a_caller("live")
    with pytest.raises(NoVerifiedSender):
        await an_email(stranger)
    page = await email.list_senders(caller, email.SenderFilter())
    assert [one["address"] for one in page["items"]] == ["@shop.example.com", "loja@example.com"]
    # By another process: nobody remembers who may be written from.
    await db.execute("DELETE FROM email_senders WHERE address = 'loja@example.com'")
    with pytest.raises(NoVerifiedSender):
        await an_email(caller, **{"from": "loja@example.com"})
