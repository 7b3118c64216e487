"""What a text would become and cost, told without a trace."""

import pytest

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Scope
from core.sms.errors import QuoteOnlyRoute
from core.sms.preview import SmsDraft
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.mark.parametrize(
    ("text", "body", "encoding", "length", "segments"),
    [
        ("Promoção de verão", "Promocao de verao", "GSM-7", 17, 1),
        ("é à ü ficam", "é à ü ficam", "GSM-7", 11, 1),
        ("“aspas”", '"aspas"', "GSM-7", 7, 1),
        ("ção 😀", "ção 😀", "UCS-2", 6, 1),
        ("a" * 161, "a" * 161, "GSM-7", 161, 2),
        ("€" * 80, "€" * 80, "GSM-7", 160, 1),
        ("😀" * 36, "😀" * 36, "UCS-2", 72, 2),
    ],
)
async def test_the_preview_shows_the_text_that_leaves(
    text: str, body: str, encoding: str, length: int, segments: int
) -> None:
    caller = await a_caller()

    answer = await sms.preview_message(caller, SmsDraft(body=text))

    assert answer == {"body": body, "encoding": encoding, "length": length, "segments": segments}


async def test_with_a_route_it_tells_what_a_send_then_costs() -> None:
    caller = await a_caller()
    text = "a" * 305

    previewed = await sms.preview_message(caller, SmsDraft(body=text, route=sms.SmsRoute.OTP))
    sent = await sms.send_message(
        caller,
        sms.NewSms(to="+5511987650099", body=text, route=sms.SmsRoute.OTP),
        idempotency_key="k",
    )

    assert previewed["billing"] == sent["billing"] == {"coins": 3 * 950}


async def test_the_price_is_that_of_the_present_volume() -> None:
    caller = await a_caller()
    route = (caller.organization_id, "premium")
    await wallet.read_rates([route], at=now(), lock=True)
    await wallet.add_volume({route: 9_999}, at=now())

    answer = await sms.preview_message(caller, SmsDraft(body="Oi", route=sms.SmsRoute.PREMIUM))

    assert answer["billing"] == {"coins": 720}


async def test_it_stores_charges_and_counts_nothing() -> None:
    caller = await a_caller("live")
    await sms.preview_message(caller, SmsDraft(body="Oi", route=sms.SmsRoute.PREMIUM))

    for table in ("messages", "idempotency_keys", "wallet_transfers", "sms_volumes"):
        rows = await db.fetchval(
            f"SELECT count(*) FROM {table} WHERE organization_id = $1 AND env = 'live'",
            caller.organization_id,
        )
        assert rows == 0, table


async def test_a_quote_only_route_has_no_preview() -> None:
    with pytest.raises(QuoteOnlyRoute):
        await sms.preview_message(
            await a_caller(), SmsDraft(body="Oi", route=sms.SmsRoute.LA_DEDICADA)
        )


async def test_it_needs_the_scope_of_sending() -> None:
    caller = await a_caller(scopes=frozenset({Scope.SMS_READ}))

    with pytest.raises(Forbidden):
        await sms.preview_message(caller, SmsDraft(body="Oi"))
