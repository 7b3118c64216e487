"""Sends that meet: with real commits, in one process and in several."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from core import idempotency, wallet
from core.foundation.clock import now
from core.foundation.database import combining, db
from core.foundation.database.combining import Combiner
from core.foundation.database.transactions import outside_transaction, transaction
from core.foundation.errors import Conflict, PaymentRequired
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import AcceptedSend, AcceptOutcome, InProgress, OutcomePending
from core.sms.accept import accept_batch
from core.sms.encoding import encode_sms
from core.sms.send_request import KEY_ROUTE as ROUTE
from core.sms.send_request import SmsSendRequest
from tests.factories.organizations import a_caller
from tests.factories.sms import a_new_sms, a_send, leave_coins
from tests.support import citus
from tests.support.races import outside
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")


def a_request(caller: Caller, key: str = "k", **changes: Any) -> SmsSendRequest:
    new = a_new_sms(**changes)
    body_hash = idempotency.hash_of(new.model_dump(exclude_unset=True))
    use = idempotency.KeyUse(caller.organization_id, caller.env, ROUTE, key, body_hash)
    return SmsSendRequest(caller, new, use, encode_sms(new.body), new_id("msg"), now())


async def written() -> tuple[int, int, int]:
    """Messages, captures, keys."""
    row = await db.fetchrow(
        "SELECT (SELECT count(*) FROM messages), "
        "(SELECT count(*) FROM wallet_transfers WHERE kind = 'captura'), (SELECT count(*) FROM idempotency_keys)"
    )
    assert row is not None
    return tuple(row.values())


async def behind_the_wallet(
    caller: Caller, *works: Awaitable[list[AcceptOutcome | Exception]]
) -> list[Any]:
    """Let all of these reach the wallet before any may pass it, as processes do that begin at the
    same moment.
    """

    async def of(
        work: Awaitable[list[AcceptOutcome | Exception]],
    ) -> list[AcceptOutcome | Exception]:
        return await work

    async with transaction():
        await wallet.lock_balances({(caller.organization_id, caller.env)})
        tasks = [asyncio.create_task(of(work), context=outside_transaction()) for work in works]

        async def all_wait() -> bool:
            # Within a transaction PostgreSQL would tell the same each time.
            waiting = await outside(
                db.fetchval(
                    f"SELECT count(*) FROM {citus.activity()} WHERE datname = current_database() "
                    "AND usename = current_user AND wait_event_type = 'Lock'"
                )
            )
            return bool(waiting == len(tasks))

        await eventually(all_wait, "every process waits for the wallet")
    return [outcome for outcomes in await asyncio.gather(*tasks) for outcome in outcomes]


async def test_the_same_key_at_once_is_one_message_and_the_others_are_told_the_same() -> None:
    caller = await a_caller()

    answers = await asyncio.gather(*(a_send(caller, key="k") for _ in range(12)))

    assert [answer["replayed"] for answer in answers].count(False) == 1
    first = next(answer for answer in answers if not answer["replayed"])
    assert all({**answer, "replayed": False} == first for answer in answers)
    assert await written() == (1, 1, 1)


async def test_the_same_key_with_two_bodies_at_once_sends_one_and_refuses_the_other() -> None:
    caller = await a_caller()

    outcomes = await asyncio.gather(
        a_send(caller, key="k"), a_send(caller, key="k", body="Other"), return_exceptions=True
    )

    (refusal,) = [outcome for outcome in outcomes if not isinstance(outcome, dict)]
    assert isinstance(refusal, idempotency.KeyReusedWithAnotherBody)
    assert await written() == (1, 1, 1)


async def test_more_waiters_than_there_is_room_for_are_told_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(combining, "FEW", 25)  # all come together: nobody is answered before
    caller = await a_caller()

    outcomes = await asyncio.gather(
        *(a_send(caller, key="k") for _ in range(25)), return_exceptions=True
    )

    turned_away = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert len(turned_away) == 25 - 1 - 16
    assert {(error.meta["code"], error.retry_after) for error in turned_away} == {
        ("IDEMPOTENCIA_EM_ANDAMENTO", 1)
    }
    assert len([outcome for outcome in outcomes if isinstance(outcome, dict)]) == 17
    assert await written() == (1, 1, 1)


async def test_two_processes_with_the_same_key_send_one_message() -> None:
    caller = await a_caller()

    outcomes = await behind_the_wallet(
        caller, accept_batch([a_request(caller)]), accept_batch([a_request(caller)])
    )

    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    assert kinds == ["AcceptedSend", "OutcomePending"]
    assert await written() == (1, 1, 1)


async def test_two_processes_with_many_keys_in_other_orders_send_each_once() -> None:
    caller = await a_caller()
    keys = [f"k{number}" for number in range(20)]
    one, two = (
        Combiner[SmsSendRequest, AcceptOutcome](accept_batch, concurrency=2, most=7),
        Combiner[SmsSendRequest, AcceptOutcome](accept_batch, concurrency=2, most=5),
    )

    outcomes = await asyncio.gather(
        *(one.submit(a_request(caller, key)) for key in keys),
        *(two.submit(a_request(caller, key)) for key in reversed(keys)),
    )

    assert await written() == (20, 20, 20)
    assert len([outcome for outcome in outcomes if isinstance(outcome, AcceptedSend)]) == 20
    known = (AcceptedSend, OutcomePending, InProgress)
    assert all(isinstance(outcome, known) for outcome in outcomes)


async def test_a_repeat_that_finds_the_wallet_empty_because_the_first_just_paid_is_no_402() -> None:
    caller = await a_caller()
    await leave_coins(caller, 800)

    outcomes = await behind_the_wallet(
        caller, accept_batch([a_request(caller)]), accept_batch([a_request(caller)])
    )

    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    assert len([outcome for outcome in outcomes if isinstance(outcome, AcceptedSend)]) == 1
    assert await written() == (1, 1, 1)


async def test_a_repeat_in_another_process_takes_no_money_from_its_neighbours() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1600)

    outcomes = await behind_the_wallet(
        caller,
        accept_batch([a_request(caller, "a")]),
        accept_batch([a_request(caller, "a"), a_request(caller, "b")]),
    )

    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    assert await written() == (2, 2, 2)


async def test_processes_together_never_spend_more_than_there_is() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2500)
    works = [
        accept_batch([a_request(caller, f"{process}-{number}") for number in range(2)])
        for process in range(3)
    ]

    outcomes = await behind_the_wallet(caller, *works)

    assert len([outcome for outcome in outcomes if isinstance(outcome, AcceptedSend)]) == 3
    assert len([outcome for outcome in outcomes if isinstance(outcome, PaymentRequired)]) == 3
    assert await written() == (3, 3, 3)
    row = await db.fetchrow("SELECT available, held FROM wallets WHERE env = 'test'")
    assert row is not None
    assert tuple(row.values()) == (100, 0)


async def test_a_caller_who_goes_away_does_not_take_the_send_along() -> None:
    caller = await a_caller()
    task = asyncio.create_task(a_send(caller, key="k"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    again = await a_send(caller, key="k")

    assert await written() == (1, 1, 1)
    assert again["status"] == "sent"
