"""Who asked not to be written to is not reached by the route premium; otp always leaves."""

import pytest

from core import sms
from core.contacts import ALL_CHANNELS
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.sms.errors import SmsRecipientOptedOut
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

PHONE = "+5511987650005"


async def send(
    caller: Caller, *, to: str = PHONE, route: str = "premium", key: str = "k"
) -> sms.SentSms:
    return await sms.send_message(
        caller,
        sms.NewSms.model_validate({"to": to, "body": "Oi", "route": route}),
        idempotency_key=key,
    )


async def stored(caller: Caller) -> tuple[int, int, int]:
    counts = [
        await db.fetchval(
            f"SELECT count(*) FROM {table} WHERE organization_id = $1", caller.organization_id
        )
        for table in ("messages", "idempotency_keys", "sandbox_reports")
    ]
    return counts[0], counts[1], counts[2]


@pytest.mark.parametrize("channel", [ALL_CHANNELS, "sms"])
async def test_premium_refuses_who_denied_and_leaves_nothing_behind(channel: str) -> None:
    caller = await a_caller()
    await a_denial(caller, PHONE, channel)

    with pytest.raises(SmsRecipientOptedOut) as refused:
        await send(caller)

    assert refused.value.meta == {"motivo": "opt_out"}
    assert PHONE not in str(refused.value)
    assert await stored(caller) == (0, 0, 0)
    assert (
        await db.fetchval(
            "SELECT available FROM wallets WHERE organization_id = $1 AND env = 'test'",
            caller.organization_id,
        )
        == 10_000_000
    )


async def test_a_denial_on_another_channel_does_not_count() -> None:
    caller = await a_caller()
    await a_denial(caller, PHONE, "email")

    assert (await send(caller))["status"] == "sent"


async def test_otp_always_leaves() -> None:
    caller = await a_caller()
    await a_denial(caller, PHONE)

    assert (await send(caller, route="otp"))["status"] == "sent"


async def test_the_phone_without_its_ninth_digit_is_the_same_person() -> None:
    caller = await a_caller()
    await a_denial(caller, "+551187650005")

    with pytest.raises(SmsRecipientOptedOut):
        await send(caller)


async def test_a_denial_counts_in_its_organization_and_environment_only() -> None:
    caller, other = await a_caller(), await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    await a_denial(other, PHONE)
    await a_denial(live, PHONE)

    assert (await send(caller))["status"] == "sent"


async def test_a_replay_is_answered_although_the_recipient_denied_meanwhile() -> None:
    caller = await a_caller()
    first = await send(caller)
    await a_denial(caller, PHONE)

    again = await send(caller)

    assert (again["id"], again["replayed"]) == (first["id"], True)


async def test_a_denial_is_kept_by_hash_alone() -> None:
    caller = await a_caller()
    await a_denial(caller, PHONE)

    [row] = await db.fetch("SELECT * FROM contact_denials")

    assert PHONE[1:] not in str(dict(row))
