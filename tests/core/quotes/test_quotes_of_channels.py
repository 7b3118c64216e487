"""Quotes of RCS and e-mail, and of audiences: what is promised there, and that it is kept."""

from datetime import timedelta
from typing import Any

import pytest

from core import lists, quotes, quoting, segments, wallet
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, PreconditionFailed, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.read_models.decisions import get_decision
from tests.factories.batches import ANA, BIA, CAIO, a_bulk, a_desk
from tests.factories.contacts import a_contact
from tests.factories.conversations import a_message, a_window
from tests.factories.emails import an_email
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained
from tests.factories.rcs import FALLBACK, an_rcs
from tests.factories.sms import leave_coins
from tests.support.ledger import check_books
from tests.support.money import balances_of, moved_for
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

LETTERS = {"canal": "email", "rota": "transacional", "quantidade": 2}
RICH = {"canal": "rcs", "rota": "easy_rcs", "quantidade": 2}


async def a_quote(caller: Caller, item: dict[str, Any], **more: Any) -> quotes.QuoteRecord:
    new = quoting.NewQuote.model_validate({"itens": [item], **more})
    return await quoting.create_quote(caller, new)


async def left(caller: Caller, quote: quotes.QuoteRecord) -> int:
    return (await quotes.get_quote(caller, quote["id"]))["restante"]


async def dearer(caller: Caller) -> None:
    await wallet.set_prices(
        caller.organization_id, {"email": 90, "rcs": {"easy_rcs": 9_000, "easy_otp_rcs": 9_000}}
    )


@pytest.mark.parametrize("reserve", [False, True])
@pytest.mark.parametrize("later", [False, True])
async def test_an_e_mail_pays_what_was_promised(reserve: bool, later: bool) -> None:
    caller = await a_caller()
    quote = await a_quote(caller, LETTERS, reservar=reserve)
    assert (quote["coins"], quote["restante"]) == (20, 2)
    await dearer(caller)
    time = {"scheduledAt": (now() + timedelta(hours=1)).isoformat()} if later else {}
    sent = await an_email(caller, quoteId=quote["id"], **time)
    assert sent["billing"] == {"coins": 10}
    assert await moved_for(sent["id"]) == [("reserva", 10)]
    await an_email(caller, quoteId=quote["id"], **time)
    with pytest.raises(quotes.QuoteExhausted):
        await an_email(caller, quoteId=quote["id"], **time)
    assert (await an_email(caller))["billing"] == {"coins": 90}
    await check_books()


async def test_an_e_mail_that_costs_nothing_uses_nothing_up() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, LETTERS)
    gone = NewSuppression(caller.organization_id, caller.env, "ana@example.org", "complaint", None)
    await suppress([gone], at=now())
    sent = await an_email(caller, quoteId=quote["id"])
    assert (sent["status"], sent["billing"]) == ("failed", {"coins": 0})
    assert await left(caller, quote) == 2


@pytest.mark.parametrize("later", [False, True])
async def test_an_rcs_message_holds_what_was_promised(later: bool) -> None:
    caller = await a_caller()
    await leave_coins(caller, 2_400)
    quote = await a_quote(caller, RICH, reservar=True)
    assert (quote["coins"], quote["restante"]) == (2_400, 2)
    await dearer(caller)
    time = {"scheduledAt": (now() + timedelta(hours=1)).isoformat()} if later else {}
    sent = await an_rcs(caller, quoteId=quote["id"], **time)
    assert await moved_for(sent["id"]) == [("reserva", 1_200)]
    assert (await balances_of(caller))[:2] == (0, 2_400)
    assert await left(caller, quote) == 1
    await check_books()


async def test_a_fallback_is_promised_by_the_dearer_way() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, {**RICH, "body": FALLBACK["text"]})
    assert quote["coins"] == 2 * 1_200
    long = await a_quote(caller, {**RICH, "body": "ж" * 71})
    assert long["coins"] == 2 * 1_600


async def test_a_route_without_a_price_is_not_quoted() -> None:
    caller = await a_caller()
    await wallet.set_prices(caller.organization_id, {"rcs": {}})
    with pytest.raises(PreconditionFailed):
        await a_quote(caller, RICH)


async def refused(caller: Caller, item: dict[str, Any]) -> ServiceError:
    with pytest.raises(ServiceError) as refusal:
        await a_quote(caller, {"canal": "sms", "rota": "otp", **item})
    return refusal.value


