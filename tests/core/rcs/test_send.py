"""Sending in the sandbox: the answer, the money, the key, the refusals."""

from dataclasses import replace
from typing import Any

import pytest

from core import idempotency, rcs, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import (
    Forbidden,
    NotFound,
    PaymentRequired,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.security.caller import Scope
from core.messaging import RecipientOptedOut
from core.rcs.errors import RouteWithoutPrice
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.rcs import CARD, FALLBACK, NO_RCS, a_new_rcs, an_rcs
from tests.factories.sms import leave_coins
from tests.factories.stored_contacts import stored_contact
from tests.support.money import keys_of, moved_for, the_message

pytestmark = pytest.mark.usefixtures("clean_slate")


async def stored() -> tuple[int, int, int]:
    """Messages, movements other than credits, keys."""
    return (
        await db.fetchval("SELECT count(*) FROM messages"),
        await db.fetchval(
            "SELECT count(*) FROM wallet_transfers WHERE kind IN ('reserva', 'captura', 'liberacao')"
        ),
        await db.fetchval("SELECT count(*) FROM idempotency_keys"),
    )


async def test_a_text_is_sent_and_answers_the_record() -> None:
    caller = await a_caller(scopes=frozenset({Scope.RCS_SEND, Scope.PII_FULL}))
    await stored_contact(caller, id="cnt_1")

    sent = await an_rcs(caller, contactId="cnt_1", campaignId="autumn", metadata={"order": "A-1"})

    assert sent["id"].startswith("msg_")
    assert sent["createdAt"] == sent["sentAt"]
    assert sent == {
        "id": sent["id"],
        "createdAt": sent["createdAt"],
        "sentAt": sent["sentAt"],
        "to": "+5511987650001",
        "content": {"text": "Hello"},
        "route": "easy_rcs",
        "status": "sent",
        "env": "test",
        "contactId": "cnt_1",
        "campaignId": "autumn",
        "metadata": {"order": "A-1"},
        "origem": {"tipo": "api"},
    }


async def test_a_card_is_answered_as_it_was_sent() -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, content={"card": CARD})
    assert sent["content"] == {"card": CARD}


async def test_the_way_is_not_known_at_acceptance() -> None:
    sent = await an_rcs(await a_caller())
    assert "channel" not in sent


async def test_the_recipient_is_masked_without_pii_full_also_in_a_replay() -> None:
    caller = await a_caller()
    masked = replace(caller, scopes=caller.scopes - {Scope.PII_FULL})
    first = await an_rcs(replace(caller, scopes=caller.scopes | {Scope.PII_FULL}), key="k")
    again = await an_rcs(masked, key="k")
    assert (first["to"], again["to"]) == ("+5511987650001", "+5511*****0001")


@pytest.mark.parametrize(("route", "coins"), [("easy_rcs", 1_200), ("easy_otp_rcs", 1_400)])
@pytest.mark.parametrize(
    "content", [{"text": "Hello"}, {"card": {**CARD, "description": "x" * 2000}}]
)
async def test_the_price_is_per_message_and_only_held_until_the_way_is_known(
    route: str, coins: int, content: dict[str, Any]
) -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, route=route, content=content)
    assert await moved_for(sent["id"]) == [("reserva", coins)]


@pytest.mark.parametrize(
    ("route", "fallback", "coins"),
    [
        ("easy_rcs", "a" * 160, 1_200),  # one SMS costs 800
        ("easy_rcs", "€" * 160, 2_400),  # three parts on premium
        ("easy_otp_rcs", "€" * 160, 2_850),  # three parts on otp
    ],
)
async def test_the_dearer_of_both_ways_is_held(route: str, fallback: str, coins: int) -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, route=route, fallback={"text": fallback})
    assert await moved_for(sent["id"]) == [("reserva", coins)]


async def test_the_same_key_and_body_answers_again_and_sends_nothing() -> None:
    caller = await a_caller()
    first = await an_rcs(caller, key="k")
    before = await stored()
    assert await an_rcs(caller, key="k") == first
    assert await stored() == before


async def test_the_same_key_with_another_body_is_refused() -> None:
    caller = await a_caller()
    await an_rcs(caller, key="k")
    before = await stored()
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await an_rcs(caller, key="k", content={"text": "Other"})
    assert await stored() == before


async def test_a_replay_is_answered_although_the_recipient_has_opted_out_since() -> None:
    caller = await a_caller()
    first = await an_rcs(caller, key="k")
    await a_denial(caller, "+5511987650001", channel="rcs")
    assert await an_rcs(caller, key="k") == first


@pytest.mark.parametrize("key", ["", "x" * 256, "não"])
async def test_a_key_has_1_to_255_printable_ascii_characters(key: str) -> None:
    with pytest.raises(idempotency.InvalidKey):
        await rcs.send_message(await a_caller(), a_new_rcs(), idempotency_key=key)


