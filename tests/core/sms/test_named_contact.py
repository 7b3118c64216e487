"""A contact that a send names: it must be there, and its opt-outs count as those of the phone do."""

import asyncio

import pytest

from core import privacy
from core.foundation.security.caller import Caller
from core.messaging import Landline, NoSuchContact
from core.sms.errors import SmsRecipientOptedOut
from tests.factories.contacts import a_contact, a_denial
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.fakes.provider import ScriptedProvider
from tests.support.money import balances_of
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")

NOBODY = "cnt_000000000000000000000"
FIXED = "+551133334444"


async def a_denied_contact(caller: Caller, channel: str = "todos") -> str:
    """Somebody who said no, and whose phone is none that is written to here."""
    contact = await a_contact(caller)
    await a_denial(caller, contact["phone"], channel)
    return str(contact["id"])


@pytest.mark.parametrize("route", ["premium", "otp"])
async def test_nobody_is_refused_and_leaves_nothing_behind(route: str) -> None:
    caller = await a_caller()
    for contact in (NOBODY, "cnt_1", (await a_contact(await a_caller()))["id"]):
        async with nothing_stored():
            with pytest.raises(NoSuchContact):
                await a_send(caller, contactId=contact, route=route)


@pytest.mark.parametrize("channel", ["todos", "sms"])
async def test_a_denied_contact_is_refused_whatever_phone_is_written_to(channel: str) -> None:
    caller = await a_caller()
    contact = await a_denied_contact(caller, channel)
    async with nothing_stored():
        with pytest.raises(SmsRecipientOptedOut):
            await a_send(caller, contactId=contact)
    assert (await a_send(caller, contactId=contact, route="otp"))["status"] == "sent"


async def test_a_denial_of_another_channel_refuses_nothing() -> None:
    caller = await a_caller()
    contact = await a_denied_contact(caller, "email")
    assert (await a_send(caller, contactId=contact))["contactId"] == contact


async def test_of_a_batch_only_those_who_may_be_written_to_pay() -> None:
    caller = await a_caller()
    known, denied = (await a_contact(caller))["id"], await a_denied_contact(caller)
    await leave_coins(caller, 800)
    sends = [a_send(caller, contactId=contact) for contact in (NOBODY, denied, known)]
    refused, opted_out, sent = await asyncio.gather(*sends, return_exceptions=True)
    assert isinstance(refused, NoSuchContact)
    assert isinstance(opted_out, SmsRecipientOptedOut)
    assert isinstance(sent, dict)
    assert (await balances_of(caller)).available == 0


async def test_a_refusal_of_the_sandbox_names_nobody_unknown_either() -> None:
    caller = await a_caller()
    async with nothing_stored():
        with pytest.raises(NoSuchContact):
            await a_send(caller, to="+5511987650114", contactId=NOBODY)


async def test_a_repeat_is_answered_although_its_contact_was_erased() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller))["id"]
    first = await a_send(caller, key="k", contactId=contact)
    await privacy.erase_contact(caller, contact)
    again = await a_send(caller, key="k", contactId=contact)
    assert (again["id"], again["replayed"]) == (first["id"], True)


async def test_a_fixed_line_is_refused_before_any_charge_where_messages_leave(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller(10_000)
    async with nothing_stored():
        with pytest.raises(Landline) as refused:
            await a_send(caller, to=FIXED)
    assert FIXED[1:] not in repr(refused.value.errors)
    assert (await a_send(await a_caller("test"), to=FIXED))["status"] == "sent"
