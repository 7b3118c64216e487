"""What a wallet covers when many sends arrive at once."""

import asyncio

import pytest

from core import sms
from core.foundation.database import db
from core.foundation.errors import PaymentRequired, ServiceUnavailable
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")

TWO_SEGMENTS = "a" * 161


async def together(*sends: tuple[Caller, dict[str, str]]) -> list[object]:
    """The outcomes of sends that arrive at the same moment."""
    outcomes = await asyncio.gather(
        *(a_send(caller, **fields) for caller, fields in sends), return_exceptions=True
    )
    return list(outcomes)


def passed(outcomes: list[object]) -> list[bool]:
    assert all(isinstance(outcome, (dict, PaymentRequired)) for outcome in outcomes), outcomes
    return [isinstance(outcome, dict) for outcome in outcomes]


async def available(caller: Caller) -> int:
    coins = await db.fetchval(
        "SELECT available FROM wallets WHERE organization_id = $1 AND env = $2",
        caller.organization_id,
        caller.env,
    )
    assert isinstance(coins, int)
    return coins


async def total_of(caller: Caller) -> int:
    total = (await sms.list_messages(caller, sms.SmsFilter()))["total"]
    assert isinstance(total, int)
    return total


async def test_a_refusal_says_what_there_is_and_what_it_takes() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1599)

    async with nothing_stored():
        with pytest.raises(PaymentRequired) as refused:
            await a_send(caller, body=TWO_SEGMENTS)

    assert refused.value.meta == {"saldoCoins": 1599, "necessarioCoins": 1600}


async def test_a_wallet_may_be_emptied_to_the_last_coin() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1600)

    await a_send(caller, body=TWO_SEGMENTS)

    assert await available(caller) == 0


async def test_of_sends_that_exceed_the_balance_together_exactly_the_affordable_ones_pass() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2500)

    outcomes = await together(*((caller, {}) for _ in range(8)))

    assert sum(passed(outcomes)) == 3
    assert await available(caller) == 100
    assert await total_of(caller) == 3


async def test_a_send_that_is_too_dear_does_not_keep_a_cheaper_one_from_passing() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2400)

    outcomes = await together(
        (caller, {"body": TWO_SEGMENTS}),
        (caller, {"body": TWO_SEGMENTS}),
        (caller, {}),
        (caller, {}),
    )

    assert passed(outcomes) == [True, False, True, False]
    assert await available(caller) == 0
    assert [sent["replayed"] for sent in outcomes if isinstance(sent, dict)] == [False, False]


async def test_a_poor_organization_does_not_refuse_its_rich_neighbours() -> None:
    poor, rich, richer = await a_caller(), await a_caller(), await a_caller()
    await leave_coins(poor, 799)

    outcomes = await together((rich, {}), (poor, {}), (richer, {}), (poor, {}), (rich, {}))

    assert passed(outcomes) == [True, False, True, False, True]
    assert [await total_of(caller) for caller in (poor, rich, richer)] == [0, 2, 1]
    assert await available(poor) == 799


async def test_each_refusal_in_a_batch_names_what_was_left_at_its_turn() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1000)

    _, refused = await together((caller, {}), (caller, {}))

    assert isinstance(refused, PaymentRequired)
    assert refused.meta == {"saldoCoins": 200, "necessarioCoins": 800}


async def test_a_send_that_the_provider_refuses_takes_no_money_from_its_neighbours() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1600)

    outcomes = await together((caller, {}), (caller, {"to": "+5511987650114"}), (caller, {}))

    assert isinstance(outcomes[1], ServiceUnavailable)
    assert [isinstance(outcome, dict) for outcome in outcomes] == [True, False, True]
    assert await available(caller) == 0


async def test_ending_0114_needs_the_price_like_any_other_send() -> None:
    caller = await a_caller()
    await leave_coins(caller, 799)

    async with nothing_stored():
        with pytest.raises(PaymentRequired):
            await a_send(caller, to="+5511987650114")
