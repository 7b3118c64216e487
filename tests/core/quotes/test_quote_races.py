"""Sends of several processes over what is left of one quote, with real commits."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from core import idempotency, quotes, quoting
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import AcceptOutcome
from core.sms.accept import accept_quoted_batch
from core.sms.encoding import encode_sms
from core.sms.send_request import KEY_ROUTE, SmsSendRequest
from tests.factories.organizations import a_caller
from tests.factories.sms import a_new_sms
from tests.support.ledger import check_books
from tests.support.money import balances_of

pytestmark = pytest.mark.usefixtures("real_commits")


async def a_quote(caller: Caller, many: int, *, reserve: bool = False) -> quotes.QuoteRecord:
    body = {"reservar": reserve, "itens": [{"canal": "sms", "rota": "premium", "quantidade": many}]}
    return await quoting.create_quote(caller, quoting.NewQuote.model_validate(body))


def a_request(caller: Caller, quote_id: str, number: int) -> SmsSendRequest:
    new = a_new_sms(quoteId=quote_id, to=f"+551198765{number:02}05")
    use = idempotency.key_use(caller, KEY_ROUTE, f"race-{number}", {})
    return SmsSendRequest(caller, new, use, encode_sms(new.body), new_id("msg"), now())


async def sent_by(
    caller: Caller, quote_id: str, batches: list[range]
) -> list[AcceptOutcome | Exception]:
    """Each batch as a process of its own sends it, all at once."""
    requests = [[a_request(caller, quote_id, number) for number in batch] for batch in batches]
    outcomes = await asyncio.gather(*map(accept_quoted_batch, requests))
    return [outcome for batch in outcomes for outcome in batch]


@pytest.mark.parametrize("reserve", [False, True])
@pytest.mark.parametrize("promised", [1, 7, 20, 25])
async def test_no_more_is_sent_and_paid_than_was_promised(promised: int, reserve: bool) -> None:
    caller = await a_caller()
    quote = await a_quote(caller, promised, reserve=reserve)
    batches = [range(first, first + 4) for first in range(0, 20, 4)]
    outcomes = await sent_by(caller, quote["id"], batches)
    exhausted = [one for one in outcomes if isinstance(one, quotes.QuoteExhausted)]
    sent = min(promised, 20)
    assert len(exhausted) == 20 - sent
    assert await db.fetchval("SELECT count(*) FROM messages") == sent
    assert await db.fetchval("SELECT sum(coins)::int FROM messages") == 800 * sent
    assert (await quotes.get_quote(caller, quote["id"]))["restante"] == promised - sent
    await check_books()


async def test_one_key_in_several_processes_uses_one_segment_up() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 5)
    await sent_by(caller, quote["id"], [range(1)] * 4)
    assert await db.fetchval("SELECT count(*) FROM messages") == 1
    assert (await quotes.get_quote(caller, quote["id"]))["restante"] == 4


async def sweep_later(_: Caller, __: str) -> None:
    """Its time is over for another process."""
    await quotes.sweep_quotes(at=now() + timedelta(minutes=6))


@pytest.mark.parametrize("end", [quotes.cancel_quote, sweep_later])
@pytest.mark.parametrize("round", range(5))
async def test_what_is_held_is_spent_or_given_back_when_it_ends_meanwhile(
    end: Callable[[Caller, str], Awaitable[object]], round: int
) -> None:
    caller = await a_caller()
    before = (await balances_of(caller)).available
    quote = await a_quote(caller, 20, reserve=True)
    outcomes, *_ = await asyncio.gather(
        sent_by(caller, quote["id"], [range(first, first + 4) for first in range(0, 20, 4)]),
        end(caller, quote["id"]),
        end(caller, quote["id"]),
    )
    expired = [one for one in outcomes if isinstance(one, quotes.QuoteExpired)]
    balances = await balances_of(caller)
    assert balances.held == 0
    assert balances.available == before - 800 * (20 - len(expired))
    await check_books()


async def test_several_quotes_of_several_organizations_never_wait_for_each_other() -> None:
    callers = [await a_caller() for _ in range(3)]
    pairs = [
        (caller, (await a_quote(caller, 100, reserve=place % 2 == 0))["id"])
        for caller in callers
        for place in range(3)
    ]
    batches = []
    for turn in range(6):
        mixed = pairs[turn:] + pairs[:turn]
        requests = [a_request(caller, id, turn) for caller, id in mixed[:: (-1) ** turn]]
        # A key of its own for each.
        batches.append(
            [
                replace(one, use=replace(one.use, key=f"mixed-{turn}-{place}"))
                for place, one in enumerate(requests)
            ]
        )
    outcomes = await asyncio.gather(*map(accept_quoted_batch, batches))
    assert not [one for batch in outcomes for one in batch if isinstance(one, Exception)]
    assert await db.fetchval("SELECT sum(segments - remaining)::int FROM quote_items") == 54
    await check_books()
