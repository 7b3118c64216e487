"""Replies over the bind: to the account that sent what they answer, in their order, until they are taken."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from core import smpp, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.smpp.models import SmppReply
from core.sms.replies import SandboxReply
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER
from tests.factories.keys import an_admin
from tests.factories.smpp import an_smpp_account
from tests.factories.sms import a_new_sms
from tests.smpp_api.conftest import Smsc
from tests.smpp_api.test_receipts import bound, delivered, sent, to
from tests.support.sql_tables import rows_of
from tests.support.waiting import eventually


async def an_account() -> tuple[dict[str, Any], Caller]:
    """An account, and who answers what it sends."""
    admin = await an_admin()
    return await an_smpp_account(admin), admin


async def said(caller: Caller, id: str, *texts: str) -> None:
    for text in texts:
        await sms.reply_in_sandbox(caller, SandboxReply(in_reply_to=id, body=text))


async def none_are_left() -> None:
    async def gone() -> bool:
        return await rows_of(SmppReply).count() == 0

    await eventually(gone, "every reply was taken")


async def test_a_reply_comes_to_a_receiver_of_the_account_that_sent_the_message(smsc: Smsc) -> None:
    account, caller = await an_account()
    stranger = await bound(smsc, await an_smpp_account())
    sender = await bound(smsc, account, Command.BIND_TRANSMITTER)
    receiver = await bound(smsc, account, Command.BIND_RECEIVER)
    id = await sent(sender, registered_delivery=0)
    await said(caller, id, "Olà €")

    message = await delivered(receiver)

    assert (message.source, message.destination.value) == (to("0005"), "SVC")
    assert (message.esm_class, message.data_coding) == (0, 0)
    assert message.text == b"Ol\x7f \x1be"
    await none_are_left()
    assert (await stranger.ask(Command.ENQUIRE_LINK))[0] is CommandStatus.ESME_ROK


async def test_replies_of_one_person_keep_their_order_and_wait_for_one_that_is_put_off(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.smpp.deliveries.RETRIES", (timedelta(0),))
    account, caller = await an_account()
    client = await bound(smsc, account)
    id = await sent(client, registered_delivery=0)
    texts = [f"number {n}" for n in range(12)]
    await said(caller, id, *texts)

    first = await delivered(client, CommandStatus.ESME_RMSGQFUL)
    found = [(await delivered(client)).text.decode() for _ in texts]

    assert first.text.decode() == texts[0]
    assert found == texts
    await none_are_left()


async def test_a_long_reply_comes_whole_where_its_account_says_so(smsc: Smsc) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin, longReplies="payload")
    client = await bound(smsc, account)
    id = await sent(client, registered_delivery=0)
    await said(admin, id, "x" * 160, "ação 🙂 " * 20)

    short, long = await delivered(client), await delivered(client)

    assert (short.text, dict(short.parameters)) == (b"x" * 160, {})
    assert (long.text, long.esm_class, long.data_coding) == (b"", 0, 8)
    whole = long.parameters[Tag.MESSAGE_PAYLOAD].decode("utf-16-be")
    assert whole.strip() == ("ação 🙂 " * 20).strip()
    await none_are_left()


async def test_a_long_reply_comes_in_parts_with_one_reference(smsc: Smsc) -> None:
    account, caller = await an_account()
    client = await bound(smsc, account)
    id = await sent(client, registered_delivery=0)
    text = "ação 🙂 " * 20
    await said(caller, id, text)

    parts = [await delivered(client) for _ in range(3)]

    assert {part.esm_class for part in parts} == {HAS_HEADER}
    assert len({part.text[:5] for part in parts}) == 1
    whole = b"".join(part.text[6:] for part in parts)
    assert whole.decode("utf-16-be") == text.strip() or whole.decode("utf-16-be") == text
    await none_are_left()


async def test_replies_wait_for_a_receiver_three_days(smsc: Smsc) -> None:
    account, caller = await an_account()
    client = await bound(smsc, account, Command.BIND_TRANSMITTER)
    id = await sent(client, registered_delivery=0)
    await said(caller, id, "one", "two")
    await asyncio.sleep(1)
    (claimed,) = await smpp.claim_replies([account["id"]], at=now(), limit=10)
    assert claimed.text == "one"
    assert await smpp.claim_replies([account["id"]], at=now(), limit=10) == []

    later = now() + timedelta(seconds=91)
    (again,) = await smpp.claim_replies([account["id"]], at=later, limit=10)
    assert (again.text, again.attempts) == ("one", 2)
    three_days = now() + timedelta(hours=73)
    assert await smpp.forget_replies(at=now() + timedelta(hours=71)) == 0
    assert await smpp.forget_replies(at=three_days) == 2
    await smpp.settle_replies([(again, smpp.Ended.LATER)], at=three_days)
    assert await smpp.claim_replies([account["id"]], at=three_days, limit=10) == []
    page = await smpp.list_outbox(caller, smpp.SmppDeliveryFilter(status="expired"))
    assert page["total"] == 2
    await smpp.forget_replies(at=three_days + timedelta(days=7, minutes=1))
    assert await rows_of(SmppReply).count() == 0


async def test_a_reply_whose_text_is_kept_no_more_is_not_delivered(smsc: Smsc) -> None:
    account, caller = await an_account()
    transmitter = await bound(smsc, account, Command.BIND_TRANSMITTER)
    id = await sent(transmitter, registered_delivery=0)
    await said(caller, id, "gone")
    await db.execute("UPDATE messages SET content = NULL WHERE in_reply_to = $1", id)

    await bound(smsc, account, Command.BIND_RECEIVER)

    await none_are_left()


async def test_what_was_not_sent_by_smpp_is_answered_to_nobody_here(smsc: Smsc) -> None:
    _, caller = await an_account()
    record = await sms.send_message(caller, a_new_sms(), idempotency_key="k")

    await said(caller, record["id"], "hello")

    assert await rows_of(SmppReply).count() == 0
