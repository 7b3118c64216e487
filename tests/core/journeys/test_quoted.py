"""A journey that is activated with a quote: its messages pay no more, as long as the quote lasts."""

from typing import Any

import pytest

from core import journeys, quotes, quoting, wallet
from core.foundation.clock import now
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller
from core.journeys import Activation
from core.journeys.runs.program import Program, load_program
from tests.core.journeys.test_lifecycle import PRESENT, SMS, a_list
from tests.core.journeys.test_sending import messages_of
from tests.factories.journeys import a_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.push import a_device
from tests.factories.stored_contacts import stored_contacts
from tests.support.journeying import let_in, move_on
from tests.support.ledger import check_books
from tests.support.money import balances_of

pytestmark = pytest.mark.usefixtures("clean_slate", "own_buckets")

EMAIL = {"tipo": "mensagem", "config": {"canal": "email", "texto": "Olá"}}
PUSH = {"tipo": "mensagem", "config": {"canal": "push", "texto": "Olá"}}
DEARER: dict[str, Any] = {
    "sms": {"premium": [{"fromSegment": 1, "coins": 5_000}]}, "email": 900, "push": {"simple": 90}
}  # fmt: skip


@pytest.fixture
async def caller() -> Caller:
    return await a_caller()


async def a_quote(caller: Caller, *items: tuple[str, str, int], **more: Any) -> str:
    """Of so many messages on each route."""
    body = {
        "itens": [{"canal": one, "rota": route, "quantidade": n} for one, route, n in items],
        **more,
    }
    return (await quoting.create_quote(caller, quoting.NewQuote.model_validate(body)))["id"]


async def activated(caller: Caller, quote: str, *steps: dict[str, Any]) -> Program:
    """A journey that runs with the quote."""
    journey = await a_journey(caller, **in_a_row(*steps))
    await journeys.activate_journey(caller, journey["id"], Activation(quote_id=quote))
    return await load_program(journey["id"])


async def test_messages_pay_the_quote_while_it_lasts_and_then_the_price_of_their_time(
    caller: Caller,
) -> None:
    ids = await stored_contacts(caller, [{"email": f"p{n}@example.com"} for n in range(3)])
    quote = await a_quote(caller, ("sms", "premium", 2), ("email", "marketing", 5), reservar=True)
    program = await activated(caller, quote, SMS, EMAIL)
    await wallet.set_prices(caller.organization_id, DEARER)

    await let_in(program, ids, at=now())
    await move_on(program, at=now())

    sent = await messages_of(caller)
    assert sorted((row["coins"], row["quote_id"]) for row in sent) == [
        (800, quote), (800, quote), (5_000, None)
    ]  # fmt: skip
    left = (await quotes.get_quote(caller, quote))["itens"]
    assert [(item["canal"], item["restante"]) for item in left] == [("sms", 0), ("email", 5)]
    await quotes.cancel_quote(caller, quote)
    (late,) = await stored_contacts(caller, [{}])
    await let_in(program, [late], at=now())
    await move_on(program, at=now())
    (one,) = [row for row in await messages_of(caller) if row["contact_id"] == late]
    assert (one["coins"], one["quote_id"]) == (5_000, None)
    assert (await balances_of(caller)).held == 2 * 800 + 2 * 5_000
    await check_books()


async def test_the_estimate_is_that_of_the_quote(caller: Caller) -> None:
    ids = await stored_contacts(caller, [{}, {}])
    quote = await a_quote(caller, ("sms", "premium", 2))
    await wallet.set_prices(caller.organization_id, DEARER)
    journey = await a_journey(
        caller, gatilho={"listId": await a_list(caller, ids)}, **in_a_row(SMS)
    )
    how = PRESENT.model_copy(update={"quote_id": quote})

    told = await journeys.activate_journey(caller, journey["id"], how)

    assert (told["entrarao"], told["coinsEstimados"]) == (2, 2 * 800)


async def test_a_notification_is_priced_by_the_quote_where_it_covers_every_device(
    caller: Caller,
) -> None:
    ids = await stored_contacts(caller, [{}, {}])
    for id in ids:
        await a_device(caller, contactId=id)
    quote = await a_quote(caller, ("push", "simple", 3))
    program = await activated(caller, quote, PUSH)
    before = await balances_of(caller)
    await wallet.set_prices(caller.organization_id, DEARER)
    for some in (ids, [*await stored_contacts(caller, [{}]), *ids]):
        await let_in(program, some, at=now())
        await move_on(program, at=now())
    item = (await quotes.get_quote(caller, quote))["itens"][0]
    assert item["restante"] == 1
    assert (await balances_of(caller)).held - before.held == 2 * item["faixas"][0]["unitCoins"]


async def test_what_is_wrong_with_the_quote_is_told_with_all_else(caller: Caller) -> None:
    late = await a_quote(caller, ("sms", "premium", 2), validadeMinutos=1)
    await quotes.cancel_quote(caller, late)
    other = await a_quote(await a_caller(), ("sms", "premium", 2))
    for quote, code in (
        (late, "COTACAO_EXPIRADA"),
        (other, "COTACAO_INEXISTENTE"),
        (await a_quote(caller, ("email", "transacional", 2)), "COTACAO_DE_OUTRA_ROTA"),
    ):
        journey = await a_journey(caller, **in_a_row(SMS))
        with pytest.raises(ValidationFailed) as refused:
            await journeys.activate_journey(
                caller, journey["id"], Activation(quote_id=quote, include_present=True)
            )
        assert [(one.where, one.code) for one in refused.value.errors] == [
            ("/incluirAtuais", "not_allowed"), ("/quoteId", code)
        ]  # fmt: skip
