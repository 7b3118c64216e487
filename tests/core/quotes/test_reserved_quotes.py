"""A quote whose money is held: its sends are paid from that, and the rest comes back once."""

from datetime import timedelta
from typing import Any

import pytest

from core import quotes, quoting, sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.contacts import a_denial
from tests.factories.live import refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.support.ledger import check_books
from tests.support.money import balances_of, moved_for

pytestmark = pytest.mark.usefixtures("clean_slate")


async def a_reserved_quote(caller: Caller, many: int = 3, **changes: Any) -> quotes.QuoteRecord:
    """So many segments on the route premium, 800 coins each, which are held."""
    body = {"itens": [{"canal": "sms", "rota": "premium", "quantidade": many}], "reservar": True}
    return await quoting.create_quote(caller, quoting.NewQuote.model_validate({**body, **changes}))


async def held_for(caller: Caller, quote: quotes.QuoteRecord) -> int:
    return (await quotes.get_quote(caller, quote["id"]))["reservadoCoins"]


async def test_its_sends_are_paid_from_what_is_held() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_400)
    quote = await a_reserved_quote(caller)
    assert (await balances_of(caller))[:2] == (0, 2_400)
    sent = await a_send(caller, quoteId=quote["id"])
    assert (await balances_of(caller))[:3] == (0, 1_600, 800)
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]
    assert await held_for(caller, quote) == 1_600
    with pytest.raises(wallet.InsufficientBalance):
        await a_send(caller)
    await check_books()


async def test_what_the_wallet_does_not_cover_is_not_held() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_399)
    with pytest.raises(wallet.InsufficientBalance) as refusal:
        await a_reserved_quote(caller)
    assert refusal.value.meta == {"saldoCoins": 2_399, "necessarioCoins": 2_400}
    assert await db.fetchval("SELECT count(*) FROM quotes") == 0


async def test_the_rest_comes_back_when_its_time_is_over() -> None:
    caller = await a_caller()
    await leave_coins(caller, 5_000)
    quote = await a_reserved_quote(caller, validadeMinutos=1)
    await a_send(caller, quoteId=quote["id"])
    assert await quotes.sweep_quotes(at=now() + timedelta(seconds=50)) == 0
    later = now() + timedelta(seconds=61)
    assert await quotes.sweep_quotes(at=later) == 1
    assert await quotes.sweep_quotes(at=later) == 0
    assert (await balances_of(caller))[:3] == (4_200, 0, 800)
    assert await moved_for(quote["id"]) == [("reserva", 2_400), ("liberacao", 1_600)]
    await check_books()
    # Its time on this process's clock is still to come, but its money is gone.
    refusal = await refused_send(caller, quoteId=quote["id"])
    assert refusal.meta["code"] == "COTACAO_EXPIRADA"


async def test_the_rest_comes_back_once_when_it_is_canceled() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_400)
    quote = await a_reserved_quote(caller)
    await a_send(caller, quoteId=quote["id"])
    canceled = await quotes.cancel_quote(caller, quote["id"])
    assert (canceled["reservadoCoins"], canceled["restante"]) == (0, 2)
    await quotes.cancel_quote(caller, quote["id"])
    assert await quotes.sweep_quotes(at=now() + timedelta(days=1)) == 0
    assert (await balances_of(caller))[:3] == (1_600, 0, 800)
    await check_books()


async def test_what_is_used_up_holds_nothing_and_ends_without_a_movement() -> None:
    caller = await a_caller()
    quote = await a_reserved_quote(caller, 1)
    await a_send(caller, quoteId=quote["id"])
    assert await held_for(caller, quote) == 0
    assert await quotes.sweep_quotes(at=now() + timedelta(days=1)) == 1
    assert await moved_for(quote["id"]) == [("reserva", 800)]
    await check_books()


async def test_a_price_that_fell_leaves_its_difference_to_the_end() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_400)
    quote = await a_reserved_quote(caller)
    cheaper = {"sms": {"premium": [{"fromSegment": 1, "coins": 100}]}}
    await wallet.set_prices(caller.organization_id, cheaper)
    sent = await a_send(caller, quoteId=quote["id"])
    assert sent["billing"] == {"coins": 100}
    assert await held_for(caller, quote) == 2_300
    await quotes.cancel_quote(caller, quote["id"])
    assert (await balances_of(caller))[:3] == (2_300, 0, 100)
    await check_books()


async def test_who_is_not_written_to_takes_nothing_of_it() -> None:
    caller = await a_caller()
    quote = await a_reserved_quote(caller, 1)
    await a_denial(caller, "+5511987650005")
    await refused_send(caller, quoteId=quote["id"])
    assert await held_for(caller, quote) == 800
    await a_send(caller, quoteId=quote["id"], to="+5511987650105")
    await check_books()


async def test_one_that_waits_is_called_off_and_its_money_comes_back() -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_400)
    quote = await a_reserved_quote(caller)
    due = (now() + timedelta(hours=1)).isoformat()
    sent = await a_send(caller, quoteId=quote["id"], scheduledAt=due)
    await quotes.cancel_quote(caller, quote["id"])
    assert (await balances_of(caller))[:2] == (1_600, 800)
    await sms.cancel_message(caller, sent["id"])
    assert (await balances_of(caller))[:2] == (2_400, 0)
    await check_books()


@pytest.mark.usefixtures("billing_off")
async def test_where_nothing_is_charged_nothing_is_held() -> None:
    caller = await a_caller()
    quote = await a_reserved_quote(caller)
    assert (quote["coins"], quote["reservadoCoins"]) == (0, 0)
    assert (await a_send(caller, quoteId=quote["id"]))["billing"] == {"coins": 0}
    assert await quotes.sweep_quotes(at=now() + timedelta(days=1)) == 1


async def test_old_ones_go_and_those_in_use_stay() -> None:
    caller = await a_caller()
    quote = await a_reserved_quote(caller)
    await quotes.sweep_quotes(at=now() + timedelta(days=90))
    assert await db.fetchval("SELECT count(*) FROM quotes") == 1
    await quotes.sweep_quotes(at=now() + timedelta(days=91))
    assert await db.fetchval("SELECT count(*) FROM quotes") == 0
    assert await db.fetchval("SELECT count(*) FROM quote_items") == 0
    assert await moved_for(quote["id"]) == [("reserva", 2_400), ("liberacao", 2_400)]