async def test_an_audience_is_whoever_has_an_address_on_the_channel() -> None:
    caller = await a_caller()
    ids = [
        (await a_contact(caller, phone=f"+551198765{number:02}05", **more))["id"]
        for number, more in enumerate(({}, {}, {"email": "ana@example.org"}))
    ]
    list_id = (await lists.create_list(caller, lists.NewList(name="Clientes")))["id"]
    await lists.add_members(caller, list_id, lists.Members(contact_ids=ids))
    new = segments.NewSegment.model_validate(
        {"name": "Todos", "filters": [{"field": "list", "operator": "is", "value": list_id}]}
    )
    segment_id = (await segments.create_segment(caller, new))["id"]
    for audience in ({"listId": list_id}, {"segmentId": segment_id}):
        by_phone = await a_quote(caller, {"canal": "sms", "rota": "otp", **audience})
        by_mail = await a_quote(caller, {"canal": "email", "rota": "marketing", **audience})
        assert (by_phone["restante"], by_mail["restante"]) == (3, 1)


async def test_an_audience_is_the_caller_s_own_and_not_empty() -> None:
    caller, other = await a_caller(), await a_caller()
    theirs = (await lists.create_list(other, lists.NewList(name="Clientes")))["id"]
    empty = (await lists.create_list(caller, lists.NewList(name="Clientes")))["id"]
    for id, code in (
        (theirs, "VINCULO_INVALIDO"),
        ("lst_x", "VINCULO_INVALIDO"),
        (empty, "too_few"),
    ):
        refusal = await refused(caller, {"listId": id})
        assert isinstance(refusal, ValidationFailed)
        assert [(one.where, one.code) for one in refusal.errors] == [("/itens/0/listId", code)]


async def test_counting_contacts_needs_the_scope_to_read_them() -> None:
    caller = await a_caller(scopes=frozenset({Scope.SMS_SEND}))
    assert isinstance(await refused(caller, {"listId": "lst_x"}), Forbidden)
    assert isinstance(await refused(caller, {"segmentId": "seg_x"}), Forbidden)


TEMPLATES = {"canal": "whatsapp", "rota": "template", "quantidade": 3}


@pytest.mark.parametrize("reserve", [False, True])
async def test_a_template_pays_what_was_promised_one_by_one_and_in_bulk(reserve: bool) -> None:
    caller = await a_caller()
    await leave_coins(caller, 1_200)
    desk = await a_desk(caller)
    quote = await a_quote(caller, TEMPLATES, reservar=reserve)
    assert quote["coins"] == 1_200
    await wallet.set_prices(caller.organization_id, {"conversationTemplate": 9_000})
    bulk = await a_bulk(desk, ANA, BIA, quoteId=quote["id"])
    assert (bulk["aceitas"], bulk["coinsEstimados"]) == (2, 800)
    sent = await a_message(
        caller,
        desk.number_id,
        to=CAIO,
        payload=...,
        quoteId=quote["id"],
        type="template",
        templateId=desk.template_id,
        templateVars=["Caio"],
    )
    assert sent["billing"] == {"coins": 400}
    assert (await balances_of(caller))[:2] == (0, 1_200)
    assert await left(caller, quote) == 0
    ledger = await db.fetch("SELECT DISTINCT quote_id FROM wallet_transfers WHERE kind = 'reserva'")
    assert [row["quote_id"] for row in ledger] == [quote["id"]]
    await check_books()


async def test_a_bulk_that_needs_more_than_is_left_is_refused_whole() -> None:
    caller = await a_caller()
    desk = await a_desk(caller)
    quote = await a_quote(caller, {**TEMPLATES, "quantidade": 1}, reservar=True)
    with pytest.raises(quotes.QuoteExhausted) as refusal:
        await a_bulk(desk, ANA, BIA, quoteId=quote["id"])
    assert refusal.value.meta["restante"] == 1
    assert await left(caller, quote) == 1
    assert (await balances_of(caller)).held == 400
    for id, code in (("qte_x", "COTACAO_INEXISTENTE"), (quote["id"], "COTACAO_EXPIRADA")):
        with pytest.raises(ValidationFailed) as invalid:
            await a_bulk(desk, ANA, quoteId=id)
        assert invalid.value.meta["code"] == code
        await quotes.cancel_quote(caller, quote["id"])


