"""Live sends by a quote: what the provider took is captured, what it refused is given back."""

from core import quoting
from core.foundation.database import db
from core.providers.contracts import Failed
from tests.factories.live import a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider
from tests.support.ledger import check_books
from tests.support.money import balances_of, moved_for, volume_of

THREE_RESERVED = quoting.NewQuote.model_validate(
    {"itens": [{"canal": "sms", "rota": "premium", "quantidade": 3}], "reservar": True}
)


async def test_a_live_send_is_captured_or_given_back_from_it(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(2_400)
    quote = await quoting.create_quote(caller, THREE_RESERVED)
    sent = await a_send(caller, quoteId=quote["id"])
    assert (await balances_of(caller))[:3] == (0, 1_600, 800)
    assert await volume_of(caller) == 1
    provider.will(Failed())
    await refused_send(caller, quoteId=quote["id"])
    assert (await balances_of(caller))[:3] == (800, 800, 800)
    named = await db.fetch("SELECT kind FROM wallet_transfers WHERE quote_id = $1", quote["id"])
    assert sorted(row["kind"] for row in named) == [
        "captura",
        "liberacao",
        "reserva",
        "reserva",
        "reserva",
    ]
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]
    await check_books()
