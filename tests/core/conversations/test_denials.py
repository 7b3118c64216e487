"""A denial ends the advertising that waits for the person, in its own transaction, and nothing
else.
"""

from typing import Any

import pytest

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.templates.models import TemplateCategory
from tests.factories.batches import ANA, BIA, Desk, a_bulk, a_desk, messages_of
from tests.factories.contacts import a_contact, a_denial, a_denial_of_email
from tests.factories.organizations import a_caller
from tests.support.money import balances_of


async def a_waiting(desk: Desk, recipient: Any = ANA) -> str:
    (row,) = await messages_of((await a_bulk(desk, recipient))["batchId"])
    return str(row["id"])


async def state_of(id: str) -> tuple[str, str | None]:
    row = await db.fetchrow("SELECT status, reason FROM messages WHERE id = $1", id)
    assert row is not None
    return row["status"], row["reason"]


async def someone(**fields: Any) -> tuple[Caller, Desk, dict[str, Any]]:
    caller = await a_caller()
    return caller, await a_desk(caller), await a_contact(caller, phone=ANA, **fields)


@pytest.mark.parametrize("channel", ["whatsapp", "todos"])
async def test_waiting_advertising_fails_and_its_price_comes_back(
    clean_slate: None, channel: str
) -> None:
    caller, desk, _ = await someone()
    theirs, of_others = await a_waiting(desk), await a_waiting(desk, BIA)
    await a_denial(caller, ANA, channel)
    assert await state_of(theirs) == ("failed", "opt_out")
    assert await state_of(of_others) == ("queued", None)
    assert (await balances_of(caller)).held == 400
    event = await db.fetchval("SELECT data FROM webhook_events WHERE type = 'message.failed'")
    assert (event["id"], event["lastError"]) == (
        theirs,
        "The recipient asked not to receive communication.",
    )


async def test_a_denial_of_another_channel_ends_nothing(clean_slate: None) -> None:
    caller, desk, _ = await someone()
    waiting = await a_waiting(desk)
    await a_denial(caller, ANA, "sms")
    assert await state_of(waiting) == ("queued", None)


async def test_what_is_not_advertising_leaves_all_the_same(clean_slate: None) -> None:
    caller = await a_caller()
    await a_contact(caller, phone=ANA)
    waiting = await a_waiting(await a_desk(caller, category=TemplateCategory.UTILITY))
    await a_denial(caller, ANA)
    assert await state_of(waiting) == ("queued", None)


async def test_what_is_being_handed_over_is_not_called_back(clean_slate: None) -> None:
    caller, desk, _ = await someone()
    id = await a_waiting(desk)
    await db.execute("DELETE FROM waiting_messages WHERE message_id = $1", id)
    await db.execute("UPDATE messages SET status = 'sending' WHERE id = $1", id)
    await a_denial(caller, ANA)
    assert await state_of(id) == ("sending", None)


async def test_it_is_found_by_the_contact_too(clean_slate: None) -> None:
    """Sent to another phone in the name of the contact, whose e-mail address was denied."""
    caller, desk, contact = await someone(email="ana@example.org")
    id = await a_waiting(desk, {"to": BIA, "contactId": contact["id"]})
    await a_denial_of_email(caller, "ana@example.org")
    assert await state_of(id) == ("failed", "opt_out")


async def test_with_and_without_the_ninth_digit_it_is_one_person(clean_slate: None) -> None:
    caller, desk, _ = await someone()
    id = await a_waiting(desk, ANA.replace("+55119", "+5511"))
    await a_denial(caller, ANA)
    assert await state_of(id) == ("failed", "opt_out")


async def test_a_denial_in_the_sandbox_ends_nothing_elsewhere(clean_slate: None) -> None:
    caller, desk, _ = await someone()
    waiting = await a_waiting(desk)
    other = await a_caller()
    await a_contact(other, phone=ANA)
    await a_denial(other, ANA)
    live = await a_caller("live", organization_id=caller.organization_id)
    await a_contact(live, phone=ANA)
    await a_denial(live, ANA)
    assert await state_of(waiting) == ("queued", None)