async def test_inside_the_service_window_nothing_is_used_up() -> None:
    caller = await a_caller()
    desk = await a_desk(caller)
    quote = await a_quote(caller, TEMPLATES)
    await a_window(caller, desk.number_id, ANA)
    bulk = await a_bulk(desk, ANA, BIA, quoteId=quote["id"])
    assert bulk["coinsEstimados"] == 400
    assert await left(caller, quote) == 2


@pytest.mark.parametrize("reserve", [False, True])
async def test_a_notification_pays_what_was_promised_for_each_device(reserve: bool) -> None:
    caller = await a_caller()
    for number in range(3):
        await a_contact(
            caller, externalId=f"c-{number}", phone=f"+551198765{number}005", tags=["vip"]
        )
        await a_device(caller, externalId=f"c-{number}")
    segment = await segments.create_segment(
        caller,
        segments.NewSegment.model_validate(
            {"name": "Todos", "filters": [{"field": "tag", "operator": "is", "value": "vip"}]}
        ),
    )
    item = {"canal": "push", "rota": "simple", "segmentId": segment["id"]}
    quote = await a_quote(caller, item, reservar=reserve)
    assert (quote["coins"], quote["restante"]) == (60, 3)
    await wallet.set_prices(
        caller.organization_id, {"push": {"simple": 90, "rich": 90, "silent": 90}}
    )

    sent = await a_dispatch(caller, quoteId=quote["id"])

    assert (sent["billing"]["unitCoins"], sent["quoteId"]) == (20, quote["id"])
    assert await left(caller, quote) == 0
    with pytest.raises(quotes.QuoteExhausted):
        await a_dispatch(caller, quoteId=quote["id"])
    with pytest.raises(quotes.QuoteOfAnotherRoute):
        await a_dispatch(caller, quoteId=quote["id"], imageUrl="https://x.test/i.png")
    with pytest.raises(quotes.UnknownQuote):
        await a_dispatch(caller, quoteId="qte_000000000000000000000")
    await drained(caller, sent["id"])
    moved = await db.fetch(
        "SELECT kind, sum(coins)::bigint AS coins FROM wallet_transfers WHERE quote_id = $1 GROUP BY 1",
        quote["id"],
    )
    assert {row["kind"]: row["coins"] for row in moved}["captura"] == 60
    await check_books()


async def test_records_name_the_quote() -> None:
    caller = await a_caller()
    desk = await a_desk(caller)
    template: dict[str, Any] = {
        "type": "template",
        "payload": ...,
        "templateId": desk.template_id,
        "templateVars": ["Ana"],
    }
    for item, send in (
        (RICH, lambda quote_id: an_rcs(caller, quoteId=quote_id)),
        (LETTERS, lambda quote_id: an_email(caller, quoteId=quote_id)),
        (
            {"canal": "whatsapp", "rota": "template", "quantidade": 2},
            lambda quote_id: a_message(caller, desk.number_id, quoteId=quote_id, **template),
        ),
    ):
        quote = await a_quote(caller, item)
        sent = await send(quote["id"])
        assert sent["quoteId"] == quote["id"]
        decision = await get_decision(caller, sent["id"])
        (price,) = [one["entradas"] for one in decision["regras"] if one["regra"] == "preco"]
        assert price["quoteId"] == quote["id"]


async def test_the_prices_of_all_items_are_asked_for_at_once() -> None:
    caller = await a_caller()
    await wallet.set_prices(caller.organization_id, {"email": 90, "rcs": {"easy_rcs": 9_000}})
    items = [
        RICH,
        LETTERS,
        {"canal": "sms", "rota": "premium", "quantidade": 2},
        {"canal": "sms", "rota": "otp", "quantidade": 2},
        {"canal": "whatsapp", "rota": "template", "quantidade": 2},
        {"canal": "push", "rota": "rich", "quantidade": 2},
    ]
    async with statements() as asked:
        quote = await quoting.create_quote(
            caller, quoting.NewQuote.model_validate({"itens": items})
        )

    assert [item["coins"] for item in quote["itens"]] == [18_000, 180, 1_600, 1_900, 800, 80]
    assert len([one for one in asked if "price_tables" in one or "sms_volumes" in one]) == 1
