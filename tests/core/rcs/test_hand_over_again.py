"""RCS messages and their SMS that a provider does not know are handed over again, where it takes an
id only once.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core import contacts, privacy, rcs
from core.foundation.security.caller import Caller
from core.providers.contracts import Failed, Refused, Unknown
from tests.factories.contacts import a_denial
from tests.factories.live import a_live_caller
from tests.factories.rcs import CARD, FALLBACK, an_rcs
from tests.fakes.provider import Crash, ScriptedProvider, crash, reference_of
from tests.support.money import moved_for, the_message

pytestmark = pytest.mark.usefixtures("clean_slate")

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
PHONE = "+5511987650001"


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
        await an_rcs(caller, **fields)
    id = provider.asked[-1].id
    return id, (await the_message(id))["created_at"]


async def a_diverted(
    caller: Caller, provider: ScriptedProvider, at: timedelta
) -> tuple[str, datetime]:
    """A message whose SMS was handed over `at` after it was taken in, by a worker that died."""
    provider.will(Refused("no_rcs"), crash)
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    due: datetime = (await the_message(id))["settle_at"]
    await rcs.reconcile(at=due + at)
    assert provider.asked[-1].id == f"{id}-sms"
    return id, due + at


async def test_a_message_whose_process_died_leaves_as_it_was(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider, key="k", content={"card": CARD}, fallback=FALLBACK)
    await rcs.reconcile(at=born + MINUTE)
    first, second = provider.asked
    assert first == second
    assert ((await the_message(id))["status"], (await the_message(id))["provider_reference"]) == (
        "sent",
        reference_of(id),
    )
    assert await moved_for(id) == [("reserva", 1_200)]
    assert (await an_rcs(caller, key="k", content={"card": CARD}, fallback=FALLBACK))["id"] == id
    assert len(provider.asked) == 2


async def test_a_recipient_without_rcs_gets_the_sms_also_then(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider, fallback=FALLBACK)
    provider.will(Refused("no_rcs"))
    await rcs.reconcile(at=born + MINUTE)
    await rcs.reconcile(at=born + MINUTE)
    assert [outgoing.id for outgoing in provider.asked] == [id, id, f"{id}-sms"]
    assert (await the_message(id))["path"] == "sms"


async def test_it_is_handed_over_four_times_more_and_then_given_up(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id, born = await a_crashed(caller, provider)
    provider.will(Failed(), Unknown(), Failed(), Unknown())
    for seconds in range(60, 610, 10):
        await rcs.reconcile(at=born + seconds * SECOND)
    assert len(provider.asked) == 5
    assert (await the_message(id))["reason"] == "indeterminate"
    assert await moved_for(id) == [("reserva", 1_200)]


@pytest.mark.parametrize("first", ["before", "after"])
async def test_the_sms_that_stands_in_is_handed_over_again(
    provider: ScriptedProvider, first: str
) -> None:
    """By a plan of its own: the message may have used up its."""
    caller = await a_live_caller()
    id, handed = await a_diverted(
        caller, provider, timedelta(0) if first == "before" else 9 * MINUTE
    )
    await rcs.reconcile(at=handed + MINUTE)
    assert provider.asked[1] == provider.asked[2]
    row = await the_message(id)
    assert (row["path"], row["provider_reference"]) == ("sms", reference_of(f"{id}-sms"))
    assert [kind for kind, _ in await moved_for(id)].count("captura") == 1


async def test_an_sms_of_which_one_hand_over_failed_may_have_left_by_another(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id, handed = await a_diverted(caller, provider, timedelta(0))
    provider.will(Failed())
    await rcs.reconcile(at=handed + MINUTE)
    row = await the_message(id)
    assert (row["status"], row["path"], "handedAt" in row["fallback"]) == ("sent", None, True)
    await rcs.reconcile(at=handed + 11 * MINUTE)
    assert (await the_message(id))["reason"] == "indeterminate"


@pytest.mark.parametrize("how", ["denied", "erased"])
async def test_who_must_not_be_written_to_any_more_is_not(
    provider: ScriptedProvider, how: str
) -> None:
    caller = await a_live_caller()
    contact = await contacts.create_contact(
        caller, contacts.NewContact.model_validate({"phone": PHONE})
    )
    _, born = await a_crashed(caller, provider)
    _, handed = await a_diverted(caller, provider, timedelta(0))
    asked = len(provider.asked)
    if how == "denied":
        await a_denial(caller, PHONE)
    else:
        await privacy.erase_contact(caller, contact["id"])
    await rcs.reconcile(at=max(born, handed) + MINUTE)
    assert len(provider.asked) == asked
