"""One effect per Idempotency-Key."""

from datetime import timedelta

import pytest

from core import idempotency, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, PaymentRequired, PreconditionFailed
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.support.stored import nothing_stored, stored

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_a_replay_says_the_same_again_and_sends_nothing() -> None:
    caller = await a_caller()
    first = await a_send(caller, key="k", metadata={"order": "A-1"})

    async with nothing_stored():
        again = await a_send(caller, key="k", metadata={"order": "A-1"})

    assert again == {**first, "replayed": True}


async def test_a_replay_after_the_report_is_still_the_original_answer() -> None:
    caller = await a_caller()
    first = await a_send(caller, key="k")
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    again = await a_send(caller, key="k")

    assert again == {**first, "replayed": True}
    assert (await sms.get_message(caller, first["id"]))["status"] == "delivered"


async def test_the_order_of_fields_and_the_spelling_of_the_phone_are_no_other_body() -> None:
    caller = await a_caller()
    first = await a_send(caller, key="k", to="+5511987650005", metadata={"a": 1, "b": 2})

    again = await a_send(caller, key="k", to="(11) 98765-0005", metadata={"b": 2, "a": 1})

    assert (again["id"], again["replayed"]) == (first["id"], True)


@pytest.mark.parametrize(
    "change",
    [
        {"body": "Other"},
        {"to": "+5511987650006"},
        {"route": "otp"},
        {"campaignId": "c"},
        {"metadata": {"order": 1}},
        {"metadata": {"order": "1"}},
        {"metadata": {"order": True}},
    ],
)
async def test_the_same_key_with_another_body_is_a_conflict(change: dict[str, object]) -> None:
    caller = await a_caller()
    await a_send(caller, key="k", metadata={"order": 2})

    async with nothing_stored():
        with pytest.raises(Conflict) as refused:
            await a_send(caller, key="k", **{"metadata": {"order": 2}, **change})

    assert isinstance(refused.value, idempotency.KeyReusedWithAnotherBody)


async def test_a_key_belongs_to_one_organization() -> None:
    one, two = await a_caller(), await a_caller()

    mine, theirs = await a_send(one, key="k"), await a_send(two, key="k", body="Other")

    assert mine["id"] != theirs["id"]
    assert not mine["replayed"]
    assert not theirs["replayed"]


async def test_a_key_is_forgotten_after_24_hours() -> None:
    caller = await a_caller()
    first = await a_send(caller, key="k")
    row = await db.fetchrow(
        "SELECT * FROM idempotency_keys WHERE organization_id = $1", caller.organization_id
    )
    assert row is not None
    assert row["expires_at"] - row["created_at"] == timedelta(hours=24)

    await db.execute("UPDATE idempotency_keys SET expires_at = $1", now() - timedelta(seconds=1))
    second = await a_send(caller, key="k", body="Other")

    assert second["id"] != first["id"]
    assert second["replayed"] is False
    assert (await a_send(caller, key="k", body="Other"))["id"] == second["id"]


@pytest.mark.parametrize("to", ["+5511987650005", "+5511987650006", "+5511987650008"])
async def test_a_repeat_is_answered_from_the_message_whatever_became_of_it(to: str) -> None:
    caller = await a_caller()
    contact = await a_contact(caller, phone="+5511987650007")
    whole = {"campaignId": "c", "metadata": {"b": 1, "a": "x"}, "contactId": contact["id"]}
    first = await a_send(caller, key="k", to=to, **whole)
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    again = await a_send(caller, key="k", to=to, **whole)

    assert again == {**first, "replayed": True}


async def test_the_key_names_the_message_and_its_answer_is_not_kept() -> None:
    caller = await a_caller()
    sent = await a_send(caller, key="k")

    row = await db.fetchrow(
        "SELECT * FROM idempotency_keys WHERE organization_id = $1", caller.organization_id
    )

    assert row is not None
    assert (row["env"], row["route"], row["key"], row["subject_id"]) == (
        "test",
        "sms.send",
        "k",
        sent["id"],
    )
    assert (row["answer"], row["lease_until"]) == (None, None)


async def test_a_send_refused_for_money_frees_its_key() -> None:
    caller = await a_caller()
    await leave_coins(caller, 799)

    async with nothing_stored():
        with pytest.raises(PaymentRequired) as refused:
            await a_send(caller, key="k")
    await leave_coins(caller, 800)
    sent = await a_send(caller, key="k", body="Other")

    assert refused.value.meta == {"saldoCoins": 799, "necessarioCoins": 800}
    assert sent["replayed"] is False


async def test_a_send_refused_for_its_route_frees_its_key() -> None:
    caller = await a_caller()

    with pytest.raises(PreconditionFailed):
        await a_send(caller, key="k", route="la_dedicada")

    assert (await a_send(caller, key="k"))["replayed"] is False
    assert (await stored())["keys"] == 1