@pytest.mark.parametrize("channel", ["rcs", "todos"])
async def test_who_opted_out_is_not_written_to_on_easy_rcs(channel: str) -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650001", channel=channel)
    with pytest.raises(RecipientOptedOut) as refused:
        await an_rcs(caller)
    assert refused.value.meta["motivo"] == "opt_out"
    assert await stored() == (0, 0, 0)


@pytest.mark.parametrize(("route", "channel"), [("easy_otp_rcs", "todos"), ("easy_rcs", "sms")])
async def test_a_transactional_message_and_another_channels_denial_refuse_nothing(
    route: str, channel: str
) -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650001", channel=channel)
    assert (await an_rcs(caller, route=route))["status"] == "sent"


async def test_what_the_wallet_does_not_cover_is_refused_and_frees_the_key() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1_199)
    with pytest.raises(PaymentRequired) as refused:
        await an_rcs(caller, key="k")
    assert refused.value.meta == {"saldoCoins": 1_199, "necessarioCoins": 1_200}
    assert await stored() == (0, 0, 0)
    assert (
        await db.fetchval("SELECT count(*) FROM webhook_events WHERE type = 'wallet.depleted'") == 1
    )

    await leave_coins(caller, 1_200)
    assert (await an_rcs(caller, key="k"))["status"] == "sent"


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        ({"rcs": {"easy_otp_rcs": 1}}, {}),
        ({"sms": {"otp": [{"fromSegment": 1, "coins": 1}]}}, {"fallback": FALLBACK}),
    ],
)
async def test_a_table_without_the_route_or_that_of_the_fallback_is_refused(
    table: dict[str, Any], changes: dict[str, Any]
) -> None:
    caller = await a_caller()
    await wallet.set_prices(caller.organization_id, table)
    with pytest.raises(RouteWithoutPrice):
        await an_rcs(caller, **changes)
    assert await stored() == (0, 0, 0)


async def test_an_organizations_own_price_holds() -> None:
    caller = await a_caller()
    await wallet.set_prices(caller.organization_id, {"rcs": {"easy_rcs": 7}})
    sent = await an_rcs(caller)
    assert await moved_for(sent["id"]) == [("reserva", 7)]


async def test_an_installation_that_charges_nothing_moves_nothing(billing_off: None) -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, fallback=FALLBACK)
    await rcs.apply_due_reports(at=now().replace(year=2100))
    assert await moved_for(sent["id"]) == []
    assert (await the_message(sent["id"]))["coins"] == 0


async def test_ending_0114_is_refused_at_once_kept_as_failed_and_frees_the_key() -> None:
    caller = await a_caller()
    with pytest.raises(ServiceUnavailable) as refused:
        await an_rcs(caller, key="k", to="+5511987650114")
    row = await the_message(refused.value.meta["messageId"])
    assert (row["status"], row["reason"], row["coins"], row["settle_at"]) == (
        "failed",
        None,
        0,
        None,
    )
    assert await moved_for(row["id"]) == []
    assert await keys_of(caller) == {}
    assert await db.fetchval("SELECT count(*) FROM webhook_events WHERE type LIKE 'rcs.%'") == 0


async def test_a_test_send_reads_nothing_of_live() -> None:
    caller = await a_caller()
    sent = await an_rcs(caller)
    with pytest.raises(NotFound):
        await rcs.get_message(replace(caller, env="live"), sent["id"])
    with pytest.raises(NotFound):
        await rcs.get_message(await a_caller(), sent["id"])


async def test_sending_and_reading_ask_their_own_scopes() -> None:
    caller = await a_caller()
    with pytest.raises(Forbidden):
        await an_rcs(replace(caller, scopes=frozenset({Scope.RCS_READ})))
    with pytest.raises(Forbidden):
        await rcs.list_messages(
            replace(caller, scopes=frozenset({Scope.RCS_SEND})), rcs.RcsFilter()
        )
    with pytest.raises(Forbidden):
        await rcs.get_message(replace(caller, scopes=frozenset({Scope.RCS_SEND})), "msg_1")
    assert await stored() == (0, 0, 0)


async def test_short_links_that_make_the_text_too_long_are_refused() -> None:
    with pytest.raises(ValidationFailed) as refused:
        await an_rcs(
            await a_caller(), content={"text": "http://a.co " + "x" * 148}, trackLinks=True
        )
    assert [error.where for error in refused.value.errors] == ["/content/text"]
    assert await stored() == (0, 0, 0)


async def test_a_denial_of_the_contact_outlives_it() -> None:
    caller = await a_caller()
    await a_denial(caller, NO_RCS)
    with pytest.raises(RecipientOptedOut):
        await an_rcs(caller, to=NO_RCS, fallback=FALLBACK)
