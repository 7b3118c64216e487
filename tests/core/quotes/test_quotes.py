"""A send that names a quote never pays more than it promised, and none is sent beyond it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import idempotency, quotes, quoting, sms, wallet
from core.foundation.clock import clock_set_to, now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, PreconditionFailed, ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.sms.accept import accept_quoted_batch
from core.sms.encoding import encode_sms
from core.sms.send_request import KEY_ROUTE, SmsSendRequest
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_new_sms, a_send, leave_coins
from tests.support.ledger import check_books

pytestmark = pytest.mark.usefixtures("clean_slate")


async def a_quote(caller: Caller, many: int = 2, **changes: Any) -> quotes.QuoteRecord:
    """So many segments on the route premium."""
    body = {"itens": [{"canal": "sms", "rota": "premium", "quantidade": many}], **changes}
    return await quoting.create_quote(caller, quoting.NewQuote.model_validate(body))


async def left(caller: Caller, quote: quotes.QuoteRecord) -> int:
    return (await quotes.get_quote(caller, quote["id"]))["restante"]


async def refused(caller: Caller, code: str, **changes: Any) -> ServiceError:
    with pytest.raises(ServiceError) as refusal:
        await a_send(caller, **changes)
    assert refusal.value.meta["code"] == code
    return refusal.value


async def at_volume(caller: Caller, accepted: int) -> None:
    """So many segments were accepted this month."""
    at = now()
    route = (caller.organization_id, "premium")
    await wallet.read_rates([route], at=at, lock=True)
    await wallet.add_volume({route: accepted}, at=at)


async def dearer(caller: Caller, coins: int = 5_000) -> None:
    await wallet.set_prices(
        caller.organization_id, {"sms": {"premium": [{"fromSegment": 1, "coins": coins}]}}
    )


async def test_prices_are_promised_band_by_band() -> None:
    caller = await a_caller()
    await at_volume(caller, 9_990)
    quote = await a_quote(caller, 20)
    (item,) = quote["itens"]
    assert item["faixas"] == [
        {"segmentos": 9, "unitCoins": 800},
        {"segmentos": 11, "unitCoins": 720},
    ]
    assert quote["coins"] == item["coins"] == 9 * 800 + 11 * 720
    assert quote == await quotes.get_quote(caller, quote["id"])


async def test_a_text_decides_the_segments_of_each_message() -> None:
    item = {"canal": "sms", "rota": "otp", "quantidade": 3, "body": "x" * 161}
    quote = await a_quote(await a_caller(), itens=[item])
    assert (quote["restante"], quote["coins"]) == (6, 6 * 950)


async def test_a_price_that_rose_is_not_paid() -> None:
    caller = await a_caller()
    quote = await a_quote(caller)
    await dearer(caller)
    sent = await a_send(caller, quoteId=quote["id"])
    assert sent["billing"] == {"coins": 800}
    assert (await a_send(caller))["billing"] == {"coins": 5_000}
    assert await left(caller, quote) == 1


async def test_a_price_that_fell_is_paid() -> None:
    caller = await a_caller()
    quote = await a_quote(caller)
    await dearer(caller, 100)
    assert (await a_send(caller, quoteId=quote["id"]))["billing"] == {"coins": 100}


async def test_what_is_used_up_is_refused_and_nothing_is_charged() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 2)
    await a_send(caller, quoteId=quote["id"])
    before = await db.fetchval("SELECT count(*) FROM wallet_transfers")
    refusal = await refused(caller, "COTACAO_ESGOTADA", quoteId=quote["id"], body="x" * 161)
    assert refusal.meta["restante"] == 1
    assert await db.fetchval("SELECT count(*) FROM wallet_transfers") == before
    await a_send(caller, quoteId=quote["id"])


async def test_who_refused_to_be_written_to_uses_nothing_up() -> None:
    """In one batch: the segment goes to the one behind it."""
    caller = await a_caller()
    quote = await a_quote(caller, 1)
    await a_denial(caller, "+5511987650005")
    at = now()
    requests = []
    for number, to in enumerate(("+5511987650005", "+5511987650105")):
        new = a_new_sms(quoteId=quote["id"], to=to)
        use = idempotency.key_use(caller, KEY_ROUTE, f"denied-{number}", {})
        requests.append(SmsSendRequest(caller, new, use, encode_sms(new.body), new_id("msg"), at))
    denied, sent = await accept_quoted_batch(requests)
    assert isinstance(denied, ServiceError)
    assert denied.meta["motivo"] == "opt_out"
    assert not isinstance(sent, Exception)
    assert await left(caller, quote) == 0


async def test_a_repeat_uses_nothing_up_also_when_the_quote_is_over() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 1)
    first = await a_send(caller, key="once", quoteId=quote["id"])
    again = await a_send(caller, key="once", quoteId=quote["id"])
    assert again == {**first, "replayed": True}
    with clock_set_to(now() + timedelta(minutes=6)):
        later = await a_send(caller, key="once", quoteId=quote["id"])
    assert later["id"] == first["id"]
    assert await left(caller, quote) == 0


async def test_a_wallet_that_does_not_cover_it_uses_nothing_up() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 1)
    await leave_coins(caller, 799)
    with pytest.raises(wallet.InsufficientBalance):
        await a_send(caller, quoteId=quote["id"])
    assert await left(caller, quote) == 1


async def test_a_quote_ends_at_its_time_and_by_being_canceled() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, validadeMinutos=1)
    with clock_set_to(now() + timedelta(seconds=61)):
        await refused(caller, "COTACAO_EXPIRADA", quoteId=quote["id"])
    await a_send(caller, quoteId=quote["id"])
    await quotes.cancel_quote(caller, quote["id"])
    await quotes.cancel_quote(caller, quote["id"])
    await refused(caller, "COTACAO_EXPIRADA", quoteId=quote["id"])
    assert "canceladaEm" in await quotes.get_quote(caller, quote["id"])


async def test_it_holds_on_its_route_only() -> None:
    caller = await a_caller()
    quote = await a_quote(caller)
    await refused(caller, "COTACAO_DE_OUTRA_ROTA", quoteId=quote["id"], route="otp")


async def test_another_s_quote_is_none() -> None:
    caller, other = await a_caller(), await a_caller()
    quote = await a_quote(other)
    live = replace(other, env="live")
    await refused(caller, "COTACAO_INEXISTENTE", quoteId=quote["id"])
    for stranger in (caller, live):
        with pytest.raises(NotFound):
            await quotes.get_quote(stranger, quote["id"])
        with pytest.raises(NotFound):
            await quotes.cancel_quote(stranger, quote["id"])
        assert (await quotes.list_quotes(stranger, quotes.QuoteFilter()))["items"] == []


async def test_a_message_that_leaves_later_pays_by_its_quote_too() -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 1)
    await dearer(caller)
    due = (now() + timedelta(hours=1)).isoformat()
    sent = await a_send(caller, quoteId=quote["id"], scheduledAt=due)
    assert sent["billing"] == {"coins": 800}
    await refused(caller, "COTACAO_ESGOTADA", quoteId=quote["id"], scheduledAt=due)


async def test_they_are_listed_newest_first() -> None:
    caller = await a_caller()
    ids = [(await a_quote(caller))["id"] for _ in range(3)]
    await quotes.cancel_quote(caller, ids[1])
    page = await quotes.list_quotes(caller, quotes.QuoteFilter(limit=2))
    rest = await quotes.list_quotes(
        caller, quotes.QuoteFilter.model_validate({"limit": 2, "cursor": page["nextCursor"]})
    )
    assert [one["id"] for one in page["items"] + rest["items"]] == ids[::-1]
    valid = await quotes.list_quotes(caller, quotes.QuoteFilter.model_validate({"valida": True}))
    assert [one["id"] for one in valid["items"]] == [ids[2], ids[0]]


async def test_a_route_without_a_price_is_not_quoted() -> None:
    caller = await a_caller()
    with pytest.raises(PreconditionFailed):
        await a_quote(caller, itens=[{"canal": "sms", "rota": "la_dedicada", "quantidade": 1}])


async def test_each_needs_its_scope() -> None:
    caller = await a_caller()
    reads = replace(caller, scopes=frozenset({Scope.SMS_READ}))
    sends = replace(caller, scopes=frozenset({Scope.SMS_SEND}))
    quote = await a_quote(sends)
    with pytest.raises(Forbidden):
        await a_quote(reads)
    with pytest.raises(Forbidden):
        await quotes.cancel_quote(reads, quote["id"])
    for knows in (reads, sends):
        assert (await quotes.get_quote(knows, quote["id"]))["id"] == quote["id"]
        assert len((await quotes.list_quotes(knows, quotes.QuoteFilter()))["items"]) == 1
    knows_nothing = replace(caller, scopes=frozenset({Scope.CONTACTS_READ}))
    with pytest.raises(Forbidden):
        await quotes.get_quote(knows_nothing, quote["id"])
    with pytest.raises(Forbidden):
        await quotes.list_quotes(knows_nothing, quotes.QuoteFilter())


async def test_a_send_that_fails_half_way_uses_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()
    quote = await a_quote(caller, 1, reservar=True)

    async def dies(used: object) -> None:
        raise RuntimeError("it dies before the end of its transaction")

    with monkeypatch.context() as patched:
        patched.setattr(quotes, "use_up", dies)
        with pytest.raises(RuntimeError):
            await a_send(caller, key="once", quoteId=quote["id"])
    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert await left(caller, quote) == 1
    await a_send(caller, key="once", quoteId=quote["id"])
    await check_books()


async def test_a_message_and_its_movements_name_the_quote() -> None:
    caller = await a_caller()
    quote = await a_quote(caller)
    sent = await a_send(caller, quoteId=quote["id"])
    assert sent["quoteId"] == quote["id"]
    assert (await sms.get_message(caller, sent["id"])).get("quoteId") == quote["id"]
    assert await named_quotes(sent["id"]) == [quote["id"]] * 2
    other = await a_send(caller)
    assert "quoteId" not in other
    assert await named_quotes(other["id"]) == [None] * 2


async def named_quotes(origin: str) -> list[str | None]:
    """What the movements of a message say of its quote."""
    rows = await db.fetch("SELECT quote_id FROM wallet_transfers WHERE origin = $1", origin)
    return [row["quote_id"] for row in rows]
