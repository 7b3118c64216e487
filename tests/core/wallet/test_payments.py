"""A payment is credited once, by its id."""

import pytest

from core import wallet
from core.audit import AuditEntry
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.support.money import balances_of

pytestmark = pytest.mark.usefixtures("clean_slate")


def a_payment(coins: int = 500, payment_id: str = "pix-1") -> wallet.NewPayment:
    return wallet.NewPayment(payment_id=payment_id, coins=coins)


async def pay(caller: Caller, payment: wallet.NewPayment) -> int | None:
    return await wallet.record_payment(caller.organization_id, payment, at=now())


async def test_a_payment_fills_the_live_wallet_and_is_audited() -> None:
    caller = await a_caller("live")

    assert await pay(caller, a_payment()) == 500

    assert (await balances_of(caller)).available == 500
    row = await db.fetchrow(
        "SELECT origin, coins, source, target FROM wallet_transfers WHERE env = 'live'"
    )
    assert row is not None
    assert (row["origin"], row["coins"]) == ("pay_pix-1", 500)
    entry = await AuditEntry.get(action="wallet.credited")
    assert entry.facts == {"coins": 500, "balanceCoins": 500, "paymentId": "pix-1"}


async def test_told_again_it_credits_nothing_more() -> None:
    caller = await a_caller("live")
    await pay(caller, a_payment())

    assert await pay(caller, a_payment()) is None

    assert (await balances_of(caller)).available == 500
    assert await AuditEntry.filter(action="wallet.credited").count() == 1


async def test_another_amount_under_its_id_is_refused() -> None:
    caller = await a_caller("live")
    await pay(caller, a_payment())

    with pytest.raises(wallet.PaymentDiffers):
        await pay(caller, a_payment(501))

    assert (await balances_of(caller)).available == 500


async def test_each_organization_has_ids_of_its_own() -> None:
    caller, other = await a_caller("live"), await a_caller("live")

    await pay(caller, a_payment())
    await pay(other, a_payment(700))

    assert (await balances_of(caller)).available == 500
    assert (await balances_of(other)).available == 700


async def test_what_is_owed_is_paid_first() -> None:
    caller = await a_caller("live")
    await db.execute(
        "UPDATE wallets SET owed = 200 WHERE organization_id = $1 AND env = 'live'",
        caller.organization_id,
    )

    assert await pay(caller, a_payment()) == 300


async def test_an_organization_without_a_wallet_is_told() -> None:
    with pytest.raises(wallet.NoWallet):
        await wallet.record_payment("org_nobody", a_payment(), at=now())
