"""Sends of one wallet and of one key at the same time, with real commits."""

import asyncio

from core.foundation.database import db
from core.foundation.errors import PaymentRequired
from tests.factories.organizations import a_caller
from tests.factories.rcs import an_rcs
from tests.factories.sms import leave_coins
from tests.support.money import balances_of


async def test_several_sends_at_once_take_no_more_than_there_is(real_commits: None) -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_500)
    outcomes = await asyncio.gather(*(an_rcs(caller) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 2
    assert sum(isinstance(outcome, PaymentRequired) for outcome in outcomes) == 3
    assert (await balances_of(caller)).available == 100


async def test_concurrent_requests_with_one_key_are_one_message(real_commits: None) -> None:
    caller = await a_caller()
    first, *others = await asyncio.gather(*(an_rcs(caller, key="k") for _ in range(6)))
    assert all(other == first for other in others)
    assert (
        await db.fetchval(
            "SELECT count(*) FROM messages WHERE organization_id = $1", caller.organization_id
        )
        == 1
    )
