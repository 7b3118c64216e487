"""Erasing a contact: what was written to it goes, what it cost stays."""

import pytest

from core import contacts, privacy, rcs
from core.foundation.clock import now
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller
from tests.factories.rcs import CARD, FALLBACK, an_rcs
from tests.fakes.provider import ScriptedProvider
from tests.support.money import moved_for, the_message

pytestmark = pytest.mark.usefixtures("clean_slate")

PHONE = "+5511987650001"


async def test_an_erased_contact_leaves_no_text_no_phone_and_the_price() -> None:
    caller = await a_caller()
    contact = await contacts.create_contact(
        caller, contacts.NewContact.model_validate({"phone": PHONE})
    )
    id = (await an_rcs(caller, content={"card": CARD}, fallback=FALLBACK, contactId=contact["id"]))[
        "id"
    ]

    await privacy.erase_contact(caller, contact["id"])

    row = await the_message(id)
    assert (row["recipient"], row["contact_id"], row["content"]) == ("0001", None, {})
    assert row["fallback"] == {"segments": 1, "rcsCoins": 1_200}
    await rcs.apply_due_reports(at=now().replace(year=2100))
    assert (await rcs.get_message(caller, id))["content"] == {}
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]


async def test_the_sms_of_an_erased_contact_does_not_leave_and_is_not_charged(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    contact = await contacts.create_contact(
        caller, contacts.NewContact.model_validate({"phone": PHONE})
    )
    from core.providers.contracts import Refused

    provider.will(Refused("no_rcs"))
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await privacy.erase_contact(caller, contact["id"])

    await rcs.reconcile(at=now())

    assert len(provider.asked) == 1
    row = await the_message(id)
    assert (row["status"], row["reason"], row["coins"]) == ("failed", "no_rcs", 0)
    assert await moved_for(id) == [("reserva", 1_200), ("liberacao", 1_200)]
